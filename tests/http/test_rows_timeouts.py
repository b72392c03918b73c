"""What the table decides for the absent, with and without a reserve for the call, and settlements that meet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.http.floor import (
    ACES,
    DEALER,
    DOLLAR,
    EURO,
    LAND,
    LIVE,
    bet,
    currency_of,
    decide,
    done,
    money,
    new_round,
    open_table,
    played,
    read,
    refused,
    register,
    step,
)
from tests.http.test_rows_auto import rounds_of, until
from tests.service import Service


@pytest.mark.parametrize(
    ("ruleset", "terms", "decision"),
    [
        (LIVE, {"call_reserve": "NONE"}, "FOLD"),
        (EURO, {"call_reserve": "NONE", "timeout_policy": "FOLD"}, "FOLD"),
        (DOLLAR, {"call_reserve": "NONE"}, "FOLD"),
        (LAND, {"call_reserve": "NONE"}, "FOLD"),
        (EURO, {}, "CALL"),
        (EURO, {"timeout_policy": "FOLD"}, "FOLD"),
    ],
)
def test_C13_C14_C15_over_http_without_a_reserve_nobody_calls_for_the_absent_even_with_a_pair(
    service: Service, ruleset: str, terms: dict[str, str], decision: str
) -> None:
    currency = currency_of(ruleset)
    player = register(service, currency, 10_000)
    seconds = {"betting_seconds": 60, "decision_seconds": 1, "pause_seconds": 3600}
    table = open_table(service, ruleset, currency, pace="AUTO", card_source="FEED", **seconds, **terms)
    (round_,) = rounds_of(service, table, 1)
    seat = None if ruleset == LIVE else 1
    done(bet(service, round_, player, 1_000, seat=seat), 201)
    held = 1_000 if terms.get("call_reserve") else 3_000
    assert money(service, player) == (10_000 - held, held)
    done(step(service, round_, "close"))
    hands = {"player": ACES} if seat is None else {"seats": {"1": ACES}}
    done(step(service, round_, "deal", {**hands, "dealer": DEALER}))
    (shown,) = until(service, f"/v1/rounds/{round_}", phase="SETTLED")["seats"]
    assert (shown["decision"], shown["decided_by"]) == (decision, "SYSTEM")
    assert money(service, player) == ((13_000 if decision == "CALL" else 9_000), 0)
    done(service.post("/v1/disable", {"scope": "TABLE", "id": table, "reason": "the test is over"}))


def test_C13_C15_over_http_a_table_that_would_call_for_the_absent_needs_the_reserve(service: Service) -> None:
    body = {"table": service.name("table"), "ruleset": EURO, "currency": "EUR", "ante_min": 500, "ante_max": 10_000}
    for policy in ({}, {"timeout_policy": "BET_IF_PAIR_OR_BETTER"}):
        answer = service.post("/v1/tables", {**body, "call_reserve": "NONE", **policy})
        refused(answer, 422, "INVALID", "call_reserve")


def test_S0_07_over_http_a_seat_is_settled_once_however_many_settle(service: Service) -> None:
    round_, player = new_round(service, EURO, card_source="FEED"), register(service, "EUR", 10_000)
    done(bet(service, round_, player, 500), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": {"1": ACES}, "dealer": DEALER}))
    done(decide(service, round_, player))
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: step(service, round_, "settle"), range(8)))
    assert sorted(one.status_code for one in answers) == [200] + [409] * 7
    for one in answers:
        if one.status_code == 409:
            refused(one, 409, "WRONG_PHASE", "round")
    assert money(service, player) == (11_500, 0)
    lines = read(service, f"/v1/players/{player}/account-history")["items"]
    assert [one["kind"] for one in lines] == ["ROUND", "DEPOSIT"]


def test_S0_07_over_http_a_settled_seat_decides_and_is_settled_no_more(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    round_, _ = played(service, player)
    after = money(service, player)
    for decision in ("call", "fold"):
        refused(decide(service, round_, player, decision), 409, "WRONG_PHASE")
    refused(step(service, round_, "settle"), 409, "WRONG_PHASE")
    assert money(service, player) == after
