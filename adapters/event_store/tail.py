"""What the writer knows of the log's end; valid until the connection is lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from adapters.codec import CODEC, CodecError
from adapters.event_store.rows import Row
from domain.chain import GENESIS
from domain.ids import stream_operator


class Tail:
    """Head position, its hash and time, and the last sequence of each operator that was needed so far."""

    def __init__(self) -> None:
        self.position = 0
        self.hash = GENESIS
        self.sequences: dict[str, int] = {}
        self._row: Row | None = None
        self._recorded_at: datetime | None = None

    @property
    def recorded_at(self) -> datetime | None:
        """When the head was recorded; None in an empty log, or when the head cannot be read. Raises NewerEvent."""
        if self._row is not None:
            try:
                self._recorded_at = CODEC.decode(self._row.name, self._row.state).recorded_at
            except CodecError:
                self._recorded_at = None
            self._row = None
        return self._recorded_at

    def follow(self, rows: Sequence[Row]) -> None:
        """Take in the rows right behind (or before) the known head, in order of position."""
        for row in rows:
            if row.position > self.position and (operator := stream_operator(row.stream)) in self.sequences:
                self.sequences[operator] = row.sequence
        if rows and rows[-1].position > self.position:
            self._take(rows[-1])

    def jump(self, head: Row | None) -> None:
        """Start anew from the log's last row; None when the log is empty."""
        self.sequences.clear()
        self.position, self.hash, self._row, self._recorded_at = 0, GENESIS, None, None
        if head is not None:
            self._take(head)

    def advance(self, position: int, last_hash: bytes, recorded_at: datetime, sequences: dict[str, int]) -> None:
        """Behind an append of our own."""
        self.position, self.hash, self._row, self._recorded_at = position, last_hash, None, recorded_at
        self.sequences.update(sequences)

    def _take(self, row: Row) -> None:
        self.position, self.hash, self._row = row.position, row.hash, row
