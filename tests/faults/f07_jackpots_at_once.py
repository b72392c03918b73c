"""F07: two to four seats hit one pool in the same instant, at one table or at several, through both doors.

The studio deals royal and straight flushes. Each prize is settled again by the calculator from the meter that stood
before it; the order of payment is in the log, and each 100 % award puts the reset into the pool once.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from threading import Barrier
from typing import Final

from domain.jackpots.events import Awarded, PoolOpened, PoolReset
from domain.money import MICRO, whole_minor
from domain.pools import MultiWinnerPolicy
from services.calculator import answer_line
from tests.domain.showdowns import DOLLAR, EURO, LAND
from tests.faults.calls import Caller, Calls
from tests.faults.evidence import Evidence
from tests.faults.fault import Fault, Trial
from tests.faults.ground import judged_stage
from tests.faults.remote import Remote
from tests.faults.stage import Stage
from tests.support.cards import ACE_KING, ROYAL, STRAIGHT_FLUSH, cards, hand
from tests.support.casino import CURRENCY, PRICE

POOLS: Final = {
    "euro": (EURO, MultiWinnerPolicy.SEQUENTIAL),
    "dollar": (DOLLAR, MultiWinnerPolicy.SEQUENTIAL),
    "land": (LAND, MultiWinnerPolicy.SEQUENTIAL),
    "split": (EURO, MultiWinnerPolicy.EQUAL_SPLIT),
    "full": (LAND, MultiWinnerPolicy.FULL_TO_EACH),
}
TABLES: Final = 4
SEATS: Final = 3
SHAPES: Final = ((1, 1), (2,), (3,), (1, 1, 1), (2, 1), (2, 2), (3, 1), (1, 1, 1, 1))
"""Winners at each table: two to four in all."""
RESET_MINOR: Final = 100_000
ANTE_MINOR: Final = 500


@dataclass(slots=True)
class Dealt:
    """What a round's seats hold, by seat number."""

    pool: str
    hands: dict[int, str] = field(default_factory=dict)


async def furnish(casino: Remote) -> None:
    """Pools with four tables each, and a player for every seat of every table."""
    for pool, (ruleset, policy) in POOLS.items():
        await casino.jackpot(pool, ruleset, multi_winner_policy=policy)
        for table in range(TABLES):
            await casino.table(f"{pool}{table}", ruleset, jackpot=pool)
            for seat in range(1, SEATS + 1):
                player = f"{pool}{table}-{seat}"
                await casino.player(player, CURRENCY[ruleset])
                await casino.deposit(player, 100_000_000, CURRENCY[ruleset], f"d-{player}")


async def dealt(casino: Remote, table: str, held: Dealt) -> str:
    """A round of the table up to the cards; nobody calls, so that prizes alone are paid."""
    ruleset, _ = POOLS[held.pool]
    name = await casino.round(table)
    for seat in held.hands:
        stakes = {"ante": ANTE_MINOR, "progressive": PRICE[ruleset]}
        await casino.wager(name, f"{table}-{seat}", seat=seat, **stakes)
    await casino.close(name)
    await casino.deal(name, held.hands)
    return name


def settled_at_once(stage: Stage, calls: Calls, names: Sequence[str]) -> None:
    """All these rounds in one instant, every other one at the other door."""
    start = Barrier(len(names))

    def one(nth: int) -> None:
        casino = Remote(Caller(stage, calls, nth))
        start.wait(30)
        asyncio.run(casino.settle(names[nth]))
        casino.caller.close()

    with ThreadPoolExecutor(len(names)) as pool:
        for _ in pool.map(one, range(len(names))):
            pass


def hands_of(pool: str, winners: int, chance: random.Random) -> dict[int, str]:
    """The hands of so many winners; where a policy shares, all win in the same category."""
    sequential = POOLS[pool][1] is MultiWinnerPolicy.SEQUENTIAL
    kinds = (ROYAL, ROYAL, STRAIGHT_FLUSH) if sequential else (ROYAL,)
    return {seat: hand(chance.choice(kinds), seat) for seat in range(1, winners + 1)}


