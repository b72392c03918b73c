"""One whole round of each game over REST, as an operator's engineer plays it."""

from __future__ import annotations

import pytest

from tests.http.floor import open_jackpot, open_table, register
from tests.service import Service

GAMES = ("live-5plus1-v1", "euro-progressive-v1", "dollar-jackpot-v1", "land-progressive-v1")


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_whole_round_is_played_and_voided_and_every_cent_is_back(service: Service, ruleset: str) -> None:
    # given a table of the game with a player who has money
    currency = "USD" if ruleset.startswith(("dollar", "land")) else "EUR"
    jackpot = None if ruleset.startswith("live") else open_jackpot(service, ruleset, currency)
    table = open_table(service, ruleset, currency, jackpot)
    player = register(service, currency, 100_000)

    # when a round is played
    round_ = service.post(f"/v1/tables/{table}/rounds").json()["round"]
    seat = None if jackpot is None else 1
    side = {"five_plus_one": 500} if jackpot is None else {"progressive": 50 if currency == "EUR" else 100}
    wager = {"player": player, "seat": seat, "ante": 1000, "side": side}
    placed = service.post(f"/v1/rounds/{round_}/wagers", wager)
    assert placed.status_code == 201
    assert [one["kind"] for one in placed.json()["wagers"]] == ["ANTE", "SIDE" if jackpot is None else "PROGRESSIVE"]
    assert service.post(f"/v1/rounds/{round_}/close").json()["phase"] == "BETTING_CLOSED"
    dealt = service.post(f"/v1/rounds/{round_}/deal").json()
    assert dealt["phase"] == "DECIDING"
    called = service.post(f"/v1/rounds/{round_}/decisions", {"player": player, "decision": "call"})
    assert called.json()["balance"]["held"] == 3000 + sum(side.values())
    settled = service.post(f"/v1/rounds/{round_}/settle").json()
    assert settled["phase"] == "SETTLED"

    # then the round shows it, and a void gives every cent back
    seen = service.get(f"/v1/rounds/{round_}", params={"min_position": settled["position"]}).json()
    assert seen["phase"] == "SETTLED"
    assert seen["seats"][0]["decided_by"] == "PLAYER"
    void = {"reason": "test", "policy": "CLAW_BACK", "approver": "shift-manager"}
    voided = service.post(f"/v1/rounds/{round_}/void", void).json()
    assert voided["players"][0]["balance"] == {
        "available": 100_000, "held": 0, "currency": currency, "exponent": 2,
    }  # fmt: skip
    balance = service.get(f"/v1/players/{player}/balance", params={"min_position": voided["position"]}).json()
    assert (balance["available"], balance["held"]) == (100_000, 0)
