"""F06: money for exactly 100 bets, 1,000 tries from 64 clients at both doors."""

from __future__ import annotations

from typing import Final

from tests.faults.calls import Calls, command
from tests.faults.check import check
from tests.faults.crowd import Crowd
from tests.faults.fault import Fault, Trial
from tests.faults.stage import Stage

CLIENTS: Final = 64
TRIES: Final = 1_000
BETS: Final = 100
ANTE_MINOR: Final = 100
HOLD_MINOR: Final = 3 * ANTE_MINOR
"""The ante and the call that may follow."""
P99_SECONDS: Final = 2.0
TABLE: Final = {"ruleset": "live-5plus1-v1", "currency": "EUR", "ante_min": ANTE_MINOR, "ante_max": 10**9}


def run(trial: Trial) -> None:
    """Rounds of it, each with a player and a table of its own; each round is voided at its end."""
    with Stage.start(trial.folder) as stage:
        calls = Calls()
        crowd = Crowd(stage, calls, CLIENTS)
        for nth in range(trial.amount):
            _round(trial, crowd, nth)
            trial.progress(nth + 1)
        crowd.leave()
        check(trial, stage, calls)


def _round(trial: Trial, crowd: Crowd, nth: int) -> None:
    player, table = f"player-{nth}", f"table-{nth}"
    for path, body in (
        ("/v1/players", {"player": player, "currency": "EUR"}),
        (f"/v1/players/{player}/deposits",
         {"amount": BETS * HOLD_MINOR, "currency": "EUR", "transaction_id": f"bank-{nth}"}),
        ("/v1/tables", {**TABLE, "table": table}),
    ):  # fmt: skip
        reply = crowd.settle_all([command(path, body, f"{path}-{nth}")])[0]
        trial.expect(reply.status == 201, f"{path}: {reply.status} {reply.content[:200]!r}")
    round_ = crowd.settle_all([command(f"/v1/tables/{table}/rounds", {}, f"open-{nth}")])[0].body["round"]
    path = f"/v1/rounds/{round_}/wagers"
    tries = [command(path, {"player": player, "ante": ANTE_MINOR}, f"try-{nth}-{one}") for one in range(TRIES)]
    replies = crowd.settle_all(tries)
    accepted = [one for one in replies if one.status == 201]
    short = [one for one in replies if one.status == 409 and one.body["code"] == "INSUFFICIENT_FUNDS"]
    trial.expect(len(accepted) == BETS, f"round {nth}: {len(accepted)} bets were accepted, {BETS} are paid for")
    trial.expect(len(accepted) + len(short) == TRIES, f"round {nth}: other answers than 201 and INSUFFICIENT_FUNDS")
    left = [one.body["balance"]["available"] for one in accepted]
    trial.expect(min(left, default=None) == 0, f"round {nth}: the last balance is {min(left, default=None)}")
    trial.expect(len(set(left)) == len(left), f"round {nth}: two bets left the same balance")
    trial.in_time("p99 s", sorted(one.seconds for one in replies)[int(0.99 * TRIES)], P99_SECONDS)
    crowd.settle_all([command(f"/v1/rounds/{round_}/void", {"reason": "the run is over"}, f"void-{nth}")])


FAULT: Final = Fault("F06", "100 bets' money, 1,000 tries", 3, 100, "rounds", run)
