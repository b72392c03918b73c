"""The served application: command routes in front, FastAPI's reads behind, one house per process."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
from fastapi import Depends, FastAPI
from psycopg_pool import AsyncConnectionPool
from starlette.types import ASGIApp, Scope

from adapters.chat_texts import ChatTexts
from adapters.clock import SystemClock, SystemIds
from adapters.database.errors import StartRefused
from adapters.database.pools import request_pool
from adapters.database.settings import Role
from adapters.event_store import LogBell, PostgresLog
from adapters.round_watch import RoundWatch
from adapters.shoe import Shoe
from adapters.vault import Vault
from adapters.view_store import ViewStore
from api import health, oauth, pages
from api.auth import Principal
from api.auth_gate import AuthGate, open_path
from api.dispatcher import Dispatcher
from api.fields import EXPONENTS
from api.logs.setup import configure
from api.main.anchor_figures import anchor_figures
from api.main.clock_check import refuse_behind
from api.main.condition import condition
from api.main.doors import Doors, doors, templates_of
from api.main.environment import (
    SERVE_PID,
    Environment,
    anchor_folder,
    build_hash,
    environment,
    operators_zone,
    software_version,
    webhook_networks,
)
from api.main.evidence_reads import evidence_of
from api.main.figures import Floor, LoopLag, figures, metrics_token, name_software, refresher
from api.main.garbage import settle_down
from api.main.hooks import Hooks, hooks_of
from api.main.leaving import LEAVING, PUT_AWAY_SECONDS, end_with_parent
from api.main.limited import rates
from api.main.observing import observed, turn_seen
from api.main.protocol import Protocol
from api.main.tracing import Tracing, tracing
from api.main.watching import seen
from api.main.workers import WORKERS_DIR, Workers
from api.openapi import document
from api.orders import Orders
from api.problems import REQUEST_ID, install
from api.rates import Rates
from api.reads import Readers, no_parameter_twice, read_routers
from api.route_table import CommandRoute
from api.routes import command_routes
from api.routes.exports import export_routes
from api.routes.keys import key_routes
from api.routes.webhooks import webhook_routes
from api.streams import Streams
from services.desk import Tools
from services.following import Following
from services.house import House
from services.ports import LogUnavailable, NewerEvent
from services.queries import Reads, is_strict
from services.retention import Retention
from services.timers import Seen, Timers

KEY_POOL: Final = 2
"""Connections for looking keys up, in one process."""

READ_POOL: Final = 6
"""Connections for reads, in one process."""

AGAIN_SECONDS: Final = 1.0
"""Between two tries to reach a database that is away."""

AWAY: Final = "the database is away and the clock not yet checked; nothing happened, send the same request again"
"""Why a process that started without its database takes no commands."""

log = logging.getLogger("studbook.api")


@dataclass(frozen=True, slots=True)
class Parts:
    """What one serving process is made of."""

    env: Environment
    store: PostgresLog
    house: House
    pool: AsyncConnectionPool
    views: ViewStore
    vault: Vault
    watch: RoundWatch
    timers: Timers
    orders: Orders
    retention: Retention
    workers: Workers
    lag: LoopLag
    tracing: Tracing | None
    hooks: Hooks


def create_app() -> ASGIApp:
    """What uvicorn serves; everything is told by the environment."""
    configure("api")
    parts = _parts(environment())

    async def who(header: bytes | None) -> Principal:
        return await entry.ring.principal(header)

    streams = Streams(who)
    Protocol.told_to_stop = streams.stop
    readers = _readers(parts, streams)
    probe = functools.partial(condition, parts.house, parts.pool, parts.watch.head)
    told = figures(probe, parts.workers, metrics_token(), anchor_figures(anchor_folder()))
    reads = (health.router(probe, told), *read_routers(readers))
    entry = doors(parts.env, parts.pool, templates_of(route for router in reads for route in router.routes))
    app = FastAPI(
        title="studbook",
        version=software_version(),
        lifespan=_lifespan(parts, entry),
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
    )
    install(app)
    pages.install(app)
    for router in reads:
        app.include_router(router, dependencies=[Depends(no_parameter_twice)])
    limits = rates()
    app.include_router(oauth.router(oauth.TokenOffice(entry.ring, entry.tokens, entry.door, limits)))
    plain_http = bool(webhook_networks())
    made = (*command_routes(parts.orders), *key_routes(entry.desk))
    hooks = parts.hooks
    hooks.notes.access = entry.access
    of_webhooks = webhook_routes(hooks.webhooks, hooks.once, plain_http)
    of_hooks = (*of_webhooks, *export_routes(hooks.exports, hooks.once))
    routes = (*made, *of_hooks)
    described = functools.cache(lambda: document(app, reads, routes))  # a third of a start, so when first asked for
    app.openapi = described  # type: ignore[method-assign]  # FastAPI's documented way to replace the document
    return observed(_front(app, routes, entry, limits), parts.tracing)


def _front(app: FastAPI, routes: tuple[CommandRoute[Any], ...], entry: Doors, limits: Rates) -> ASGIApp:
    def admitted(who: Principal, scope: Scope) -> None:
        entry.door.used(who, scope, None, scope.get(REQUEST_ID))

    gate = AuthGate(app, entry.ring, open_path, limits, admitted)
    return Dispatcher(gate, routes, entry.ring, rates=limits, door=entry.door)


def _readers(parts: Parts, streams: Streams) -> Readers:
    reads = Reads(parts.views, SystemClock(), EXPONENTS)
    bell = LogBell(parts.env.settings.conninfo(Role.REQUEST, "studbook followers"))
    made = (reads, parts.vault, Following(reads, bell), streams)
    return Readers(*made, parts.hooks.webhooks, evidence_of(parts.env), parts.hooks.exports)


def _parts(env: Environment) -> Parts:
    clock, ids = SystemClock(), SystemIds()
    store = PostgresLog(env.settings.conninfo(Role.WRITER, "studbook house"))
    vault = env.vault()
    tools = Tools(Shoe(), vault, EXPONENTS.__getitem__, software_version(), build_hash(), operators_zone())
    traces = tracing(tools.software_version)
    house = House(store, clock, ids, tools, orjson.dumps, seen=turn_seen(traces))
    name_software(tools.software_version, tools.build)
    pool = request_pool(
        env.settings.conninfo(Role.REQUEST, "studbook keys"), KEY_POOL, "studbook keys", autocommit=True
    )
    views = ViewStore(env.settings.conninfo(Role.REQUEST, "studbook reads"), READ_POOL)
    watch = RoundWatch(env.settings.conninfo(Role.PROJECTOR, "studbook timers"))
    floor, lag = Floor(watch.pools), LoopLag()
    timers = Timers(house, lambda: _watched(watch, floor), clock, ids)
    folder, hooks = os.environ.get(WORKERS_DIR), hooks_of(env)
    workers = Workers(
        Path(folder) if folder else None,
        refresher(house, {"keys": pool, "reads": views.pool, "webhooks": hooks.pool}, lag),
    )
    retention = Retention(ChatTexts(env.settings.conninfo(Role.PROJECTOR, "studbook retention")), clock)
    orders = Orders(house, clock, ids, vault.blind, lambda operator: is_strict(views, operator))
    return Parts(env, store, house, pool, views, vault, watch, timers, orders, retention, workers, lag, traces, hooks)


async def _watched(watch: RoundWatch, floor: Floor) -> Seen | None:
    found = await watch.look()
    look = None if found is None else seen(*found)
    await floor.saw(look)
    return look


def _lifespan(parts: Parts, entry: Doors) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        late = []
        if not await _clock_is_checked(parts.store):
            parts.house.stopped_by = AWAY
            late.append(_check_clock_late(parts))
        await parts.pool.open()
        await parts.hooks.pool.open()
        await parts.views.aopen()
        await parts.workers.start()
        await parts.house.start()
        settle_down()
        work = (
            parts.timers.run(), parts.retention.run(), parts.lag.run(), end_with_parent(), *entry.work(), *late
        )  # fmt: skip
        tasks = [asyncio.create_task(one) for one in work]
        try:
            yield
        finally:
            await _put_away(parts, entry, tasks)

    return lifespan


async def _put_away(parts: Parts, entry: Doors, tasks: Sequence[asyncio.Task[None]]) -> None:
    """End everything, without waiting for a database that hangs: nothing that was answered is lost by that."""
    for task in tasks:
        task.cancel()
    ending = asyncio.create_task(_ended(parts, entry, tasks))
    _, late = await asyncio.wait({ending}, timeout=LEAVING.left(PUT_AWAY_SECONDS))
    if late:
        log.warning("the database does not answer: stopped without waiting for it")
        ending.cancel()
        if SERVE_PID in os.environ:  # not within another program, such as a test
            LEAVING.soon()
        await asyncio.wait({ending}, timeout=PUT_AWAY_SECONDS)
        await _let_go(parts, entry)


async def _ended(parts: Parts, entry: Doors, tasks: Sequence[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
    await parts.house.stop()
    await entry.close()
    await parts.watch.close()
    await parts.store.aclose()
    await parts.views.aclose()
    await parts.pool.close()
    await parts.hooks.pool.close()
    await parts.workers.stop()
    if parts.tracing is not None:
        await asyncio.to_thread(parts.tracing.close)


async def _let_go(parts: Parts, entry: Doors) -> None:
    """Close on this side what was not put away: nothing here asks the database, or waits for who has a connection."""
    for close in (parts.watch.close, parts.store.aclose, entry.rows.aclose):
        await close()
    for pool in (parts.views.pool, parts.pool, parts.hooks.pool):
        await pool.close(timeout=0)


async def _clock_is_checked(store: PostgresLog) -> bool:
    """Once more in each serving process, whatever started it; False while the database is away. The store is connected
    afterwards, so that the first command need not wait for that.

    A process that takes the place of a dead one starts all the same, and answers 503 until the database is back.
    """
    try:
        async with store.turn((), None) as turn:
            last = turn.last_recorded_at
    except LogUnavailable as fault:
        log.warning("the database is away, commands and reads are answered 503 until it is back: %s", fault)
        return False
    except NewerEvent as fault:
        raise StartRefused(f"the log holds events of a newer version: {fault}") from None
    refuse_behind(last)
    return True


async def _check_clock_late(parts: Parts) -> None:
    """As soon as the database is back; until then, and when its clock is behind, the process writes nothing."""
    store = PostgresLog(parts.env.settings.conninfo(Role.WRITER, "studbook clock"))  # the house's own is the house's
    try:
        while not await _clock_is_checked(store):
            await asyncio.sleep(AGAIN_SECONDS)
    except StartRefused as fault:
        parts.house.stopped_by = str(fault)
        log.critical("%s", fault)
    else:
        parts.house.stopped_by = None
    finally:
        await store.aclose()
