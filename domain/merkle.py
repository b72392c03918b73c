"""A Merkle tree as RFC 9162 (before it RFC 6962) has it: leaves and nodes are hashed apart from each other.

    leaf = SHA-256( 0x00 data )        node = SHA-256( 0x01 left right )

Of n leaves the left subtree holds the largest power of two below n. A path of siblings proves that a leaf is in the
tree, and shows no other leaf's data.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

EMPTY: Final = sha256().digest()
"""The root over no leaves."""

_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(_LEAF + data).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The root over hashes of leaves, in their order."""
    level = list(leaves)
    while len(level) > 1:
        paired = [_node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = paired + level[len(paired) * 2 :]  # one without a neighbour goes up as it is
    return level[0] if level else EMPTY


def path(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The siblings of leaf `index` (from 0), from the leaf up. IndexError when there is no such leaf."""
    if not 0 <= index < len(leaves):
        raise IndexError(index)
    level, found = list(leaves), []
    while len(level) > 1:
        if (sibling := index ^ 1) < len(level):
            found.append(level[sibling])
        paired = [_node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = paired + level[len(paired) * 2 :]
        index //= 2
    return tuple(found)


def root_from_path(leaf: bytes, index: int, count: int, siblings: Sequence[bytes]) -> bytes:
    """The root that the path leads to from leaf `index` of `count`. ValueError when it is not as long as it must be."""
    if not 0 <= index < count:
        raise ValueError(f"leaf {index} of {count}")
    found, left, last = leaf, list(siblings), count - 1
    while last > 0:
        if index % 2 or index < last:
            if not left:
                raise ValueError("the path is too short")
            sibling = left.pop(0)
            found = _node(sibling, found) if index % 2 else _node(found, sibling)
        index, last = index // 2, last // 2
    if left:
        raise ValueError("the path is too long")
    return found


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()
