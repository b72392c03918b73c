"""Writes docs/events.md from the codec and the events' own docstrings: `python -m tests.house.events_page`."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path
from typing import Any, get_type_hints

from adapters.codec.names import NAMES
from tests.house.tree import ROOT

PAGE = ROOT / "docs" / "events.md"

HEAD = """\
# Events

Everything that ever happened is one of these. An event is never edited and never deleted; what went wrong is undone
by its reverse. Names are stable: a changed shape is a new name (`.v2`), and old ones are read for ever.

Each stored event has `meta` (operator, actor, key id, request id, idempotency key, correlation, causation, effective
time), `entry` (which ledger entry of its command it belongs to), `recorded_at` (UTC, microseconds) and `data`, the
fields below. Names that end in `_minor` are minor units of the currency, `_micro` millionths of one, `_ppm` parts per
million. This page is written from the code (`python -m tests.house.events_page`).
"""

STREAMS = {
    "player": "A player: the operator's opaque id.",
    "wallet": "A player's money.",
    "transaction": "A deposit or withdrawal by the operator's own id: recorded once, rolled back at most once.",
    "table": "A table and its one open round.",
    "round": "One deal: phases, cards, pause, void.",
    "seat": "One player's part in a round.",
    "jackpot": "A progressive pool.",
    "gaming": "What an operator sets for all of its games.",
    "chat": "What is set for a table's chat.",
    "message": "One chat message: posted once, withdrawn at most once; its text lies outside the log.",
    "reconciliation": "A gaming day of the operator: prepared, breaks resolved, signed off by a second person.",
    "approval": "What needs two persons where `four_eyes` is `strict`: proposed, then decided once.",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for kind, text in STREAMS.items():
        parts.append(f"## `{kind}`\n\n{text}\n")
        parts += [_event(name, cls) for name, cls in NAMES.items() if name.split(".")[0] == kind]
    return "\n".join(parts)


def _event(name: str, cls: type[Any]) -> str:
    hints = get_type_hints(cls)
    rows = [f"| `{one.name}` | {_type(hints[one.name])} |" for one in dataclasses.fields(cls)]
    text = " ".join(inspect.getdoc(cls).split()) if cls.__doc__ else ""
    return f"### `{name}`\n\n{text}\n\n| field | type |\n|---|---|\n" + "\n".join(rows) + "\n"


def _type(hint: Any) -> str:
    text = hint.__name__ if isinstance(hint, type) and not getattr(hint, "__args__", ()) else str(hint)
    for prefix in ("typing.", "datetime."):
        text = text.replace(prefix, "")
    words = [
        word.rpartition(".")[2] for word in text.replace("[", " [ ").replace("]", " ] ").replace(",", " , ").split()
    ]
    return "".join(" | " if word == "|" else word for word in words).replace(",", ", ").replace("|", "or")


def main() -> None:
    """Write the page."""
    Path(PAGE).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
