"""Acts of a player by the newest connection, bets repeated after a void, decisions ahead of others, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.http.floor import (
    DOLLAR,
    EURO,
    LIVE,
    bet,
    decide,
    done,
    money,
    new_round,
    open_round,
    open_table,
    read,
    refused,
    register,
    step,
)
from tests.service import Service


def at_two_devices(service: Service) -> tuple[str, str]:
    """A round with a bet of a player whose desk has replaced the phone at the table."""
    table, player = open_table(service, LIVE, "EUR"), register(service, "EUR", 100_000)
    round_ = open_round(service, table)
    for session in ("phone", "desk"):
        done(service.post(f"/v1/tables/{table}/join", {"player": player, "session": session}))
    done(bet(service, round_, player, 1_000, seat=None), 201)
    return round_, player


@pytest.mark.parametrize("act", ["double", "undo", "pass", "leave"])
def test_S0_50_C29_over_http_no_act_of_a_replaced_session_is_taken(service: Service, act: str) -> None:
    round_, player = at_two_devices(service)
    before = money(service, player)
    refused(step(service, round_, act, {"player": player, "session": "phone"}), 403, "FORBIDDEN", "session")
    assert money(service, player) == before
    done(step(service, round_, act, {"player": player, "session": "desk"}))
    assert money(service, player) != before


def test_S0_50_C29_over_http_a_replaced_session_repeats_and_decides_nothing(service: Service) -> None:
    round_, player = at_two_devices(service)
    old = {"player": player, "session": "phone"}
    refused(step(service, round_, "repeat", old), 403, "FORBIDDEN", "session")
    done(step(service, round_, "close"))
    done(step(service, round_, "deal"))
    call: dict[str, Any] = {**old, "decision": "call"}
    refused(step(service, round_, "decisions", call), 403, "FORBIDDEN", "session")
    done(step(service, round_, "decisions", {**call, "session": "desk"}))


def test_S0_33_over_http_the_bets_of_a_voided_round_are_repeated(service: Service) -> None:
    table, player = open_table(service, LIVE, "EUR"), register(service, "EUR", 100_000)
    round_ = open_round(service, table)
    done(bet(service, round_, player, 700, seat=None, five_plus_one=200), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "void", {"reason": "a malfunction"}))
    assert money(service, player) == (100_000, 0)
    repeated = done(step(service, open_round(service, table), "repeat", {"player": player}))
    assert repeated["total_bet"] == 900


def test_S3_13_over_http_a_decision_need_not_wait_for_the_players_before(service: Service) -> None:
    round_ = new_round(service, DOLLAR)
    first, last = register(service, "USD", 100_000), register(service, "USD", 100_000)
    done(bet(service, round_, first, seat=1), 201)
    done(bet(service, round_, last, seat=5), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal"))
    done(decide(service, round_, last, "call"))
    done(decide(service, round_, first, "fold"))
    done(step(service, round_, "settle"))
    seats = {one["player"]: one["decided_by"] for one in read(service, f"/v1/rounds/{round_}")["seats"]}
    assert seats == {first: "PLAYER", last: "PLAYER"}


def test_C16_over_http_a_table_gives_no_round_up_before_its_longest_window_ends(service: Service) -> None:
    table = {"table": service.name("table"), "ruleset": EURO, "currency": "EUR", "ante_min": 500, "ante_max": 10_000}
    auto = {**table, "pace": "AUTO", "betting_seconds": 30, "decision_seconds": 40}
    refused(service.post("/v1/tables", {**auto, "abandon_seconds": 40}), 422, "INVALID", "abandon_seconds")
    refused(service.post("/v1/tables", {**auto, "betting_seconds": 41, "abandon_seconds": 41}), 422, "INVALID")
    done(service.post("/v1/tables", {**auto, "abandon_seconds": 41}), 201)
