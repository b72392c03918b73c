"""F22: eight writers append to one log, each on a connection of its own and one command a turn: the chain is one line,
then and after a restore.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final

from services import commands as c
from services.chain import verify_chain
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground, judged
from tests.faults.restoring import restored
from tests.postgres import Database
from tests.store.support import Ask, Outcome, Shop, audit_of, shop_of

WRITERS: Final = 8


async def _write(shop: Shop, player: str, appends: int) -> list[Outcome]:
    """So many deposits, each in a turn of its own."""
    told = await shop.ask_all([Ask(c.RegisterPlayer(player, "EUR"), player)])
    for nth in range(appends - 1):
        told += await shop.ask_all([Ask(c.DepositFunds(player, 100, "EUR", f"{player}-{nth}"), f"{player}-{nth}")])
    return told


async def _written(trial: Trial, database: Database, each: int) -> list[list[Outcome]]:
    async with AsyncExitStack() as stack:
        shops = [await stack.enter_async_context(shop_of(database.conninfo("writer"))) for _ in range(WRITERS)]
        work = asyncio.gather(*(_write(shop, f"player-{nth}", each) for nth, shop in enumerate(shops)))
        while not work.done():
            await asyncio.wait([work], timeout=1)
            trial.progress(min(trial.amount, _appends(database)))
        return await work


def _appends(database: Database) -> int:
    """Commands whose events are in the log; each was a transaction of its own."""
    with database.connect("writer") as conn:
        row = conn.execute("SELECT count(*) FROM idempotency WHERE scope = 'key'").fetchone()
    return int(row[0]) if row else 0


def run(trial: Trial) -> None:
    each = -(-trial.amount // WRITERS)
    with ground(trial) as database:
        began = time.monotonic()
        told = asyncio.run(_written(trial, database, each))
        trial.figure("appends/s", round(trial.amount / (time.monotonic() - began)))
        trial.progress(_appends(database), "verified")
        _all_told(trial, told, each)
        evidence = judged(trial, database)
        trial.figure("events", evidence.head)
        verdict = verify_chain(evidence.rows)
        trial.expect(verdict.fault is None, f"the chain breaks: {verdict.fault}")
        before = [row.hash for row in evidence.rows]
        trial.expect(len({row.hash for row in evidence.rows}) == len(before), "a hash stands twice")
        with restored(trial.folder, database) as copied:
            found = audit_of(copied)
            trial.expect(found.findings == (), f"after dump and restore: {found.findings[:1]}")
            trial.expect(found.head_hash == before[-1].hex(), "after dump and restore the head is another")


def _all_told(trial: Trial, told: Sequence[Sequence[Outcome]], each: int) -> None:
    wrong = {one.code for work in told for one in work} - {"OK"}
    trial.expect(not wrong, f"a writer was told {sorted(wrong)}")
    positions = [one.position for work in told for one in work]
    trial.expect(len(set(positions)) == len(positions), "two writers were told the same position")
    trial.expect(len(positions) == WRITERS * each, f"{len(positions)} answers")


FAULT: Final = Fault("F22", "eight writers on one chain", 10_000, 10_000, "appends", run)
