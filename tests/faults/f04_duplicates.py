"""F04: each command is sent 1 to 5 times, a fifth of them at once, at both doors, over kills of either.

Clients play whole rounds: deposits, wagers, undo, close, deal, decisions, settlement, rollbacks, voids. Two operators
play the same, with the same names and the same keys.
"""

from __future__ import annotations

import random
import threading
from collections import Counter, defaultdict
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from domain.rounds.events import BettingClosed, Dealt, RoundOpened, RoundSettled, RoundVoided
from domain.seats.events import ActionUndone, SeatDecided, WagerPlaced
from domain.transactions import TransactionRolledBack
from domain.wallets.events import Deposited
from services.ports import Recorded
from tests.faults.calls import Calls, Command, Reply, command
from tests.faults.check import Watch, check
from tests.faults.crowd import Crowd
from tests.faults.fault import Fault, Trial
from tests.faults.floor import CLIENTS
from tests.faults.stage import OPERATOR, OTHER, Stage

LANES: Final = CLIENTS // 2
"""Clients of each operator; the clients of one lane send the same keys."""
SEATS: Final = ("a", "b")
DEPOSIT_MINOR: Final = 10_000_000
COPIES_MOST: Final = 5
AT_ONCE_PERCENT: Final = 20
OTHER_BODY_PERCENT: Final = 10
VOID_PERCENT: Final = 40
COMMANDS_PER_RESTART: Final = 700

EFFECTS: Final = {
    "rounds": RoundOpened, "deposits": Deposited, "wagers": WagerPlaced, "undo": ActionUndone, "close": BettingClosed,
    "deal": Dealt, "decisions": SeatDecided, "settle": RoundSettled, "void": RoundVoided,
    "rollback": TransactionRolledBack,
}  # fmt: skip
"""The event that a call leaves once, by the last word of its path."""

Story = Generator[tuple[str, Any, bool], Reply, None]
"""What comes next: path, body, and whether no round is under way; it is told the answer."""


@dataclass(slots=True)
class Tally:
    """What all clients counted."""

    stage: Stage
    calls: Calls
    trial: Trial
    lock: threading.Lock = field(default_factory=threading.Lock)
    commands: int = 0
    sent: int = 0

    def done(self, copies: int) -> None:
        """A command and its copies are answered."""
        with self.lock:
            self.commands += 1
            self.sent += copies


