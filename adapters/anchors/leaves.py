"""The leaves of a sealed day, in a file beside its seal: from them a proof of one round is made without reading the day
again, and without the key that signed. Each line is of one round, in order: its id, its salt, its leaf.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from domain.frozen import dataclass
from domain.seals import HASH_BYTES, SALT_BYTES

BYTES_MOST = 64 * 1024 * 1024
"""Of a file that is read for one proof: some 400,000 rounds."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A round of a sealed day: its salt, which is not shown with any other round's proof, and the hash of its leaf."""

    round: str
    salt: bytes
    hash: bytes


def leaves_path(seal: Path) -> Path:
    """Where the leaves of a seal lie."""
    return seal.with_suffix(".leaves")


def leaves_text(leaves: Sequence[Leaf]) -> str:
    """As they stand in the file."""
    return "".join(f"{one.round} {one.salt.hex()} {one.hash.hex()}\n" for one in leaves)


def read_leaves(path: Path) -> list[Leaf] | None:
    """The leaves of a file; None where there is no file, or one that is too large to be read for one proof. ValueError
    for what is none; OSError.
    """
    try:
        if path.stat().st_size > BYTES_MOST:
            return None
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return None
    found = [
        Leaf(name, bytes.fromhex(salt), bytes.fromhex(hashed)) for name, salt, hashed in map(_parts, text.splitlines())
    ]
    if any((len(one.salt), len(one.hash)) != (SALT_BYTES, HASH_BYTES) for one in found):
        raise ValueError(f"{path} holds what is no leaf")
    return found


def _parts(line: str) -> tuple[str, str, str]:
    name, salt, hashed = line.split(" ")
    return name, salt, hashed
