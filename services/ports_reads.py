"""What the queries need from outside: read models and the log, as one operator may see them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol, TypeVar

from domain.access import AccessLine
from domain.chain import RawEvent
from domain.keys import KeyFacts
from domain.views.model import RowKey
from services.ports import Recorded, Text

R = TypeVar("R")

NamedEvent = tuple[str, Recorded]
"""An event with its stable name."""


class Snapshot(Protocol):
    """One moment of one operator's data; everything read through it fits together."""

    @property
    def position(self) -> int:
        """The position that the models asked for have reached, the least of them; or how far the log can be seen."""

    async def get(self, model: str, key: RowKey, cls: type[R]) -> R | None:
        """One row."""

    async def get_many(self, model: str, keys: Collection[RowKey], cls: type[R]) -> Mapping[RowKey, R]:
        """Those of the rows that exist."""

    async def scan(
        self,
        model: str,
        cls: type[R],
        first: RowKey,
        end: RowKey,
        *,
        limit: int,
        newest_first: bool = False,
    ) -> Sequence[tuple[RowKey, R]]:
        """At most `limit` rows from `first` (included) to `end` (not included), from the end back if so wanted."""

    async def head(self) -> int:
        """The position of the operator's last event, 0 when there is none."""

    async def events(self, after: int, limit: int) -> Sequence[NamedEvent]:
        """At most `limit` events of the operator past a position, in order."""

    async def events_like(self, after: int, limit: int, name: str, stream: str) -> tuple[Sequence[NamedEvent], int]:
        """The same of those whose name and stream (without its operator) begin so, looked for among the next some
        thousand; and the position up to which all were looked at.
        """

    async def before(self, at: datetime) -> int:
        """A position that has all the operator's events recorded before a time up to it, and all others past it."""

    async def events_of(
        self,
        streams: Collection[str],
        prefix: str,
        positions: Collection[int],
        *,
        after: int = 0,
        limit: int | None = None,
    ) -> Sequence[NamedEvent]:
        """The events of some streams, of all streams that begin with `prefix`, and at some positions, in order; at most
        `limit` of those past a position.
        """

    async def events_in(self, streams: Collection[str], positions: Collection[int]) -> Sequence[NamedEvent]:
        """All events of some streams, and those of the operator at some positions, in order."""

    async def stored(self, positions: Collection[int]) -> Sequence[RawEvent]:
        """The operator's events at some positions as they are stored, in order."""

    async def hashes_before(self, positions: Collection[int]) -> Mapping[int, bytes]:
        """By the position of an event of the operator, the chain's hash before it, which may be of another operator's
        event and tells nothing of it. No others are given, and none before the first event of the log.
        """

    async def hashes_until(self, stream: str, prefix: str, position: int) -> Sequence[tuple[int, bytes]]:
        """Position and hash of the events of a stream, and of all streams that begin with `prefix`, up to a position,
        in order.
        """

    async def streams_under(self, prefix: str, after: str, limit: int | None) -> Sequence[str]:
        """At most `limit` streams that begin with `prefix` and come after `after` ("": from the first), in order."""

    async def last_of(self, stream: str, until: int | datetime | None, count: int) -> Sequence[Recorded]:
        """The last `count` events of a stream up to a position or a time, newest first."""

    async def four_eyes(self) -> str | None:
        """How the operator has two persons agree (`named` or `strict`), None where nothing was ever set."""

    async def keys(self) -> Sequence[KeyFacts]:
        """All keys of the operator, the newest first."""

    async def accesses(
        self, before: int, kind: str | None, begin: datetime | None, end: datetime | None, *, limit: int
    ) -> Sequence[tuple[int, AccessLine]]:
        """At most `limit` lines of the access log with numbers below `before`, with them, the newest first."""

    async def texts(self, messages: Collection[str]) -> Mapping[str, Text]:
        """The texts of chat messages that are still kept, by the message."""


class Bell(Protocol):
    """Tells that the log has grown, sooner or later: it may ring once for many events, and in vain."""

    @property
    def count(self) -> int:
        """How often it has rung."""

    def listening(self) -> AbstractAsyncContextManager[None]:
        """It rings while somebody is within."""

    async def rung(self, seen: int) -> None:
        """Until it has rung more often than `seen`."""


class Views(Protocol):
    """Where queries read."""

    def reading(
        self, operator: str, models: Collection[str], min_position: int | None = None
    ) -> AbstractAsyncContextManager[Snapshot]:
        """Begin to read for one operator, when the models have reached `min_position`.

        Waits for that up to 5 s, then raises Unavailable; also when the database cannot be had.
        """

    def reading_log(self, operator: str, min_position: int | None = None) -> AbstractAsyncContextManager[Snapshot]:
        """The same for what is read from the log alone, which is never behind: no model is waited for."""
