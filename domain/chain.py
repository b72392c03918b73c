"""The hash chain over the event log, as anyone can recompute it.

    hash = SHA-256( field(previous hash) field(stream) field(version) field(name)
                    field(position) field(operator sequence) field(stored bytes) )

where `field(x)` is the length of `x` in bytes as a 4-byte big-endian number, followed by `x`; texts are UTF-8,
numbers are 8-byte big-endian. Before the first event the hash is 32 zero bytes. The position counts all events from
1 without a gap, the operator sequence those of one operator, the version those of one stream.
"""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import Final, NamedTuple

GENESIS: Final = bytes(32)
"""The hash before the first event."""

_PREVIOUS_AND_STREAM: Final = Struct(">I32sI").pack
_VERSION_AND_NAME: Final = Struct(">IQI").pack
_POSITION_SEQUENCE_AND_STATE: Final = Struct(">IQIQI").pack


class RawEvent(NamedTuple):
    """An event as it is stored, undecoded."""

    position: int
    stream: str
    version: int
    name: str
    state: bytes
    operator: str
    sequence: int
    hash: bytes


def link(previous: bytes, *, stream: str, version: int, name: str, position: int, sequence: int, state: bytes) -> bytes:
    """The hash of the event that follows the one whose hash is `previous`."""
    stream_bytes, name_bytes = stream.encode(), name.encode()
    return sha256(
        b"".join(
            (
                _PREVIOUS_AND_STREAM(32, previous, len(stream_bytes)),
                stream_bytes,
                _VERSION_AND_NAME(8, version, len(name_bytes)),
                name_bytes,
                _POSITION_SEQUENCE_AND_STATE(8, position, 8, sequence, len(state)),
                state,
            )
        )
    ).digest()
