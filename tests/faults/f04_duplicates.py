"""F04: each command is sent 1 to 5 times, a fifth of them at once, at both doors, over kills of either."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from tests.faults.calls import Calls, Command, Reply, command
from tests.faults.check import Watch, check
from tests.faults.crowd import Crowd
from tests.faults.fault import Fault, Trial
from tests.faults.floor import CLIENTS
from tests.faults.stage import OTHER, Stage

PLAYERS: Final = 64
COPIES_MOST: Final = 5
AT_ONCE_PERCENT: Final = 20
OTHER_BODY_PERCENT: Final = 10
OTHER_TENANT_PERCENT: Final = 5
COMMANDS_PER_RESTART: Final = 700
ACCOUNT: Final = {"currency": "EUR"}


@dataclass(slots=True)
class Tally:
    """What all clients counted."""

    stage: Stage
    calls: Calls
    trial: Trial
    lock: threading.Lock = field(default_factory=threading.Lock)
    commands: int = 0
    sent: int = 0
    deposited: dict[str, int] = field(default_factory=dict)

    def done(self, copies: int, player: str = "", amount: int = 0) -> None:
        """A command and its copies are answered."""
        with self.lock:
            self.commands += 1
            self.sent += copies
            if player:
                self.deposited[player] = self.deposited.get(player, 0) + amount


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
        shown = {
            stream.split("/")[2]: one.event.available_after_minor
            for one in evidence.events
            if (stream := one.stream).startswith("demo/wallet/") and hasattr(one.event, "available_after_minor")
        }
        wrong = {player for player, amount in tally.deposited.items() if shown.get(player) != amount}
        trial.expect(not wrong, f"balances are not what was paid in once each: {sorted(wrong)[:5]}")


def _furnish(stage: Stage, calls: Calls) -> None:
    crowd = Crowd(stage, calls, 8)
    crowd.settle_all([
        command("/v1/players", {"player": f"p{nth}", **ACCOUNT}, f"register-{nth}", operator)
        for operator in ("demo", OTHER) for nth in range(PLAYERS)
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
    chance = random.Random(f"{tally.trial.seed}/{client}")
    crowd = Crowd(tally.stage, tally.calls, COPIES_MOST)
    try:
        for nth in range(share):
            _one(tally, crowd, chance, f"k{client}-{nth}")
    except Exception as fault:
        tally.trial.expect(False, f"client {client}: {type(fault).__name__}: {fault}")
        raise
    finally:
        crowd.leave()


def _one(tally: Tally, crowd: Crowd, chance: random.Random, key: str) -> None:
    """One command with its copies, perhaps one with another body, perhaps one of the other operator."""
    player, amount = f"p{chance.randrange(PLAYERS)}", chance.randrange(1, 1_000)
    sent = _deposit(player, amount, key)
    copies = chance.randrange(1, COPIES_MOST + 1)
    if chance.randrange(100) < AT_ONCE_PERCENT:
        replies = crowd.at_once([sent] * max(copies, 2))
    else:
        replies = [one for _ in range(copies) for one in crowd.settle_all([sent])]
    tally.done(len(replies), player, amount)
    _same(tally, sent, replies)
    if chance.randrange(100) < OTHER_BODY_PERCENT:
        other = _deposit(player, amount + 1, key)
        reply = crowd.settle_all([other])[0]
        tally.trial.expect(reply.status in {409, 422}, f"key {key} with another body: {reply.status}")
    if chance.randrange(100) < OTHER_TENANT_PERCENT:
        reply = crowd.settle_all([_deposit(player, amount, key, OTHER)])[0]
        is_own = reply.status == 201 and (not reply.replayed or tally.calls.statuses[0] > 0)
        tally.trial.expect(is_own, f"key {key} of the other operator: {reply.status}, replayed {reply.replayed}")


def _same(tally: Tally, sent: Command, replies: list[Reply]) -> None:
    """One status and body; all but one marked as a replay (all of them where the first answer was lost)."""
    answers = {(one.status, one.content) for one in replies}
    tally.trial.expect(len(answers) == 1, f"key {sent.key} had {len(answers)} answers")
    tally.trial.expect(replies[0].status == 201, f"key {sent.key}: {replies[0].status} {replies[0].content[:200]!r}")
    first = sum(not one.replayed for one in replies)
    fits = first == 1 or (first == 0 and tally.calls.statuses[0] > 0)
    tally.trial.expect(fits, f"key {sent.key}: {first} of {len(replies)} answers were no replay")


def _deposit(player: str, amount: int, key: str, operator: str = "demo") -> Command:
    body = {"amount": amount, "transaction_id": f"bank-{key}", **ACCOUNT}
    return command(f"/v1/players/{player}/deposits", body, key, operator)


FAULT: Final = Fault("F04", "each command 1 to 5 times", 2_000, 100_000, "commands", run)
