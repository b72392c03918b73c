"""Figures that nobody counts as they happen: they are looked up when `/metrics` is asked, or by the timers' process."""

from __future__ import annotations

import asyncio
import os
import platform
import re
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from hmac import compare_digest
from typing import Final

from psycopg_pool import AsyncConnectionPool

from adapters.clock import SystemClock
from adapters.database.errors import StartRefused
from adapters.round_watch import PoolFigures
from adapters.steady import STEADY
from api import metrics
from api.errors import Unauthenticated
from api.health import Condition, Probe
from api.main.workers import Workers
from services.house import House
from services.timers import Seen

METRICS_TOKEN: Final = "STUDBOOK_METRICS_TOKEN"
"""Who sends it as `Authorization: Bearer ...` to /metrics is shown what names operators and pools too."""

_TOKEN: Final = re.compile(r"[!-~]{16,256}", re.ASCII)
LOOP_SECONDS: Final = 0.5
_REMEMBERED: Final = 30
POOLS_SECONDS: Final = 5.0
"""How old the shown meters of pools may be."""


def metrics_token(environ: Mapping[str, str] = os.environ) -> str | None:
    """The token of the environment, None where there is none. StartRefused for one that could be guessed."""
    token = environ.get(METRICS_TOKEN) or None
    if token is not None and not _TOKEN.fullmatch(token):
        raise StartRefused(f"{METRICS_TOKEN}: it needs 16 to 256 printable ASCII characters without spaces")
    return token


class LoopLag:
    """How late the event loop wakes who asked to be woken."""

    def __init__(self) -> None:
        self._late: deque[float] = deque([0.0], maxlen=_REMEMBERED)

    @property
    def worst(self) -> float:
        """Seconds, the most of the last 15."""
        return max(self._late)

    async def run(self) -> None:
        """Until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LOOP_SECONDS
            await asyncio.sleep(LOOP_SECONDS)
            self._late.append(max(0.0, loop.time() - due))


def refresher(house: House, pools: Mapping[str, AsyncConnectionPool], lag: LoopLag) -> Callable[[], None]:
    """What brings this process's own gauges up to date."""

    def refresh() -> None:
        metrics.WAITING.set(house.waiting)
        metrics.TURNS_LOST.set(house.turns_lost)
        metrics.POSITION.set(house.position)
        metrics.STOPPED.set(house.stopped_by is not None)
        metrics.BROKEN.set(len(house.broken_streams))
        metrics.LOOP_LAG.set(lag.worst)
        metrics.CLOCK_OFF.set(STEADY.off)
        metrics.CLOCK_JUMPS.set(STEADY.jumps)
        for name, pool in pools.items():
            found = pool.get_stats()
            metrics.POOL.labels(name, "open").set(found.get("pool_size", 0))
            metrics.POOL.labels(name, "idle").set(found.get("pool_available", 0))
            metrics.POOL_WAITING.labels(name).set(found.get("requests_waiting", 0))

    return refresh


def name_software(version: str, build: str) -> None:
    """What this is."""
    metrics.BUILD.labels(version, build[:12], platform.python_version()).set(1)


def figures(
    probe: Probe, workers: Workers, token: str | None, anchored: Callable[[int], None]
) -> Callable[[str | None], Awaitable[bytes]]:
    """What `/metrics` answers to who sends this Authorization header. `anchored` looks up how far the anchors are when
    the log is at a position. Raises Unauthenticated for a wrong token.
    """

    async def told(authorization: str | None) -> bytes:
        full = _may_see_all(authorization, token)
        found = await probe()
        _tell(found)
        anchored(found.position)
        texts, count = await workers.text(full=full)
        metrics.WORKERS.set(count)
        return metrics.merged([*texts, metrics.database()])

    return told


def _may_see_all(authorization: str | None, token: str | None) -> bool:
    if token is None or authorization is None:
        return False
    if not compare_digest(authorization.encode(), f"Bearer {token}".encode()):
        raise Unauthenticated("this is not the metrics token; without the header you are told what names nobody")
    return True


def _tell(found: Condition) -> None:
    metrics.READY.set(not found.faults)
    for one in found.models:
        metrics.LAG.labels(one.name).set(one.lag)
        metrics.MODEL_STOPPED.labels(one.name).set(one.stopped is not None)
    if (deliverer := found.deliverer) is not None:
        states = {"active": deliverer.active, "failing": deliverer.failing, "disabled": deliverer.disabled}
        calls = {"delivered": deliverer.delivered, "failed": deliverer.failed}
        metrics.webhooks(deliverer.age_seconds, deliverer.backlog, states, calls)
    if (exporter := found.exporter) is not None:
        states = {"waiting": exporter.waiting, "done": exporter.done, "failed": exporter.failed}
        metrics.exports(exporter.age_seconds, states)


class Floor:
    """Open rounds and meters, told by the one process of a database that runs the timers."""

    def __init__(
        self, pools: Callable[[], Awaitable[Sequence[PoolFigures]]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pools = pools
        self._clock = clock
        self._due = 0.0

    async def saw(self, seen: Seen | None) -> None:
        """What the timers have just looked at; None while another process does."""
        if seen is None:
            forget()
            return
        _tell_rounds(seen)
        if self._clock() >= self._due:
            self._due = self._clock() + POOLS_SECONDS
            _tell_pools(await self._pools())


def forget() -> None:
    """Another process tells them now."""
    for gauge in (metrics.OPEN_ROUNDS, metrics.OPERATOR_ROUNDS, metrics.JACKPOT):
        gauge.clear()
    metrics.OPEN_ROUND_IDLE.set(0)


def _tell_rounds(seen: Seen) -> None:
    metrics.OPEN_ROUNDS.clear()
    metrics.OPERATOR_ROUNDS.clear()
    for phase, count in Counter(one.phase.value for one in seen.rounds).items():
        metrics.OPEN_ROUNDS.labels(phase).set(count)
    for operator, count in Counter(one.operator for one in seen.rounds).items():
        metrics.OPERATOR_ROUNDS.labels(operator).set(count)
    oldest = min((one.last_command_at for one in seen.rounds), default=None)
    idle = 0.0 if oldest is None else max(0.0, (SystemClock().now() - oldest).total_seconds())
    metrics.OPEN_ROUND_IDLE.set(idle)


def _tell_pools(pools: Sequence[PoolFigures]) -> None:
    metrics.JACKPOT.clear()
    for one in pools:
        for balance, minor in (
            ("meter", one.meter_minor),
            ("reserve", one.reserve_minor),
            ("overflow", one.overflow_minor),
        ):
            metrics.JACKPOT.labels(one.operator, one.jackpot, one.currency, balance).set(minor)
