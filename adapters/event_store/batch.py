"""A batch of events and idempotency records as the parameters of the one append."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adapters.codec import CODEC, CodecError
from adapters.event_store.arrays import bigints, blobs, integers, texts
from adapters.event_store.tail import Tail
from domain.chain import link
from domain.ids import stream_operator
from services.ports import KeyRecord, Pending, Text

EVENT_BYTES_MAX: Final = 8 * 1024 * 1024
"""The most bytes that one event may take, stored."""


PIECE: Final = 200
"""Events of one statement at most: of a large batch the server stores one piece while the next is encoded."""


class Batch:
    """Encodes events, numbered and chained behind `tail`, one piece of them after the other."""

    def __init__(self, tail: Tail) -> None:
        self.position = tail.position
        self.hash = tail.hash
        self.sequences = dict(tail.sequences)

    def parameters(self, events: Sequence[Pending]) -> list[bytes]:
        """The next piece in the order of the columns: stream, version, name, state, position, sequence, hash. Raises
        CodecError for an event that cannot be stored.
        """
        names: list[str] = []
        states: list[bytes] = []
        numbers: list[int] = []
        hashes: list[bytes] = []
        encode, sequences, position, chained = CODEC.encode, self.sequences, self.position, self.hash
        for stream, version, event, entry, meta, recorded_at in events:
            name, state = encode(event, meta, entry, recorded_at)
            if len(state) > EVENT_BYTES_MAX:
                raise CodecError(f"{name} takes {len(state)} bytes, at most {EVENT_BYTES_MAX} are stored")
            operator = stream_operator(stream)
            sequences[operator] = sequence = sequences[operator] + 1
            position += 1
            chained = link(
                chained, stream=stream, version=version, name=name, position=position, sequence=sequence, state=state
            )
            names.append(name)
            states.append(state)
            numbers.append(sequence)
            hashes.append(chained)
        self.position, self.hash = position, chained
        return [
            texts([one.stream for one in events]),
            bigints([one.version for one in events]),
            texts(names),
            blobs(states),
            bigints(range(self.position - len(events) + 1, self.position + 1)),
            bigints(numbers),
            blobs(hashes),
        ]


def pieces_of(events: Sequence[Pending]) -> list[Sequence[Pending]]:
    """The events of each statement, in order; one without any where there are none."""
    return [events[start : start + PIECE] for start in range(0, len(events), PIECE)] or [events]


def record_parameters(records: Sequence[KeyRecord]) -> list[bytes]:
    """In the order of the columns: operator, scope, key, fingerprint, status, body, position."""
    operators, scopes, keys = zip(*(record.key for record in records), strict=True) if records else ((), (), ())
    return [
        texts(operators),
        texts(scopes),
        texts(keys),
        blobs([record.fingerprint for record in records]),
        integers([record.status for record in records]),
        blobs([record.body for record in records]),
        bigints([record.position for record in records]),
    ]


def text_parameters(kept: Sequence[Text]) -> list[bytes]:
    """In the order of the columns: operator, message, text, salt, posted_at."""
    return [
        texts(one.operator for one in kept),
        texts(one.message for one in kept),
        texts(one.text for one in kept),
        texts(one.salt for one in kept),
        texts(one.posted_at.isoformat() for one in kept),
    ]
