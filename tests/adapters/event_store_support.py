"""What the tests of the event store share: events to append, logs on a test's own database, a proxy that cuts."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from enum import Enum, auto
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from adapters.event_store import LogReader, PostgresLog
from domain.chain import RawEvent
from domain.ids import stream_operator, wallet_stream
from domain.wallets.events import Deposited, WalletOpened
from services.ports import Key, KeyRecord, Pending, Recorded
from tests.adapters.event_samples import AT, sample_meta
from tests.postgres import Database


def deposits(player: str, versions: Sequence[int], operator: str = "demo", amount: int = 700) -> list[Pending]:
    """Events of one wallet: version 1 opens it, each later one is a deposit."""
    stream, meta = wallet_stream(operator, player), sample_meta(operator)
    return [
        Pending(
            stream,
            version,
            Deposited(player, "EUR", f"t-{version} é", amount, amount * version, 0)
            if version > 1
            else WalletOpened(player, "EUR"),
            0,
            meta,
            AT,
        )
        for version in versions
    ]


def key_record(text: str, position: int = 1, operator: str = "demo", body: bytes | None = b"{}") -> KeyRecord:
    return KeyRecord((operator, "key", text), text.encode(), 201, body, position)


def as_recorded(events: Sequence[Pending], first: int) -> list[Recorded]:
    """What the log must give back for `events` appended from position `first` on."""
    return [
        Recorded(position, p.stream, p.version, p.event, p.entry, p.meta, p.recorded_at)
        for position, p in enumerate(events, first)
    ]


async def put(log: PostgresLog, events: Sequence[Pending], records: Sequence[KeyRecord] = ()) -> int:
    """Append in a turn of its own; the new head."""
    async with log.turn([], None) as turn:
        await turn.append(events, records)
    return turn.head


async def known(log: PostgresLog, keys: Sequence[Key]) -> dict[Key, KeyRecord]:
    async with log.turn(keys, None) as turn:
        return dict(turn.records)


@asynccontextmanager
async def opened(conninfo: str) -> AsyncIterator[PostgresLog]:
    log = PostgresLog(conninfo)
    await log.aopen()
    try:
        yield log
    finally:
        await log.aclose()


def stored(database: Database, page: int = 5_000) -> list[RawEvent]:
    """The whole log, read by the projector."""
    with database.connect("projector") as conn:
        return list(LogReader(conn, page).raw())


def operators_of(rows: Sequence[RawEvent]) -> list[str]:
    return [stream_operator(row.stream) for row in rows]


class CutAt(Enum):
    """Where the connection is cut: the server never gets the message, gets it, or has answered it."""

    BEFORE = auto()
    SENT = auto()
    ANSWERED = auto()


class Proxy:
    """Between a client and the server's socket; cuts once, at the first message with `text`, then never again."""

    def __init__(self, target: str, text: bytes, at: CutAt) -> None:
        self._target = target
        self._text = text
        self._at = at
        self.has_cut = False
        self.served: set[asyncio.Task[None] | None] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.served.add(asyncio.current_task())
        up_reader, up_writer = await asyncio.open_unix_connection(self._target)
        hit = asyncio.Event()
        back = asyncio.create_task(self._back(up_reader, writer, hit))
        forth = asyncio.create_task(self._forth(reader, up_writer, hit))
        await asyncio.wait((back, forth), return_when=asyncio.FIRST_COMPLETED)
        for task in (back, forth):
            task.cancel()
        await asyncio.gather(back, forth, return_exceptions=True)
        writer.close()
        up_writer.close()

    async def _forth(self, client: asyncio.StreamReader, server: asyncio.StreamWriter, hit: asyncio.Event) -> None:
        while data := await client.read(1 << 20):
            if self._text in data and not self.has_cut:
                self.has_cut = True
                hit.set()
            if not hit.is_set() or self._at is not CutAt.BEFORE:
                server.write(data)
                await server.drain()
            if hit.is_set() and self._at is not CutAt.ANSWERED:
                return

    async def _back(self, server: asyncio.StreamReader, client: asyncio.StreamWriter, hit: asyncio.Event) -> None:
        while data := await server.read(1 << 20):
            if hit.is_set():
                return
            client.write(data)
            await client.drain()


@asynccontextmanager
async def proxied(conninfo: str, text: bytes, at: CutAt) -> AsyncIterator[tuple[str, Proxy]]:
    """The connection string through a proxy, and the proxy."""
    parts = conninfo_to_dict(conninfo)
    socket_name = f".s.PGSQL.{parts['port']}"
    proxy = Proxy(f"{parts['host']}/{socket_name}", text, at)
    with tempfile.TemporaryDirectory() as folder:
        server = await asyncio.start_unix_server(proxy.serve, path=Path(folder) / socket_name)
        try:
            yield make_conninfo(conninfo, host=folder), proxy
        finally:
            server.close()
            await asyncio.gather(*(task for task in proxy.served if task), return_exceptions=True)


async def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for it; the test fails when it does not come."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.02)
