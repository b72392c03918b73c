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


class Batch:
    """Encoded, numbered and chained behind `tail`. Raises CodecError for an event that cannot be stored."""

    def __init__(self, events: Sequence[Pending], tail: Tail) -> None:
        self.position = tail.position
        self.hash = tail.hash
        self.sequences = dict(tail.sequences)
        self._events = events
        self._names: list[str] = []
        self._states: list[bytes] = []
        self._numbers: list[int] = []
        self._hashes: list[bytes] = []
        for event in events:
            self._add(event)

    def _add(self, pending: Pending) -> None:
        name, state = CODEC.encode(pending.event, pending.meta, pending.entry, pending.recorded_at)
        if len(state) > EVENT_BYTES_MAX:
            raise CodecError(f"{name} takes {len(state)} bytes, at most {EVENT_BYTES_MAX} are stored")
        stream = pending.stream
        operator = stream_operator(stream)
        sequence = self.sequences[operator] + 1
        self.position += 1
        self.hash = link(
            self.hash,
            stream=stream,
            version=pending.version,
            name=name,
            position=self.position,
            sequence=sequence,
            state=state,
        )
        self.sequences[operator] = sequence
        self._names.append(name)
        self._states.append(state)
        self._numbers.append(sequence)
        self._hashes.append(self.hash)

    def event_parameters(self) -> list[bytes]:
        """In the order of the columns: stream, version, name, state, position, sequence, hash."""
        return [
            texts(event.stream for event in self._events),
            bigints([event.version for event in self._events]),
            texts(self._names),
            blobs(self._states),
            bigints(range(self.position - len(self._events) + 1, self.position + 1)),
            bigints(self._numbers),
            blobs(self._hashes),
        ]


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
