"""Wagers that the state refuses, with the codes of the contract (S0-09, S0-24 to S0-27, S2-01, S3-03, S3-04)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.http.floor import (
    DOLLAR,
    EURO,
    LAND,
    LIVE,
    bet,
    done,
    money,
    new_round,
    open_jackpot,
    refused,
    register,
    step,
)
from tests.service import Service


def test_S0_10_a_wager_after_the_close_is_BETTING_CLOSED_in_every_later_phase(service: Service) -> None:
    round_, player = new_round(service), register(service, "EUR", 100_000)
    done(bet(service, round_, player), 201)
    for what in ("close", "deal", "settle"):
        done(step(service, round_, what))
        refused(bet(service, round_, player), 409, "BETTING_CLOSED")
        refused(step(service, round_, "undo", {"player": player}), 409, "BETTING_CLOSED")
        for more in ("double", "repeat", "pass"):
            refused(step(service, round_, more, {"player": player}), 409, "BETTING_CLOSED")
        refused(step(service, round_, "close"), 409, "BETTING_CLOSED")


def test_S0_46_a_wager_while_the_round_is_paused_or_after_a_void_is_WRONG_PHASE(service: Service) -> None:
    round_, player = new_round(service), register(service, "EUR", 100_000)
    done(step(service, round_, "pause", {"reason": "camera"}))
    refused(bet(service, round_, player), 409, "WRONG_PHASE")
    refused(step(service, round_, "pause", {"reason": "again"}), 409, "WRONG_PHASE")
    done(step(service, round_, "resume"))
    refused(step(service, round_, "resume"), 409, "WRONG_PHASE")
    done(step(service, round_, "void", {"reason": "test"}))
    refused(bet(service, round_, player), 409, "WRONG_PHASE")
    assert money(service, player) == (100_000, 0)


def test_S2_01_a_seat_that_another_player_holds_is_SEAT_TAKEN(service: Service) -> None:
    round_ = new_round(service)
    first, second = register(service, "EUR", 10_000), register(service, "EUR", 10_000)
    done(bet(service, round_, first, seat=2), 201)
    refused(bet(service, round_, second, seat=2), 409, "SEAT_TAKEN", "seat")
    assert money(service, second) == (10_000, 0)
    # when the first takes everything back the seat is free
    done(step(service, round_, "undo", {"player": first}))
    done(bet(service, round_, second, seat=2), 201)


def test_S0_02_a_player_on_two_seats_is_ALREADY_SEATED(service: Service) -> None:
    round_, player = new_round(service), register(service, "EUR", 100_000)
    done(bet(service, round_, player, seat=1), 201)
    refused(bet(service, round_, player, seat=3), 409, "ALREADY_SEATED", "seat")
    done(bet(service, round_, player, seat=1), 201)


@pytest.mark.parametrize(("ruleset", "seats"), [(EURO, 4), (DOLLAR, 5), (LAND, 7)])
def test_a_seat_that_the_table_does_not_have_is_INVALID(service: Service, ruleset: str, seats: int) -> None:
    round_ = new_round(service, ruleset)
    player = register(service, "EUR" if ruleset == EURO else "USD", 100_000)
    for seat in (seats + 1, 99, None):
        refused(bet(service, round_, player, seat=seat), 422, "INVALID", "seat")
    done(bet(service, round_, player, seat=seats), 201)


def test_S0_02_the_shared_hand_has_no_seats(service: Service) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 100_000)
    refused(bet(service, round_, player, seat=1), 422, "INVALID", "seat")


def test_S0_27_more_than_is_available_is_INSUFFICIENT_FUNDS_and_holds_nothing(service: Service) -> None:
    round_, player = new_round(service), register(service, "EUR", 2999)
    refused(bet(service, round_, player, 1000), 409, "INSUFFICIENT_FUNDS")
    assert money(service, player) == (2999, 0)
    assert done(bet(service, round_, player, 999), 201)["balance"] == {
        "available": 2, "held": 2997, "currency": "EUR", "exponent": 2,
    }  # fmt: skip
    body = {"amount": 3, "currency": "EUR", "transaction_id": service.name("out")}
    refused(service.post(f"/v1/players/{player}/withdrawals", body), 409, "INSUFFICIENT_FUNDS", "amount")


def test_bug_022_of_fifty_parallel_debits_of_everything_one_succeeds(service: Service) -> None:
    player = register(service, "EUR", 100)

    def withdraw(nth: int) -> str:
        body = {"amount": 100, "currency": "EUR", "transaction_id": f"{player}-{nth}"}
        answer = service.post(f"/v1/players/{player}/withdrawals", body)
        return "DONE" if answer.status_code == 201 else str(answer.json()["code"])

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(withdraw, range(50)))
    assert sorted(answers) == ["DONE"] + ["INSUFFICIENT_FUNDS"] * 49
    assert money(service, player) == (0, 0)


def test_C33_a_players_other_currency_is_CURRENCY_MISMATCH(service: Service) -> None:
    player = register(service, "USD", 100_000)
    refused(bet(service, new_round(service), player), 422, "CURRENCY_MISMATCH", "player")
    body = {"amount": 1, "currency": "EUR", "transaction_id": service.name("other")}
    for kind in ("deposits", "withdrawals"):
        refused(service.post(f"/v1/players/{player}/{kind}", body), 422, "CURRENCY_MISMATCH", "currency")
    jackpot = open_jackpot(service, EURO, "EUR")
    table = {"table": service.name("table"), "ruleset": EURO, "currency": "USD", "ante_min": 1, "ante_max": 2}
    refused(service.post("/v1/tables", {**table, "jackpot": jackpot}), 422, "CURRENCY_MISMATCH")
    assert money(service, player) == (100_000, 0)


@pytest.mark.parametrize("currency", ["QQQ", "eur", "XAU", "EURO", "", "E", "\u20ac"])
def test_an_unknown_currency_is_INVALID(service: Service, currency: str) -> None:
    body = {"player": service.name("player"), "currency": currency}
    refused(service.post("/v1/players", body), 422, "INVALID", "currency")
    refused(service.get(f"/v1/players/{body['player']}/balance"), 404, "NOT_FOUND")


def test_S0_09_a_side_bet_before_an_ante_of_the_minimum_is_BELOW_MINIMUM(service: Service) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 100_000)
    refused(bet(service, round_, player, None, seat=None, five_plus_one=100), 422, "BELOW_MINIMUM")
    done(bet(service, round_, player, 499, seat=None), 201)
    refused(bet(service, round_, player, None, seat=None, five_plus_one=100), 422, "BELOW_MINIMUM")
    done(bet(service, round_, player, 1, seat=None), 201)
    done(bet(service, round_, player, None, seat=None, five_plus_one=100), 201)


def test_S0_25_above_the_maximum_is_refused_at_once_and_the_limit_is_of_the_spots_sum(service: Service) -> None:
    round_, player = new_round(service, LIVE, side_max=200), register(service, "EUR", 1_000_000)
    refused(bet(service, round_, player, 10_001, seat=None), 422, "ABOVE_MAXIMUM", "ante")
    done(bet(service, round_, player, 9_999, seat=None, five_plus_one=150), 201)
    refused(bet(service, round_, player, 2, seat=None), 422, "ABOVE_MAXIMUM", "ante")
    refused(bet(service, round_, player, None, seat=None, five_plus_one=51), 422, "ABOVE_MAXIMUM")
    done(bet(service, round_, player, 1, seat=None, five_plus_one=50), 201)


def test_S0_26_below_the_minimum_is_rejected_at_the_close_and_only_that(service: Service) -> None:
    round_ = new_round(service, LIVE)
    low, good = register(service, "EUR", 10_000), register(service, "EUR", 10_000)
    done(bet(service, round_, low, 499, seat=None), 201)
    done(bet(service, round_, good, 500, seat=None), 201)
    closed = done(step(service, round_, "close"))
    assert [(one["player"], one["released"]) for one in closed["rejected"]] == [(low, 1497)]
    assert (closed["seats"], closed["rejected_count"]) == (1, 1)
    assert (money(service, low), money(service, good)) == ((10_000, 0), (8_500, 1_500))


def test_S3_04_on_003_an_ante_below_the_minimum_is_raised_and_asked_and_used_are_named(service: Service) -> None:
    round_, player = new_round(service, DOLLAR), register(service, "USD", 1_500)
    placed = done(bet(service, round_, player, 1), 201)
    assert placed["raised"] == {"asked": 1, "used": 500}
    assert [(one["kind"], one["stake"]) for one in placed["wagers"]] == [("ANTE", 500)]
    assert placed["total_bet"] == 500
    poor = register(service, "USD", 1_499)
    refused(bet(service, round_, poor, 1, seat=2), 409, "INSUFFICIENT_FUNDS")


def test_S3_03_on_003_an_ante_is_at_most_a_third_of_the_balance(service: Service) -> None:
    round_, player = new_round(service, DOLLAR), register(service, "USD", 3_000)
    refused(bet(service, round_, player, 1_001), 422, "ABOVE_MAXIMUM", "ante")
    done(bet(service, round_, player, 600), 201)
    # the third is of what is available and what this seat holds already
    refused(bet(service, round_, player, 401), 422, "ABOVE_MAXIMUM", "ante")
    done(bet(service, round_, player, 400), 201)


@pytest.mark.parametrize(
    ("ruleset", "side", "code"),
    [
        (EURO, {"five_plus_one": 50}, "INVALID"),
        (LIVE, {"progressive": 50}, "INVALID"),
        (EURO, {"progressive": 49}, "BELOW_MINIMUM"),
        (EURO, {"progressive": 51}, "ABOVE_MAXIMUM"),
        (EURO, {"progressive": 50, "five_plus_one": 50}, "INVALID"),
    ],
)
def test_side_wagers_of_another_kind_or_price_are_refused_whole(
    service: Service, ruleset: str, side: dict[str, int], code: str
) -> None:
    jackpot = None if ruleset == LIVE else open_jackpot(service, EURO, "EUR")
    round_, player = new_round(service, ruleset, jackpot=jackpot), register(service, "EUR", 100_000)
    found = refused(bet(service, round_, player, seat=None if ruleset == LIVE else 1, **side), 422, code)
    assert found["field"].startswith("side.")
    assert money(service, player) == (100_000, 0)


def test_a_progressive_wager_where_no_jackpot_is_or_for_the_second_time_is_refused(service: Service) -> None:
    player = register(service, "EUR", 100_000)
    refused(bet(service, new_round(service), player, progressive=50), 422, "INVALID", "side.progressive")
    round_ = new_round(service, jackpot=open_jackpot(service, EURO, "EUR"))
    done(bet(service, round_, player, progressive=50), 201)
    refused(bet(service, round_, player, progressive=50), 422, "ABOVE_MAXIMUM", "side.progressive")
