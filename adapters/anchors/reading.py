"""Reading a file of anchors: the newest one, for whoever watches, and all of them, for whoever checks."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Final

from adapters.signing import SignatureBroken, Verifier
from domain.anchors import KIND, Noted, break_between, from_payload
from domain.frozen import dataclass

LINE_MOST: Final = 65_536
"""Bytes of the longest line: an anchor spans MARKS_MOST marks at most (see following.py)."""


@dataclass(frozen=True, slots=True)
class AnchorFault:
    """The first anchor that does not hold: its line, from 1, and the first position that it was to vouch for."""

    line: int
    position: int
    reason: str


@dataclass(slots=True)
class Anchored:
    """What a file of anchors says: hashes by position, how far it goes, and the first fault in it."""

    count: int = 0
    position: int = 0
    hashes: dict[int, set[str]] = field(default_factory=dict)
    fault: AnchorFault | None = None

    def take(self, noted: Noted, after: int) -> None:
        """One more good anchor."""
        self.count += 1
        self.position = max(self.position, noted.position)
        for position, hashed in noted.hashes(after).items():
            self.hashes.setdefault(position, set()).add(hashed)


def read_anchors(path: Path, verifier: Verifier) -> Anchored:
    """All anchors of a file. OSError where it cannot be read.

    Each names the hash of the one before, so the last signature vouches for all of them; when it does not hold, or
    the row is broken somewhere, each is looked at by itself, and those that hold still vouch for their hashes.
    """
    found, before, line_before, line = Anchored(), None, None, None
    for line in lines(path):
        try:
            noted = payload_of(line)
        except ValueError:
            return _each(path, verifier)
        if break_between(before, line_before, noted) is not None:
            return _each(path, verifier)
        found.take(noted, 0 if before is None else before.position)
        before, line_before = noted, line
    if line is not None:
        try:
            verifier.read(line, KIND)
        except SignatureBroken:
            return _each(path, verifier)
    return found


def _each(path: Path, verifier: Verifier) -> Anchored:
    found, before, line_before = Anchored(), None, None
    for nth, line in enumerate(lines(path), 1):
        reason: str | None
        noted = None
        try:
            noted = from_payload(verifier.read(line, KIND))
            reason = break_between(before, line_before, noted)
        except (SignatureBroken, ValueError) as fault:
            reason = f"anchor {nth}: {fault}"
        if reason is not None and found.fault is None:
            found.fault = AnchorFault(nth, found.position + 1, f"line {nth}: {reason}")
        if noted is not None:
            after = before.position if reason is None and before is not None else 0
            _vouch(found, noted, after, whole=reason is None)
            before, line_before = noted, line
    return found


def _vouch(found: Anchored, noted: Noted, after: int, *, whole: bool) -> None:
    """A signed anchor out of its row still vouches for its own hash."""
    if whole:
        found.take(noted, after)
    else:
        found.hashes.setdefault(noted.position, set()).add(noted.hash)


def reached(path: Path) -> Noted | None:
    """The newest anchor of a file, its signature unchecked; None where there is none. OSError, ValueError."""
    line = last_line(path)
    return None if line is None else payload_of(line)


def lines(path: Path, offset: int = 0) -> Iterator[str]:
    """The whole lines of the file from a byte on, in order; what is no text is a line that is no anchor."""
    with path.open("rb") as file:
        file.seek(offset)
        for line in file:
            if line.endswith(b"\n"):
                yield line[:-1].decode("ascii", "replace")


def last_line(path: Path) -> str | None:
    """The last whole line."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 2 * LINE_MOST))
        ended = file.read().split(b"\n")[:-1]
    return ended[-1].decode("ascii", "replace") if ended else None


def payload_of(line: str) -> Noted:
    """What an anchor says, its signature unchecked. ValueError for what is none."""
    try:
        _, payload, _ = line.split(".")
        found = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, UnicodeError):
        raise ValueError("the line is no anchor") from None
    if not isinstance(found, dict):
        raise ValueError("the line is no anchor")
    return from_payload(found)
