"""A sealed gaming day: a Merkle tree over the rounds that ended in it, and proofs that show one round alone.

    data of a leaf = field(salt) field(operator) field(round) field(position) field(hash) field(position) ...

where `field(x)` is the length of `x` in bytes as a 4-byte big-endian number, followed by `x`; texts are UTF-8,
positions 8-byte big-endian; each hash is that of a stored event (domain/chain.py), of the round's own stream and of
its seats', in order of position, up to the day's end. The salt, 32 bytes that only the sealer knows until a proof
shows them, keeps a path from confirming a guess about a neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from domain.frozen import dataclass
from domain.merkle import leaf_hash, root_from_path

SALT_BYTES: Final = 32
HASH_BYTES: Final = 32
ENDED: Final = ("round.settled.v1", "round.cancelled.v1", "round.voided.v1")
"""The first of these in a round is its end, and the time of that event says to which day the round belongs."""

_LENGTH: Final = Struct(">I").pack
_POSITION: Final = Struct(">Q").pack


@dataclass(frozen=True, slots=True)
class Inclusion:
    """That a round is leaf `index` (from 0) of the `rounds` leaves of a day. `events`: position and stored hash."""

    operator: str
    round: str
    salt: bytes
    events: tuple[tuple[int, bytes], ...]
    index: int
    rounds: int
    path: tuple[bytes, ...]

    def root(self) -> bytes:
        """The root that it leads to. ValueError when the path is not as long as it must be."""
        leaf = leaf_of(self.operator, self.round, self.salt, self.events)
        return root_from_path(leaf, self.index, self.rounds, self.path)


def leaf_of(operator: str, round_id: str, salt: bytes, events: Sequence[tuple[int, bytes]]) -> bytes:
    """The hash of a round's leaf."""
    parts = [salt, operator.encode(), round_id.encode()]
    for position, hashed in events:
        parts += [_POSITION(position), hashed]
    return leaf_hash(b"".join(field for part in parts for field in (_LENGTH(len(part)), part)))
