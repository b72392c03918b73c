"""The Merkle tree of RFC 9162, and the leaf of a round in a sealed day."""

from __future__ import annotations

from hashlib import sha256

import pytest

from domain.merkle import EMPTY, leaf_hash, path, root, root_from_path
from domain.seals import Inclusion, leaf_of

COUNTS = (1, 2, 3, 4, 5, 7, 8, 13, 33)

# The first eight inputs of the test vectors of Certificate Transparency, and the roots over the first n of them.
INPUTS = [bytes.fromhex(text) for text in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def by_definition(leaves: list[bytes]) -> bytes:
    """As section 2.1.1 writes it, without a thought for speed."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256().digest()
    left = 1
    while left * 2 < len(leaves):
        left *= 2
    return sha256(b"\x01" + by_definition(leaves[:left]) + by_definition(leaves[left:])).digest()


def some(count: int) -> list[bytes]:
    return [leaf_hash(bytes([nth])) for nth in range(count)]


def test_roots_are_those_of_the_published_vectors() -> None:
    leaves = [leaf_hash(one) for one in INPUTS]
    assert tuple(root(leaves[: nth + 1]).hex() for nth in range(8)) == ROOTS
    assert root([]) == EMPTY


@pytest.mark.parametrize("count", COUNTS)
def test_each_leaf_has_a_path_to_the_root_and_to_no_other_place(count: int) -> None:
    leaves = some(count)
    assert root(leaves) == by_definition(leaves)
    for index, leaf in enumerate(leaves):
        siblings = path(leaves, index)
        assert root_from_path(leaf, index, count, siblings) == root(leaves)
        for other in range(count):
            if other != index:
                assert _led(leaf, other, count, siblings) != root(leaves)
        assert root_from_path(leaf_hash(b"?"), index, count, siblings) != root(leaves)


def _led(leaf: bytes, index: int, count: int, siblings: tuple[bytes, ...]) -> bytes | None:
    try:
        return root_from_path(leaf, index, count, siblings)
    except ValueError:
        return None


def test_a_path_of_the_wrong_length_is_refused() -> None:
    leaves = some(5)
    siblings = path(leaves, 2)
    for wrong in (siblings[:-1], (*siblings, leaves[0])):
        with pytest.raises(ValueError, match="the path is too"):
            root_from_path(leaves[2], 2, 5, wrong)
    with pytest.raises(ValueError, match="leaf 5 of 5"):
        root_from_path(leaves[2], 5, 5, siblings)
    with pytest.raises(IndexError):
        path(leaves, 5)


def test_a_node_is_never_a_leaf() -> None:
    """Otherwise a tree of two would pass for a leaf of half as many."""
    one, other = some(2)
    assert leaf_hash(one + other) != root([one, other])


def test_the_leaf_of_a_round_depends_on_each_of_its_parts_and_on_where_one_ends() -> None:
    salt, events = bytes(32), ((1, bytes(32)), (2, b"\x01" * 32))
    made = {
        leaf_of("op", "r1", salt, events),
        leaf_of("o", "pr1", salt, events),
        leaf_of("op", "r1", b"\x01" * 32, events),
        leaf_of("op", "r1", salt, events[:1]),
        leaf_of("op", "r1", salt, (events[0], (3, events[1][1]))),
        leaf_of("op", "r1", salt, tuple(reversed(events))),
    }
    assert len(made) == 6


def test_an_inclusion_leads_to_the_root_of_its_day() -> None:
    events = ((7, b"\x07" * 32),)
    own = leaf_of("op", "r", bytes(32), events)
    leaves = [*some(4), own]
    shown = Inclusion("op", "r", bytes(32), events, 4, 5, path(leaves, 4))
    assert shown.root() == root(leaves)
