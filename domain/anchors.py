"""Anchors: what was noted, outside of the database, of how far the log was and of its hash.

An anchor is signed by who notes it and names the hash of the anchor before, so that none can be changed, left out or
put in between. Beside the head it holds the hash of every 64th event since the anchor before: under load, when one
anchor stands for thousands of events, a change is still found within 64.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from domain.frozen import dataclass

MARK_EVERY: Final = 64
"""Events between hashes that an anchor holds."""
FIRST: Final = "0" * 64
"""What the first anchor names in place of the one before."""
KIND: Final = "studbook-anchor"
"""`typ` in the header of its signature."""

_HASH_DIGITS: Final = 64


@dataclass(frozen=True, slots=True)
class Noted:
    """One anchor: the `number`th, counted from 1; `marks` are the hashes of `marked`, in order."""

    number: int
    position: int
    hash: str
    marks: tuple[str, ...]
    at: str
    previous: str

    def hashes(self, after: int) -> dict[int, str]:
        """Position to hash of every event that it holds, when the anchor before is at position `after`."""
        return {**dict(zip(marked(after, self.position), self.marks, strict=True)), self.position: self.hash}


def marked(after: int, position: int) -> range:
    """The positions between two anchors whose hashes the later one holds beside its own."""
    return range((after // MARK_EVERY + 1) * MARK_EVERY, position, MARK_EVERY)


def own_hashes(noted: Noted) -> dict[int, str]:
    """Position to hash of every event that it holds, by itself: its marks are the last multiples of MARK_EVERY before
    it. ValueError when it has more than there are.
    """
    first = (noted.position - 1) // MARK_EVERY - len(noted.marks) + 1
    if noted.marks and first < 1:
        raise ValueError("an anchor holds more hashes than there are places for before it")
    return {**{(first + nth) * MARK_EVERY: one for nth, one in enumerate(noted.marks)}, noted.position: noted.hash}


def digest(token: str) -> str:
    """What the next anchor names: SHA-256, in hex, of the signed anchor as it stands in its line."""
    return sha256(token.encode("ascii")).hexdigest()


def as_payload(noted: Noted) -> dict[str, object]:
    """What is signed."""
    return {
        "number": noted.number, "position": noted.position, "hash": noted.hash, "marks": list(noted.marks),
        "at": noted.at, "previous": noted.previous,
    }  # fmt: skip


def from_payload(payload: Mapping[str, Any]) -> Noted:
    """The anchor that was signed. ValueError for what is none."""
    try:
        noted = Noted(
            payload["number"], payload["position"], payload["hash"], tuple(payload["marks"]), payload["at"],
            payload["previous"],
        )  # fmt: skip
    except (KeyError, TypeError):
        raise ValueError("a field is missing") from None
    numbers = noted.number, noted.position
    texts = (noted.hash, noted.previous, *noted.marks)
    if not all(type(one) is int and one > 0 for one in numbers) or not all(map(_is_hash, texts)):
        raise ValueError("a field is not what it must be")
    return noted


def break_between(before: Noted | None, token_before: str | None, noted: Noted) -> str | None:
    """Why `noted` cannot follow the anchor before (None and None: there is none); None when it can."""
    number, after = (before.number, before.position) if before is not None else (0, 0)
    if noted.number != number + 1:
        return f"anchor {noted.number} follows anchor {number}"
    if noted.previous != (FIRST if token_before is None else digest(token_before)):
        return f"anchor {noted.number} names another anchor before it"
    if noted.position <= after:
        return f"anchor {noted.number} is at position {noted.position}, the one before at {after}"
    if len(noted.marks) != len(marked(after, noted.position)):
        return f"anchor {noted.number} does not hold every {MARK_EVERY}th hash since position {after}"
    return None


def _is_hash(text: object) -> bool:
    return isinstance(text, str) and len(text) == _HASH_DIGITS and set(text) <= set("0123456789abcdef")
