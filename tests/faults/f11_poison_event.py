"""F11: events that no read model can take, at the running service: an unknown kind, broken bytes, a fold that raises.

For each kind and each read model: it stops just before the event, `/readyz` names model and position, the others and
the writer go on, the log stays quiet; then an operator records a skip and the model goes on by itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from threading import Event
from time import monotonic
from typing import Any, Final

from adapters.codec import NAMES
from adapters.projector import Projector, rebuild, skip, skips
from adapters.projector.quiet import LINES_PER_MINUTE
from adapters.projector.storage import lock_models
from domain.views import MODELS
from domain.views.model import Fact, Model, RowKey
from tests.faults.evidence import wait_until
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground, judged
from tests.postgres import Database
from tests.store.in_process import Client, serving

KINDS: Final = ("unknown kind", "broken bytes", "fold raises")
CELLS: Final = [(kind, model) for kind in KINDS for model in MODELS]
NAMED_SECONDS: Final = 2.0
WHO: Final = "lee"
Rows = Mapping[RowKey, Any]


class Poison:
    """Folds that raise at one position, for one model."""

    def __init__(self) -> None:
        self.model, self.position = "", 0

    def models(self) -> dict[str, Model[Any]]:
        """All models, each of which may be told to raise."""
        return {name: replace(one, fold=self._fold(one)) for name, one in MODELS.items()}

    def _fold(self, model: Model[Any]) -> Any:
        def fold(rows: Rows, fact: Fact) -> Rows:
            if (model.name, fact.position) == (self.model, self.position):
                raise ArithmeticError("no such number")
            return model.fold(rows, fact)

        return fold


class Lines(logging.Handler):
    """When the projector logged something."""

    def __init__(self) -> None:
        super().__init__()
        self.at: list[float] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.at.append(monotonic())

    def most_in_a_minute(self) -> int:
        """The largest number of lines within sixty seconds."""
        return max((sum(0 <= one - start < 60 for one in self.at) for start in self.at), default=0)


class Case:
    """One kind of poison for one model."""

    def __init__(self, trial: Trial, database: Database, client: Client, poison: Poison) -> None:
        self.trial, self.database, self.client, self.poison = trial, database, client, poison
        self.slowest = 0.0

    async def play(self, kind: str, model: str, nth: int) -> None:
        """Poison an event that the model reads, look, and let it be passed over."""
        where = f"{kind}, {model}"
        with self.held_back():
            at = await self.event_for(model, nth)
            stored = self.poisoned(kind, model, at)
        stops = set(MODELS) if kind == "unknown kind" else self.readers(at) if kind == "broken bytes" else {model}
        began = monotonic()
        named = await asyncio.to_thread(wait_until, lambda: self.stopped(at) == stops, 5 * NAMED_SECONDS)
        self.trial.expect(named, f"{where}: {self.stopped(at)} stopped before {at}, not {stops}")
        faults = await self.faults()
        self.slowest = max(self.slowest, monotonic() - began)
        told = all(
            any(one.startswith(f"read model {name} stopped: position {at}:") for one in faults) for name in stops
        )
        self.trial.expect(told, f"{where}: /readyz says {faults}")
        await self.others_go_on(where, stops, nth)
        with self.database.connect("projector") as conn:
            for name in sorted(stops):
                skip(conn, name, at, decided_by=WHO, reason=where, models=self.poison.models())
        on = await asyncio.to_thread(wait_until, lambda: self.stopped(at) == set() and self.all_at_head(), 20)
        self.trial.expect(on, f"{where}: a model did not go on after the skip")
        self.mend(at, stored)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """No model moves meanwhile."""
        with self.database.connect("projector") as conn, conn.transaction():
            lock_models(conn, MODELS.values())
            yield

    async def event_for(self, model: str, nth: int) -> int:
        """Do something that the model reads; the position of its last event, on which no later one builds."""
        player, table = f"p{nth}", f"t{nth}"
        before = self.head()
        await self.client.done("/v1/players", {"player": player, "currency": "EUR"})
        terms = {"ruleset": "euro-progressive-v1", "currency": "EUR"}
        await self.client.done("/v1/jackpots", {"jackpot": f"j{nth}", **terms, "seed": 1_000, "reset": 1_000})
        await self.client.done("/v1/tables", {"table": table, **terms, "ante_min": 100, "ante_max": 1_000})
        paid = {"amount": 500, "currency": "EUR", "transaction_id": f"d{nth}"}
        await self.client.done(f"/v1/players/{player}/deposits", paid)
        opened = await self.client.done(f"/v1/tables/{table}/rounds")
        await self.client.done(f"/v1/rounds/{opened['round']}/void", {"reason": "only looked at"})
        await self.client.done(f"/v1/players/{player}/adjustments", {"amount": -1, "reason": "proposed"})
        reads = {name for name, cls in NAMES.items() if cls in MODELS[model].reads}
        with self.database.connect("projector") as conn:
            rows = conn.execute(
                "SELECT notification_id FROM stored_events WHERE notification_id > %s AND topic = ANY (%s)"
                " ORDER BY notification_id DESC LIMIT 1",
                [before, sorted(reads)],
            ).fetchone()
        assert rows is not None, f"{model} reads nothing of this"
        return int(rows[0])

    def poisoned(self, kind: str, model: str, at: int) -> tuple[str, bytes]:
        """Name and bytes as they were."""
        with self.database.tamper() as admin:
            row = admin.execute("SELECT topic, state FROM stored_events WHERE notification_id = %s", [at]).fetchone()
            assert row is not None
            change = "UPDATE stored_events SET topic = %s, state = %s WHERE notification_id = %s"
            if kind == "unknown kind":
                admin.execute(change, ["wallet.became_gold.v1", row[1], at])
            elif kind == "broken bytes":
                admin.execute(change, [row[0], b"{", at])
            else:
                self.poison.model, self.poison.position = model, at
        return str(row[0]), bytes(row[1])

    def mend(self, at: int, stored: tuple[str, bytes]) -> None:
        """Put the bytes back: the chain is to be whole at the end. The skips stay recorded."""
        with self.database.tamper() as admin:
            admin.execute("UPDATE stored_events SET topic = %s, state = %s WHERE notification_id = %s", [*stored, at])

    def readers(self, at: int) -> set[str]:
        """Models that read the kind of event that stands there."""
        with self.database.connect("projector") as conn:
            row = conn.execute("SELECT topic FROM stored_events WHERE notification_id = %s", [at]).fetchone()
        assert row is not None
        return {name for name, model in MODELS.items() if NAMES[row[0]] in model.reads}

    async def others_go_on(self, where: str, stops: set[str], nth: int) -> None:
        """The writer takes commands, and the other models follow."""
        await self.client.done("/v1/players", {"player": f"q{nth}", "currency": "EUR"})
        others = set(MODELS) - stops
        on = await asyncio.to_thread(wait_until, lambda: others <= self.at_head(), 20)
        self.trial.expect(on, f"{where}: other models did not go on")

    async def faults(self) -> list[str]:
        """What `/readyz` says."""
        found: list[str] = (await self.client.get("/readyz")).json()["faults"]
        return found

    def stopped(self, at: int) -> set[str]:
        """Models that stand exactly before that position, and say that they stopped there."""
        with self.database.connect("projector") as conn:
            rows = conn.execute(
                "SELECT model FROM view_progress WHERE live AND position = %s AND stopped_reason LIKE %s",
                [at - 1, f"position {at}:%"],
            ).fetchall()
        return {model for (model,) in rows}

    def at_head(self) -> set[str]:
        """Models that have everything."""
        with self.database.connect("projector") as conn:
            rows = conn.execute(
                "SELECT model FROM view_progress WHERE live AND position = (SELECT max(notification_id)"
                " FROM stored_events)"
            ).fetchall()
        return {model for (model,) in rows}

    def all_at_head(self) -> bool:
        return self.at_head() == set(MODELS)

    def head(self) -> int:
        """The position of the last event."""
        with self.database.connect("projector") as conn:
            row = conn.execute("SELECT coalesce(max(notification_id), 0) FROM stored_events").fetchone()
        return int(row[0]) if row else 0


@asynccontextmanager
async def watched(lines: Lines) -> AsyncIterator[None]:
    """The projector's log, heard."""
    log = logging.getLogger("studbook.projector")
    log.addHandler(lines)
    try:
        yield
    finally:
        log.removeHandler(lines)


