"""Ways to change the anchors of a log, or both together; with `tampering.py` all kinds of F21."""

from __future__ import annotations

import random
from typing import Final

from adapters.anchors.reading import payload_of
from domain.anchors import FIRST, KIND, Noted, as_payload, digest
from tests.faults.tampering import ROW_KINDS, Kind, Lines, Log, Rows, Tampered, changed_and_rechained


def anchors_rewritten_by_a_stranger(log: Log, dice: random.Random) -> Tampered:
    """Bytes are changed, the chain is made anew, and every anchor from there on too, signed with another key."""
    made = changed_and_rechained(log, dice)
    kept = [line for line in log.lines if payload_of(line).position < made.at]
    return Tampered(made.rows, _noted_anew(log, made.rows, len(kept)), _vouched(kept) + 1, "anchors")


def anchors_rewritten_with_the_old_signatures(log: Log, dice: random.Random) -> Tampered:
    made = changed_and_rechained(log, dice)
    kept = [line for line in log.lines if payload_of(line).position < made.at]
    forged = [
        ".".join((*new.split(".")[:2], old.split(".")[2])).replace(new.split(".")[0], old.split(".")[0])
        for new, old in zip(_noted_anew(log, made.rows, len(kept))[len(kept) :], log.lines[len(kept) :], strict=True)
    ]
    return Tampered(made.rows, [*kept, *forged], _vouched(kept) + 1, "anchors")


def anchor_dropped(log: Log, dice: random.Random) -> Tampered:
    nth = dice.randrange(len(log.lines) - 1)
    return _anchors(log, [*log.lines[:nth], *log.lines[nth + 1 :]], nth)


def anchors_swapped(log: Log, dice: random.Random) -> Tampered:
    nth = dice.randrange(len(log.lines) - 1)
    lines = [*log.lines[:nth], log.lines[nth + 1], log.lines[nth], *log.lines[nth + 2 :]]
    return _anchors(log, lines, nth)


def anchor_doubled(log: Log, dice: random.Random) -> Tampered:
    nth = dice.randrange(len(log.lines))
    return _anchors(log, [*log.lines[: nth + 1], *log.lines[nth:]], nth + 1)


def anchor_edited(log: Log, dice: random.Random) -> Tampered:
    nth = dice.randrange(len(log.lines))
    noted = payload_of(log.lines[nth])
    other = log.stranger.sign(as_payload(noted) | {"hash": dice.randbytes(32).hex()}, KIND).split(".")
    head, _, signature = log.lines[nth].split(".")
    return _anchors(log, [*log.lines[:nth], f"{head}.{other[1]}.{signature}", *log.lines[nth + 1 :]], nth)


def anchor_signed_by_a_stranger(log: Log, dice: random.Random) -> Tampered:
    nth = dice.randrange(len(log.lines))
    forged = log.stranger.sign(as_payload(payload_of(log.lines[nth])), KIND)
    return _anchors(log, [*log.lines[:nth], forged, *log.lines[nth + 1 :]], nth)


def anchor_garbled(log: Log, dice: random.Random) -> Tampered:
    nth = dice.randrange(len(log.lines))
    line = log.lines[nth]
    at = dice.randrange(10, len(line) - 3)
    other = "A" if line[at] != "A" else "B"
    return _anchors(log, [*log.lines[:nth], line[:at] + other + line[at + 1 :], *log.lines[nth + 1 :]], nth)


def older_anchors(log: Log, dice: random.Random) -> Tampered:
    """The file is replaced by what it was some time ago."""
    return _anchors(log, log.lines[:2], 2)


def no_anchors_left(log: Log, dice: random.Random) -> Tampered:
    return _anchors(log, [], 0)


KINDS: Final[tuple[Kind, ...]] = (
    *ROW_KINDS,
    anchors_rewritten_by_a_stranger, anchors_rewritten_with_the_old_signatures, anchor_dropped, anchors_swapped,
    anchor_doubled, anchor_edited, anchor_signed_by_a_stranger, anchor_garbled, older_anchors, no_anchors_left,
)  # fmt: skip
"""Every kind; a run goes through them again and again."""


def _anchors(log: Log, lines: Lines, nth: int) -> Tampered:
    """Only the anchors were touched, from line `nth` (from 0) on."""
    return Tampered(log.rows, lines, _vouched(log.lines[:nth]) + 1, "anchors")


def _vouched(lines: Lines) -> int:
    return payload_of(lines[-1]).position if lines else 0


def _noted_anew(log: Log, rows: Rows, kept: int) -> list[str]:
    """The anchors as they would be over these rows, signed by the stranger from the one after `kept` on."""
    made: list[str] = list(log.lines[:kept])
    for line in log.lines[kept:]:
        old = payload_of(line)
        after = _vouched(made)
        marks = tuple(rows[position - 1].hash.hex() for position in old.hashes(after) if position != old.position)
        previous = digest(made[-1]) if made else FIRST
        noted = Noted(old.number, old.position, rows[old.position - 1].hash.hex(), marks, old.at, previous)
        made.append(log.stranger.sign(as_payload(noted), KIND))
    return made
