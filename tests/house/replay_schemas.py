"""`python -m tests.house.replay_schemas`: writes the JSON Schemas of what `studbook replay --json` prints."""

from __future__ import annotations

import json
from typing import Any, Final

from pydantic import TypeAdapter

from services.replay.range_answer import RangeAnswer
from services.replay.replay import Replay
from tests.house.tree import ROOT

SHAPES: Final[dict[str, tuple[type[Any], str]]] = {
    "replay.schema.json": (Replay, "studbook replay ROUND --json, and GET /v1/rounds/{round}/replay"),
    "replay-range.schema.json": (RangeAnswer, "studbook replay --all, --list or --as with --json"),
}
"""File, class and title."""

FOLDER: Final = ROOT / "docs" / "schemas"


def schema(name: str) -> str:
    """The text of a file."""
    cls, title = SHAPES[name]
    made = TypeAdapter(cls).json_schema(mode="serialization")
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return json.dumps({**made, **head}, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for name in SHAPES:
        (FOLDER / name).write_text(schema(name), "utf-8")


if __name__ == "__main__":
    main()