async def play(trial: Trial, database: Database, lines: Lines) -> None:
    poison = Poison()
    projector = Projector(database.conninfo("projector"), Event(), poison.models())
    async with watched(lines), serving(database, projector) as client:
        case = Case(trial, database, client, poison)
        with database.connect("writer") as conn:  # so that what needs two persons is only proposed
            conn.execute("UPDATE studbook.operators SET four_eyes = 'strict'")
        for nth in range(trial.amount):
            kind, model = CELLS[nth % len(CELLS)]
            await case.play(kind, model, nth)
            trial.progress(nth + 1, f"{kind}, {model}")
        trial.figure("named s", case.slowest)


def run(trial: Trial) -> None:
    lines = Lines()
    with ground(trial) as database:
        asyncio.run(play(trial, database, lines))
        with database.connect("projector") as conn:
            recorded = skips(conn)
            rebuild(conn)
        evidence = judged(trial, database)
    trial.expect({one.decided_by for one in recorded} == {WHO}, "a skip without who decided it")
    most = lines.most_in_a_minute()
    trial.expect(most <= LINES_PER_MINUTE, f"{most} lines were logged within a minute")
    trial.figure("skips", len(recorded))
    trial.figure("lines a minute", most)
    trial.figure("events", evidence.head)


FAULT: Final = Fault("F11", "poison events, of each kind for each read model", len(CELLS), len(CELLS), "cells", run)
