"""The deliverer: one process per database calls the webhooks of all operators.

It holds a session lock; a second deliverer waits for it. It is woken by the writer's NOTIFY and by changes of
webhooks, and looks by itself every second. Each endpoint is followed by a task of its own, so that one which is slow or
dead holds nobody up. How far each is stands in the database: whatever kills the process, what was not noted is sent
again under the same id.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import PoolTimeout

from adapters.database.connections import connect_async
from adapters.database.errors import DatabaseUnreachable
from adapters.database.locks import DELIVERER_LOCK
from adapters.database.pools import request_pool
from adapters.database.settings import QUICK_PLANS
from adapters.deliverer.following import TYPE_PREFIX, Counts, Endpointed, Follower, Sending
from adapters.deliverer.store import DelivererStore, Endpoint, Order
from adapters.event_store.statements import CHANNEL
from domain.webhooks import PING_TYPE, Try

HOOKS: Final = "studbook_webhooks"
"""Where a change of webhooks is announced."""

POOL: Final = 4
POLL_SECONDS: Final = 1.0
PACE_SECONDS: Final = 0.03
LOOK_SECONDS: Final = 2.0
FIGURES_SECONDS: Final = 2.0
FORGET_SECONDS: Final = 600.0
LAST_SECONDS: Final = 4.0
"""For calls that are under way when it is stopped."""

_LOCK_SECONDS: Final = 0.2
_PAUSE_FIRST, _PAUSE_MOST = 0.1, 5.0
_SESSION: Final = {"enable_seqscan": "off", "enable_sort": "off", **QUICK_PLANS}

log = logging.getLogger("studbook.deliverer")

_Key = tuple[str, str]


class Deliverer:
    """Works until `stop` is set; errors are logged and waited out. `conninfo` is the projector's login; `ping` makes
    the body of a ping (message, operator, webhook)."""

    def __init__(self, conninfo: str, sending: Sending, ping: Callable[[str, str, str], bytes]) -> None:
        self._conninfo = conninfo
        self._sending = sending
        self._ping = ping
        self._counts = Counts()
        self._pool = request_pool(conninfo, POOL, "studbook deliverer", _SESSION, autocommit=True)
        self._store = DelivererStore(self._pool)
        self._followers: dict[_Key, tuple[Follower, asyncio.Task[None]]] = {}
        self._ordered: dict[tuple[str, str, str], asyncio.Task[None]] = {}
        self._head = 0
        self._is_listening = False
        self._due = {"look": 0.0, "figures": 0.0, "forget": 0.0}

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver until `stop` is set."""
        pause = _PAUSE_FIRST
        await self._pool.open()
        try:
            while not stop.is_set():
                try:
                    async with await connect_async(self._conninfo) as conn:
                        if await self._have_lock(conn, stop):
                            pause = _PAUSE_FIRST
                            await self._work(conn, stop)
                            continue
                except (psycopg.Error, DatabaseUnreachable, PoolTimeout) as fault:
                    log.warning("the deliverer waits for the database: %s", " ".join(str(fault).split()))
                except Exception as fault:  # nothing may end the loop
                    log.error("the deliverer failed: %s: %s", type(fault).__name__, fault)
                await _until(stop, pause)
                pause = min(pause * 2, _PAUSE_MOST)
        finally:
            await self._pool.close()

    async def _have_lock(self, conn: AsyncConnection, stop: asyncio.Event) -> bool:
        while not stop.is_set():
            row = await (await conn.execute("SELECT pg_try_advisory_lock(%s)", [DELIVERER_LOCK])).fetchone()
            if row is not None and row[0]:
                return True
            await _until(stop, _LOCK_SECONDS)
        return False

    async def _work(self, conn: AsyncConnection, stop: asyncio.Event) -> None:
        await conn.execute(f"LISTEN {HOOKS}".encode())
        self._due = {"look": 0.0, "figures": 0.0, "forget": 0.0}
        self._is_listening = False
        try:
            while not stop.is_set():
                await self._regular()
                await self._listen(conn)
                async for notice in conn.notifies(timeout=POLL_SECONDS, stop_after=1):
                    if notice.channel == HOOKS:
                        self._due["look"] = 0.0
                await self._tell_news()
                await asyncio.sleep(PACE_SECONDS)
        finally:
            await self._end()

    async def _regular(self) -> None:
        """What is due by the clock."""
        if self._is_due("look", LOOK_SECONDS):
            await self._look()
            await self._take_orders()
        if self._is_due("figures", FIGURES_SECONDS):
            await self._store.figures(self._counts.delivered, self._counts.failed)
        if self._is_due("forget", FORGET_SECONDS):
            await self._store.forget()

    def _is_due(self, what: str, seconds: float) -> bool:
        now = time.monotonic()
        if now < self._due[what]:
            return False
        self._due[what] = now + seconds
        return True

    async def _listen(self, conn: AsyncConnection) -> None:
        """Hear of new events while there is somebody to tell: without webhooks a busy log costs nothing here."""
        if bool(self._followers) != self._is_listening:
            self._is_listening = not self._is_listening
            await conn.execute(f"{'LISTEN' if self._is_listening else 'UNLISTEN'} {CHANNEL}".encode())
            self._head = await self._store.head()
            for follower, _ in self._followers.values():
                follower.news.set()  # for what came while nobody listened

    async def _tell_news(self) -> None:
        """Wake the endpoints of operators that have new events."""
        if not self._is_listening:
            return
        news = await self._store.news(self._head)
        self._head = max([self._head, *news.values()])
        for (operator, _), (follower, _) in self._followers.items():
            if operator in news:
                follower.news.set()

    async def _look(self) -> None:
        """Follow what is new or was changed, and no longer what is gone."""
        wanted = {one.key: one for one in await self._store.endpoints()}
        for key, (follower, task) in list(self._followers.items()):
            if key not in wanted or wanted[key].run != follower.endpoint.run:
                follower.stop()
                self._due["look"] = time.monotonic() + _LOCK_SECONDS  # its next run begins when this one has ended
            if task.done():
                del self._followers[key]
        for key, endpoint in wanted.items():
            if key not in self._followers:
                self._follow(endpoint)

    def _follow(self, endpoint: Endpoint) -> None:
        """One endpoint more; what is wrong with it is its own and stops no other."""
        try:
            follower = Follower(self._store, self._sending, self._counts, endpoint)
        except Exception as fault:
            log.error("webhook %s of %s cannot be followed: %s", *reversed(endpoint.key), type(fault).__name__)
            return
        self._followers[endpoint.key] = follower, asyncio.create_task(follower.run())

    async def _take_orders(self) -> None:
        self._ordered = {key: task for key, task in self._ordered.items() if not task.done()}
        for order in await self._store.orders():
            key = order.operator, order.webhook, order.message
            if key not in self._ordered:
                self._ordered[key] = asyncio.create_task(self._carry_out(order))

    async def _carry_out(self, order: Order) -> None:
        try:
            tried = await self._sent(order)
            await self._store.order_done(order, tried)
        except psycopg.errors.ForeignKeyViolation:
            log.info("webhook %s is gone, and with it what it had ordered", order.webhook)
        except Exception as fault:  # it is still there, and taken up again
            log.warning("an order of webhook %s waits: %s", order.webhook, type(fault).__name__)

    async def _sent(self, order: Order) -> Try:
        calls = Endpointed(self._store, self._sending, self._counts, (order.operator, order.webhook), order.url)
        try:
            await calls.learn_secrets()
            type_, body = await self._asked_for(order)
            tried, _ = await calls.send(order.message, type_, body, position=order.position, attempt=1)
        finally:
            await calls.aclose()
        return tried

    async def _asked_for(self, order: Order) -> tuple[str, bytes]:
        if order.position is None:
            return PING_TYPE, self._ping(order.message, order.operator, order.webhook)
        row = await self._store.event(order.operator, order.position)
        if row is None:
            raise LookupError(f"no event at {order.position}")
        return TYPE_PREFIX + row.name, self._sending.render(row)

    async def _end(self) -> None:
        """Let calls that are under way come to an end, for a moment."""
        tasks = [*(task for _, task in self._followers.values()), *self._ordered.values()]
        for follower, _ in self._followers.values():
            follower.stop()
        if tasks:
            await asyncio.wait(tasks, timeout=LAST_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._followers.clear()
        self._ordered.clear()


async def _until(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        pass
