"""F30: a round is voided before and after the deal, after it was paid, after a jackpot, after winnings were spent.

Every stake comes back once, what was won goes back, the pool is as if the round had not been; all of it by new
events, with the reason and both persons. A second void of the round is refused and moves nothing. All of it twice:
with approvers who are names, and with a second person who approves what the first has proposed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from adapters.event_store import PostgresLog
from domain.errors import AlreadyVoided
from domain.jackpots.events import Awarded, Contributed, RoundMirrored
from domain.rounds.events import RoundVoided
from domain.wallets.events import OutcomeReversed, PrizePaid, StakesSettled, VoidPolicy
from services.commands import DecideApproval
from services.ports import Recorded
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground, judged
from tests.matrix.approvals import ANY
from tests.postgres import Database
from tests.support.cards import PAIR, ROYAL, hand
from tests.support.casino import CURRENCY, PRICE, Casino

DEPOSIT_MINOR: Final = 1_000_000
Accounts = dict[tuple[str, str], int]


class Case:
    """One round of one game, on its way to a void."""

    def __init__(self, casino: Casino, ruleset: str, nth: int) -> None:
        self.casino, self.ruleset = casino, ruleset
        self.table, self.pool, self.player = f"t{nth}", f"j{nth}", f"ann{nth}"
        self.round = ""
        self.policy = VoidPolicy.CLAW_BACK

    @property
    def seat(self) -> int | None:
        """None where one hand is for all."""
        return None if self.ruleset == LIVE else 1

    async def furnish(self) -> None:
        """A table with its pool, if the game has one, and a player with money."""
        pool = None if self.ruleset == LIVE else self.pool
        if pool is not None:
            await self.casino.jackpot(pool, self.ruleset)
        await self.casino.table(self.table, self.ruleset, jackpot=pool)
        await self.casino.player(self.player, CURRENCY[self.ruleset])
        await self.casino.deposit(self.player, DEPOSIT_MINOR, CURRENCY[self.ruleset], f"d-{self.player}")

    async def before_deal(self) -> None:
        """Betting is closed: the pool has its share."""
        self.round = await self.casino.round(self.table)
        side = {} if self.ruleset == LIVE else {"progressive": PRICE[self.ruleset]}
        await self.casino.wager(self.round, self.player, seat=self.seat, ante=1_000, **side)
        await self.casino.close(self.round)

    async def after_deal(self, kind: str = PAIR) -> None:
        """A hand lies, and the player has called."""
        await self.before_deal()
        await self.casino.deal(self.round, hand(kind) if self.seat is None else {1: hand(kind)})
        await self.casino.call(self.round, self.player)

    async def paid(self) -> None:
        """The player has won."""
        await self.after_deal()
        await self.casino.settle(self.round)

    async def jackpot(self) -> None:
        """The player has won the whole meter; where there is no pool, by the best hand."""
        await self.after_deal(ROYAL)
        await self.casino.settle(self.round)

    async def spent(self) -> None:
        """The player has won, and has taken everything out."""
        await self.jackpot()
        body = await self.casino.deposit(self.player, 1, CURRENCY[self.ruleset], f"e-{self.player}")
        available = body["balance"]["available"]
        await self.casino.withdraw(self.player, available, CURRENCY[self.ruleset], f"w-{self.player}")


MOMENTS: Final[dict[str, Callable[[Case], Awaitable[None]]]] = {
    "before the deal": Case.before_deal,
    "after the deal": Case.after_deal,
    "after it was paid": Case.paid,
    "after a jackpot": Case.jackpot,
    "after winnings were spent": Case.spent,
}
EYES: Final = ("named", "strict")
CASES: Final = [(game, moment, eyes) for eyes in EYES for game in (LIVE, EURO, DOLLAR, LAND) for moment in MOMENTS]


def round_accounts(casino: Casino) -> Accounts:
    """What every account holds, the cashier's side taken out: a round must leave no trace in it."""
    cashier = ("cash", "av/")
    found = {at: micro for at, micro in casino.books.standing().items() if not at[1].startswith(cashier)}
    total = sum(micro for at, micro in casino.books.standing().items() if at[1].startswith(cashier))
    return {**found, ("", "cashier and players"): total}


async def agreed(casino: Casino, case: Case) -> None:
    """The void, and where it is only proposed the second person's approval."""
    body = await casino.void(case.round, case.policy, approver=None if casino.is_strict else "boss")
    if "approval" in body:
        await casino.submit(DecideApproval(body["approval"], True, None, ANY), actor="boss")


async def voided(trial: Trial, casino: Casino, cell: tuple[str, str, str], nth: int) -> None:
    """One case: the void, what it leaves, and the second void."""
    ruleset, moment, eyes = cell
    case, where = Case(casino, ruleset, nth), f"{eyes}, {ruleset}, {moment}"
    casino.is_strict = eyes == "strict"
    await case.furnish()
    before = round_accounts(casino)
    await MOMENTS[moment](case)
    await agreed(casino, case)
    trial.expect(round_accounts(casino) == before, f"{where}: the accounts are not as they were before the round")
    alone = casino.is_strict and "deal" in moment  # before the settlement nobody else is needed
    told = _told(casino.last_news, None if alone else "boss")
    trial.expect(told, f"{where}: reason, who voided or who approved is not in the event")
    _compensated(trial, where, await casino.everything(), case.round)
    standing = casino.books.standing()
    try:
        await agreed(casino, case)
        trial.expect(False, f"{where}: a second void was accepted")
    except AlreadyVoided:
        trial.expect(casino.books.standing() == standing, f"{where}: a second void moved money")


def _told(news: Sequence[Recorded], approver: str | None) -> bool:
    found = [(one.event, one.meta.actor) for one in news if isinstance(one.event, RoundVoided)]
    return [(one.reason, one.approver, actor) for one, actor in found] == [("malfunction", approver, Casino.actor)]


def _compensated(trial: Trial, where: str, log: Sequence[Recorded], name: str) -> None:
    """What was done stands in the log still, and its reverse behind it, once."""
    events = [one.event for one in log if getattr(one.event, "round", None) == name]
    gave = sum(isinstance(one, Contributed) for one in events)
    mirrors = sum(isinstance(one, RoundMirrored) for one in events)
    trial.expect(mirrors == gave, f"{where}: {gave} contributions, {mirrors} mirrors")
    paid = sum(isinstance(one, StakesSettled) for one in events)
    back = sum(isinstance(one, OutcomeReversed) for one in events)
    trial.expect(back == paid, f"{where}: {paid} seats paid, {back} reversed")
    prizes = sum(isinstance(one, Awarded) for one in events)
    trial.expect(not where.endswith("a jackpot") or prizes > 0 or LIVE in where, f"{where}: no prize was won")
    trial.expect(prizes >= sum(isinstance(one, PrizePaid) for one in events), f"{where}: a prize without its award")


async def play(trial: Trial, database: Database) -> None:
    log = PostgresLog(database.conninfo("writer"))
    await log.aopen()
    try:
        async with Casino(log) as casino:
            for nth in range(trial.amount):
                await voided(trial, casino, CASES[nth % len(CASES)], nth)
                trial.progress(nth + 1, ", ".join(CASES[nth % len(CASES)]))
    finally:
        await log.aclose()


def run(trial: Trial) -> None:
    with ground(trial) as database:
        asyncio.run(play(trial, database))
        evidence = judged(trial, database)
    trial.figure("events", evidence.head)


FAULT: Final = Fault("F30", "malfunction: a round is voided at every moment", len(CASES), len(CASES), "voids", run)
