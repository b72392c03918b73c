"""Print golden lines for events that no golden file holds yet:

python -m tests.golden.events.generate >> tests/golden/events/v1.jsonl

Lines that stand are never written anew: they are what a database out there holds. Each line is an event's name and
its stored bytes as text.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from adapters.codec import CODEC, NAMES
from tests.adapters.event_samples import AT, sample, sample_meta

FOLDER = Path(__file__).parent


def golden_lines() -> list[tuple[str, bytes]]:
    """Name and stored bytes of every golden event of every version."""
    lines = [line for file in sorted(FOLDER.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    return [(entry["name"], entry["state"].encode()) for entry in map(json.loads, lines)]


def missing_lines() -> list[str]:
    there = {name for name, _ in golden_lines()}
    return [
        json.dumps({"name": name, "state": CODEC.encode(event, sample_meta(), 0, AT)[1].decode()}, ensure_ascii=False)
        for name, cls in NAMES.items()
        if name not in there
        for event in (sample(cls, full=True), sample(cls, full=False))
    ]


if __name__ == "__main__":
    sys.stdout.writelines(line + "\n" for line in missing_lines())
