"""F08: each of 500 settled rounds is voided twice at the same moment, at both doors, under two keys."""

from __future__ import annotations

import random
from typing import Final

from tests.faults import money
from tests.faults.calls import Caller, Calls, Command, command
from tests.faults.check import check
from tests.faults.crowd import Crowd
from tests.faults.fault import Fault, Trial
from tests.faults.stage import Stage

CLIENTS: Final = 16
PAIRS: Final = 8
"""Rounds that are voided at one moment."""
DEPOSIT_MINOR: Final = 10_000_000
POOL: Final = {"jackpot": "pool", "ruleset": "euro-progressive-v1", "currency": "EUR", "seed": 2_500_000,
               "reset": 2_500_000, "reserve_rate": "0.05"}  # fmt: skip
TABLE: Final = {"ruleset": "euro-progressive-v1", "currency": "EUR", "ante_min": 100, "ante_max": 10_000,
                "jackpot": "pool"}  # fmt: skip


def run(trial: Trial) -> None:
    """Play the rounds, void each of them twice, and look at what is left: nothing but the deposits."""
    with Stage.start(trial.folder) as stage:
        calls = Calls()
        crowd = Crowd(stage, calls, CLIENTS)
        rounds = _played(trial, crowd)
        refused: list[str] = []
        succeeded = 0
        for first in range(0, len(rounds), PAIRS):
            pair = [one for name in rounds[first : first + PAIRS] for one in _voids(name)]
            replies = crowd.at_once(pair)
            succeeded += sum(one.status == 200 for one in replies)
            refused += [one.body["code"] for one in replies if one.status != 200]
            trial.progress(first + len(pair) // 2, "voided")
        trial.expect(succeeded == trial.amount, f"{succeeded} voids succeeded of {trial.amount}")
        fits = refused == ["ALREADY_VOIDED"] * trial.amount
        trial.expect(fits, f"{len(refused)} voids were refused, with {sorted(set(refused))}")
        trial.figure("voided", succeeded)
        trial.figure("refused", len(refused))
        evidence = check(trial, stage, calls)
        wallets = set(money.wallets(evidence.events).values())
        trial.expect(wallets == {(DEPOSIT_MINOR, 0)}, f"wallets are not what was paid in: {sorted(wallets)[:5]}")
        left = {account: micro for (_, _, account), micro in money.balances(evidence.events).items() if micro}
        revenue = {account: micro for account, micro in left.items() if account.split("/")[0] in {"REV", "CON", "LOSS"}}
        trial.expect(not revenue, f"the house keeps something of rounds without effect: {revenue}")
        crowd.leave()


def _voids(name: str) -> list[Command]:
    body = {"reason": "dealt from a marked deck", "policy": "CLAW_BACK", "approver": "second"}
    return [command(f"/v1/rounds/{name}/void", body, f"void-{nth}-{name}") for nth in range(2)]


def _played(trial: Trial, crowd: Crowd) -> list[str]:
    """So many settled rounds, each client at a table of its own."""
    players, tables = [f"player-{nth}" for nth in range(CLIENTS)], [f"table-{nth}" for nth in range(CLIENTS)]
    crowd.settle_all([command("/v1/jackpots", POOL, "pool")])
    crowd.settle_all([command("/v1/tables", {**TABLE, "table": one}, one) for one in tables])
    crowd.settle_all([command("/v1/players", {"player": one, "currency": "EUR"}, one) for one in players])
    crowd.settle_all([
        command(f"/v1/players/{one}/deposits",
                {"amount": DEPOSIT_MINOR, "currency": "EUR", "transaction_id": f"bank-{one}"}, f"bank-{one}")
        for one in players
    ])  # fmt: skip
    wanted = [command(f"/v1/tables/{tables[nth % CLIENTS]}/rounds", {}, f"round-{nth}") for nth in range(trial.amount)]
    chance = random.Random(trial.seed)
    calls = {one.key: chance.choice(("call", "fold")) for one in wanted}
    return crowd.each(lambda caller, opening: _play(caller, opening, calls[opening.key]), wanted)


def _play(caller: Caller, opening: Command, decision: str) -> str:
    """One round from its opening to its settlement."""
    round_: str = caller.settle(opening).body["round"]
    player = f"player-{int(opening.key.split('-')[1]) % CLIENTS}"
    bet = {"player": player, "seat": 1, "ante": 500, "side": {"progressive": 50}}
    for step, body in (
        ("wagers", bet),
        ("close", {}),
        ("deal", {}),
        ("decisions", {"player": player, "decision": decision}),
        ("settle", {}),
    ):
        reply = caller.settle(command(f"/v1/rounds/{round_}/{step}", body, f"{step}-{opening.key}"))
        if not reply.is_done:
            raise AssertionError(f"{step}: {reply.status} {reply.content[:200]!r}")
    return round_


FAULT: Final = Fault("F08", "rounds voided twice at once", 500, 500, "rounds", run)
