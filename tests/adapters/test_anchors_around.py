"""The anchors around a place are found by halving the file, and are those that reading all of it would give."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

from adapters.anchors.around import around
from adapters.anchors.reading import LINE_MOST, lines, payload_of
from domain.anchors import FIRST, Noted, as_payload, own_hashes

HASH = "ab" * 32


def line(number: int, position: int, marks: int) -> str:
    payload = json.dumps(as_payload(Noted(number, position, HASH, (HASH,) * marks, "2026-11-30T00:00:00Z", FIRST)))
    return f"e30.{urlsafe_b64encode(payload.encode()).decode().rstrip('=')}.x"


def written(path: Path, marks: list[int]) -> list[int]:
    """A file of anchors ten positions apart with as many marks; their positions."""
    positions = [10 * nth for nth in range(1, len(marks) + 1)]
    rows = (line(nth, position, one) for nth, (position, one) in enumerate(zip(positions, marks, strict=True), 1))
    path.write_text("".join(f"{row}\n" for row in rows) + "e30.begun", "ascii")
    return positions


FILES = {"none": [], "one": [0], "few": [0, 1, 2], "many": [1] * 700, "long": [400, 0] * 40, "short": [0] * 900}


@pytest.mark.parametrize("marks", FILES.values(), ids=FILES.keys())
def test_the_anchors_around_any_place_are_those_that_a_whole_reading_gives(tmp_path: Path, marks: list[int]) -> None:
    path = tmp_path / "anchors.jws"
    positions = written(path, marks)
    assert len(marks) < 80 or path.stat().st_size > 2 * LINE_MOST, "so large that it is halved"
    read = {payload_of(one).position: one for one in list(lines(path))}
    asked = {1, 9, 10, 11, 5 * len(marks), *(position + step for position in positions[::37] for step in (-1, 0, 1))}
    for first in sorted(asked | {10 * len(marks) - 1, 10 * len(marks), 10 * len(marks) + 1}):
        for last in (first, first + 25):
            before = max((one for one in positions if one < first), default=0)
            after = min((one for one in positions if one >= last), default=0)
            assert around(path, first, last) == (read.get(before), read.get(after)), (first, last)


def test_a_line_that_is_no_anchor_is_told(tmp_path: Path) -> None:
    path = tmp_path / "anchors.jws"
    path.write_text("nothing\n")
    with pytest.raises(ValueError, match="no anchor"):
        around(path, 1, 1)


def test_the_places_of_an_anchors_hashes_follow_from_itself() -> None:
    for position, marks, wanted in (
        (64, 0, [64]),
        (65, 1, [64, 65]),
        (200, 2, [128, 192, 200]),
        (256, 3, [64, 128, 192, 256]),
    ):
        assert sorted(own_hashes(Noted(1, position, HASH, (HASH,) * marks, "", FIRST))) == wanted
    with pytest.raises(ValueError, match="more hashes"):
        own_hashes(Noted(1, 128, HASH, (HASH, HASH), "", FIRST))
