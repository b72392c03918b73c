"""`python -m tests.house.evidence_schema`: writes the published JSON Schema of an evidence pack."""

from __future__ import annotations

import json
from typing import Final

from api.pack_form import schema
from tests.house.tree import ROOT

FILE: Final = ROOT / "docs" / "schemas" / "evidence-pack-v1.json"


def text() -> str:
    """What the file must hold."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