def run(trial: Trial) -> None:
    """All commands, then every key once more after the last restart."""
    with Stage.start(trial.folder) as stage:
        tally, watch = Tally(stage, Calls(), trial), Watch(stage)
        _furnish(stage, tally.calls)
        with ThreadPoolExecutor(CLIENTS + 1) as pool:
            share = [trial.amount // CLIENTS + (nth < trial.amount % CLIENTS) for nth in range(CLIENTS)]
            clients = [pool.submit(_client, tally, nth, share[nth]) for nth in range(CLIENTS)]
            pool.submit(_restarts, tally).result()
            for one in clients:
                one.result()
        watch.fault_ended()
        trial.progress(tally.commands, f"{tally.sent} requests")
        trial.figure("requests", tally.sent)
        trial.figure("lost answers", tally.calls.statuses[0])
        evidence = check(trial, stage, tally.calls, watch)
    _once_each(trial, tally.calls, evidence.events)


def _furnish(stage: Stage, calls: Calls) -> None:
    """Two players and a table for each client, the same at both operators."""
    crowd = Crowd(stage, calls, 8)
    for operator in (OPERATOR, OTHER):
        terms = {"ruleset": "live-5plus1-v1", "currency": "EUR", "ante_min": 100, "ante_max": 10_000}
        made = [
            command("/v1/tables", {"table": f"t{lane}", **terms}, f"table-{lane}", operator) for lane in range(LANES)
        ]
        made += [
            command("/v1/players", {"player": f"{seat}{lane}", "currency": "EUR"}, f"register-{seat}{lane}", operator)
            for lane in range(LANES) for seat in SEATS
        ]  # fmt: skip
        crowd.settle_all(made)
        crowd.settle_all([
            command(*_deposit(f"{seat}{lane}", DEPOSIT_MINOR, f"first-{seat}{lane}"), f"first-{seat}{lane}", operator)
            for lane in range(LANES) for seat in SEATS
        ])  # fmt: skip
    crowd.leave()


def _restarts(tally: Tally) -> None:
    """Kill one door after the other, evenly over the run, and start it again."""
    for nth in range((tally.trial.amount - 1) // COMMANDS_PER_RESTART):
        while tally.commands < COMMANDS_PER_RESTART * (nth + 1):
            if tally.trial.failures:
                return
            threading.Event().wait(0.05)
        door = tally.stage.doors[nth % 2]
        door.kill()
        door.start()
        tally.trial.progress(tally.commands, f"{tally.sent} requests, {nth + 1} restarts")


def _client(tally: Tally, client: int, share: int) -> None:
    """So many commands, and those that end the round under way."""
    chance = random.Random(f"{tally.trial.seed}/{client}")
    crowd, operator, lane = Crowd(tally.stage, tally.calls, COPIES_MOST), (OPERATOR, OTHER)[client % 2], client // 2
    story, nth = _evening(lane, chance), 0
    try:
        path, body, at_rest = next(story)
        while nth < share or not at_rest:
            reply = _one(tally, crowd, chance, command(path, body, f"k{lane}-{nth}", operator))
            if not reply.is_done:
                return
            path, body, at_rest = story.send(reply)
            nth += 1
    except Exception as fault:
        tally.trial.expect(False, f"client {client}: {type(fault).__name__}: {fault}")
        raise
    finally:
        crowd.leave()


def _evening(lane: int, chance: random.Random) -> Story:
    """Rounds at one table, with money in between; some are voided, and some deposits rolled back."""
    nth, who = 0, [f"{seat}{lane}" for seat in SEATS]
    while True:
        nth += 1
        paid = f"bank-{lane}-{nth}"
        yield (*_deposit(chance.choice(who), chance.randrange(1, 1_000), paid), True)
        opened = yield f"/v1/tables/t{lane}/rounds", {}, True
        at = f"/v1/rounds/{opened.body['round']}"
        for player in who:
            yield f"{at}/wagers", {"player": player, "ante": chance.randrange(1, 20) * 100}, False
        yield f"{at}/wagers", {"player": who[0], "ante": 100, "side": {"five_plus_one": 100}}, False
        yield f"{at}/undo", {"player": who[0]}, False
        yield f"{at}/close", {}, False
        yield f"{at}/deal", {}, False
        for player in who:
            yield f"{at}/decisions", {"player": player, "decision": chance.choice(["call", "fold"])}, False
        yield f"{at}/settle", {}, False
        if chance.randrange(100) < VOID_PERCENT:
            yield f"{at}/void", {"reason": "marked cards", "policy": "CLAW_BACK", "approver": "second"}, True
        yield f"/v1/transactions/{paid}/rollback", {}, True


def _deposit(player: str, amount: int, transaction: str) -> tuple[str, Any]:
    return f"/v1/players/{player}/deposits", {"amount": amount, "currency": "EUR", "transaction_id": transaction}


def _one(tally: Tally, crowd: Crowd, chance: random.Random, sent: Command) -> Reply:
    """One command with its copies, perhaps one more of another kind under its key; its first answer."""
    copies = chance.randrange(1, COPIES_MOST + 1)
    if chance.randrange(100) < AT_ONCE_PERCENT:
        replies = crowd.at_once([sent] * max(copies, 2))
    else:
        replies = [one for _ in range(copies) for one in crowd.settle_all([sent])]
    tally.done(len(replies))
    _same(tally, sent, replies)
    if chance.randrange(100) < OTHER_BODY_PERCENT:
        other = command(*_deposit("a0", 1, f"other-{sent.key}"), sent.key, sent.operator)
        reply = crowd.settle_all([other])[0]
        tally.trial.expect(reply.status in {409, 422}, f"key {sent.key} with another body: {reply.status}")
    return replies[0]


def _same(tally: Tally, sent: Command, replies: Sequence[Reply]) -> None:
    """One status and body; all but one marked as a replay (all of them where the first answer was lost)."""
    where = f"{sent.operator}: {sent.path}, key {sent.key}"
    answers = {(one.status, one.content) for one in replies}
    tally.trial.expect(len(answers) == 1, f"{where} had {len(answers)} answers")
    tally.trial.expect(replies[0].is_done, f"{where}: {replies[0].status} {replies[0].content[:200]!r}")
    first = sum(not one.replayed for one in replies)
    fits = first == 1 or (first == 0 and tally.calls.statuses[0] > 0)
    tally.trial.expect(fits, f"{where}: {first} of {len(replies)} answers were no replay")


def _once_each(trial: Trial, calls: Calls, events: Sequence[Recorded]) -> None:
    """Each acknowledged command left its event once, at its own operator; what was rolled back is gone."""
    left: defaultdict[tuple[str, str], Counter[type[Any]]] = defaultdict(Counter)
    for one in events:
        left[one.meta.operator, one.meta.idempotency_key or ""][type(one.event)] += 1
    kinds: Counter[str] = Counter()
    for sent in calls.acknowledged:
        what = sent.path.rpartition("/")[2]
        if what not in EFFECTS:
            continue
        kinds[what] += 1
        times = left[sent.operator, sent.key][EFFECTS[what]]
        trial.expect(times == 1, f"{sent.operator}: {sent.path}, key {sent.key} left {times} {EFFECTS[what].__name__}")
    trial.expect(kinds.keys() == EFFECTS.keys(), f"never sent: {sorted(EFFECTS.keys() - kinds.keys())}")
    names = {
        operator: {one.key for one in calls.acknowledged if one.operator == operator} for operator in (OPERATOR, OTHER)
    }
    shared = len(names[OPERATOR] & names[OTHER])
    trial.expect(shared > trial.amount // 4, f"only {shared} keys were of both operators")
    trial.figure("keys of both", shared)


FAULT: Final = Fault("F04", "each command 1 to 5 times", 2_000, 100_000, "commands", run)
