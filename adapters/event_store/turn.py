"""One transaction of the writer, under its lock."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

import psycopg

from adapters.codec import CodecError
from adapters.event_store.arrays import bigint, texts
from adapters.event_store.batch import Batch, pieces_of, record_parameters, text_parameters
from adapters.event_store.rows import Row, decoded, loaded
from adapters.event_store.session import Session, Statement
from adapters.event_store.statements import NEWS_MAX, Sql
from adapters.event_store.tail import Tail
from domain.carrying import CARRIED_KINDS
from domain.ids import stream_kind, stream_operator
from services.ports import Key, KeyRecord, Loaded, LogUnavailable, OutcomeUnknown, Pending, Recorded, Text

_LOGGER: Final = logging.getLogger("studbook.event_store")


class PostgresTurn:
    """See services.ports.Turn. Made by `PostgresLog.turn`; any error of it ends the connection."""

    def __init__(self, session: Session, tail: Tail) -> None:
        self._session = session
        self._tail = tail
        self._news: Sequence[Recorded] | None = None
        self._records: dict[Key, KeyRecord] = {}
        self.is_open = True

    @property
    def head(self) -> int:
        """Position of the last event, 0 when there is none."""
        return self._tail.position

    @property
    def news(self) -> Sequence[Recorded] | None:
        """What was appended past `after`; None when it is too much, or when it cannot all be read."""
        return self._news

    @property
    def records(self) -> Mapping[Key, KeyRecord]:
        """The idempotency records that were asked for and exist."""
        return self._records

    @property
    def last_recorded_at(self) -> datetime | None:
        """When the last event was recorded; None in an empty log. Raises NewerEvent."""
        return self._tail.recorded_at

    async def begin(self, keys: Collection[Key], after: int | None) -> None:
        """Take the lock and read, in one round trip. Raises psycopg.Error or NewerEvent."""
        known = after is not None and after == self._tail.position
        statements: list[Statement] = [(Sql.BEGIN, ()), (Sql.LOCK, ())]
        statements.append((Sql.HEAD, ()) if after is None else (Sql.NEWS, [bigint(after + known)]))
        if keys:
            statements.append((Sql.RECORDS, [texts(part) for part in zip(*keys, strict=True)]))
        _, _, log, *records = await self._session.run(*statements)
        rows = [Row(*row) for row in log]
        for operator, scope, key, *rest in records[0] if records else ():
            self._records[operator, scope, key] = KeyRecord((operator, scope, key), *rest)
        if after is None:
            self._tail.jump(rows[0] if rows else None)
        else:
            await self._take(rows, after, known=known)

    async def _take(self, rows: Sequence[Row], after: int, *, known: bool) -> None:
        """The news past `after`; when `after` was not known to be the head, `rows` begin with the event there."""
        if not known and after > 0:
            rooted = bool(rows) and rows[0].position == after
            news = rows[1:]
        else:
            rooted, news = True, rows
        if not rooted or len(news) > NEWS_MAX or after > self._tail.position > 0:
            await self._start_over()
            return
        self._tail.follow(rows)
        try:
            self._news = await decoded(news)
        except CodecError as error:
            _LOGGER.error("what others appended cannot all be read, cached states are dropped: %s", error)

    async def _start_over(self) -> None:
        (heads,) = await self._session.run((Sql.HEAD, ()))
        self._tail.jump(Row(*heads[0]) if heads else None)

    async def load(self, streams: Collection[str], prefixes: Collection[str]) -> Loaded:
        """The events of `streams`, and of all streams whose name begins with one of `prefixes`, in one query. A stream
        that holds closing entries comes from its newest one on.
        """
        lows = sorted(set(prefixes))
        single = sorted(name for name in set(streams) if not name.startswith(tuple(lows)))
        carried = [name for name in single if stream_kind(name) in CARRIED_KINDS]
        whole = [name for name in single if stream_kind(name) not in CARRIED_KINDS]
        highs = [low[:-1] + chr(ord(low[-1]) + 1) for low in lows]
        try:
            arrays = [texts(one) for one in (whole, lows, highs, carried)]
            (found,) = await self._session.run((Sql.STREAMS, arrays))
        except psycopg.Error as error:
            raise LogUnavailable(f"the log cannot be read: {_one_line(error)}") from error
        return await loaded([Row(*row) for row in found])

    async def append(self, events: Sequence[Pending], records: Sequence[KeyRecord], texts: Sequence[Text] = ()) -> None:
        """Append all, with records and texts, notify and commit, in one round trip. See services.ports.Turn.

        Of many events the server stores one piece while the next is encoded; nobody waits for its answer before the
        commit's.
        """
        if not self.is_open:
            raise RuntimeError("a turn appends once")
        self.is_open = False
        try:
            await self._learn_sequences({stream_operator(event.stream) for event in events})
            batch = Batch(self._tail)
            *first, rest = pieces_of(events)
            for piece in first:
                self._session.send((Sql.ADD, batch.parameters(piece)))
            last = [*batch.parameters(rest), *record_parameters(records), bigint(batch.position)]
        except CodecError as error:
            _LOGGER.critical("a batch cannot be stored: %s", error)
            raise LogUnavailable(f"the batch cannot be stored: {error}") from error
        except psycopg.Error as error:
            raise LogUnavailable(f"the log cannot be read: {_one_line(error)}") from error
        kept: list[Statement] = [(Sql.KEEP, text_parameters(texts))] if texts else []
        try:
            await self._session.run(*kept, (Sql.APPEND, last), (Sql.COMMIT, ()))
        except psycopg.Error as error:
            raise _outcome(error) from error
        if events:
            self._tail.advance(batch.position, batch.hash, events[-1].recorded_at, batch.sequences)

    async def _learn_sequences(self, operators: set[str]) -> None:
        missing = sorted(operators - self._tail.sequences.keys())
        if missing:
            (found,) = await self._session.run((Sql.SEQUENCES, [texts(missing)]))
            self._tail.sequences.update(found)

    async def end(self) -> None:
        """End a turn that wrote nothing."""
        self.is_open = False
        await self._session.run((Sql.COMMIT, ()))


def _outcome(error: psycopg.Error) -> LogUnavailable | OutcomeUnknown:
    """What an error of append and COMMIT tells.

    A plain ERROR from the server means that the transaction was rolled back. Anything else (a lost connection, a
    server that ends the session) may have come before or after the commit.
    """
    if error.sqlstate is None or error.diag.severity_nonlocalized != "ERROR":
        return OutcomeUnknown(f"the connection was lost while committing: {_one_line(error)}")
    if isinstance(error, psycopg.errors.UniqueViolation):
        _LOGGER.critical("an event or record is there already, so the writer's state was wrong: %s", _one_line(error))
    return LogUnavailable(f"the log did not take the events: {_one_line(error)}")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