def run(trial: Trial) -> None:
    chance, calls, rounds = random.Random(trial.seed), Calls(), dict[str, Dealt]()
    with Stage.start(trial.folder) as stage:
        casino = Remote(Caller(stage, calls))
        asyncio.run(furnish(casino))
        for nth in range(1, trial.amount + 1):
            pool, shape, names = chance.choice(list(POOLS)), chance.choice(SHAPES), []
            for table, winners in enumerate(shape):
                held = Dealt(pool, hands_of(pool, winners, chance))
                names.append(asyncio.run(dealt(casino, f"{pool}{table}", held)))
                rounds[names[-1]] = held
            settled_at_once(stage, calls, names)
            trial.progress(nth, f"{pool}: {sum(shape)} winners at {len(shape)} tables")
        evidence = judged_stage(trial, stage, calls)
    prove(trial, evidence, rounds)


def prove(trial: Trial, evidence: Evidence, rounds: dict[str, Dealt]) -> None:
    """Every round's prizes, resets and order, from the log."""
    of_pools: defaultdict[str, list[Awarded | PoolReset]] = defaultdict(list)
    for one in evidence.events:
        if isinstance(one.event, Awarded | PoolReset):
            of_pools[one.event.jackpot].append(one.event)
    prizes = resets = 0
    for events in of_pools.values():
        for name, group in groupby(events, key=lambda event: event.round):
            made = list(group)
            awards = [event for event in made if isinstance(event, Awarded)]
            prizes, resets = prizes + len(awards), resets + len(made) - len(awards)
            proved_round(trial, name, rounds.pop(name), awards, made)
    trial.expect(not rounds, f"{len(rounds)} rounds with winners have no award")
    opened = sum(isinstance(one.event, PoolOpened) for one in evidence.events)
    trial.expect(opened == len(POOLS), f"{opened} seeds were paid for {len(POOLS)} pools")
    trial.figure("prizes", prizes)
    trial.figure("resets", resets)


def proved_round(
    trial: Trial, name: str, held: Dealt, awards: Sequence[Awarded], made: Sequence[Awarded | PoolReset]
) -> None:
    """One round: who was paid in which order, what, and how often the pool was put back."""
    ruleset, policy = POOLS[held.pool]
    seats = sorted(held.hands, reverse=ruleset == EURO)
    trial.expect([one.seat for one in awards] == seats, f"{name}: paid {[one.seat for one in awards]}, not {seats}")
    meter = awards[0].meter_before_micro
    paid = [one.prize_minor for one in awards]
    due = due_minor(policy, ruleset, [held.hands[seat] for seat in seats], whole_minor(meter))
    trial.expect(paid == due, f"{name}: {policy} paid {paid} of {meter}, the rules say {due}")
    whole = sum(one.category == ROYAL for one in awards)
    if policy is not MultiWinnerPolicy.SEQUENTIAL:
        whole = min(whole, 1)
    put = [one for one in made if isinstance(one, PoolReset)]
    trial.expect(len(put) == whole, f"{name}: {len(put)} resets for {whole}")
    for one in put:
        after = one.move.meter_after_micro
        kept = after if policy is MultiWinnerPolicy.EQUAL_SPLIT else 0
        trial.expect(after in {RESET_MINOR * MICRO, kept}, f"{name}: the meter is {after} after its reset")


def due_minor(policy: MultiWinnerPolicy, ruleset: str, hands: Sequence[str], meter_minor: int) -> list[int]:
    """What the rules pay each of them, in order of payment."""
    if policy is MultiWinnerPolicy.EQUAL_SPLIT:
        return [meter_minor // len(hands)] * len(hands)
    if policy is MultiWinnerPolicy.FULL_TO_EACH:
        return [meter_minor] * len(hands)
    seats = [
        {"player": cards(one), "ante": ANTE_MINOR, "side": {"progressive": PRICE[ruleset]}, "decision": "fold"}
        for one in hands
    ]
    asked = {"id": "x", "ruleset": ruleset, "seats": seats, "dealer": cards(ACE_KING), "meter": meter_minor}
    found = json.loads(answer_line(json.dumps({**asked, "reset": RESET_MINOR}).encode()).line)
    return [seat["payout"]["progressive"] for seat in found["seats"]]


FAULT: Final = Fault("F07", "several seats hit one pool in one instant", 50, 1_000, "instants", run)
