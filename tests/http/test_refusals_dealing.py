"""Cards, decisions and settlement that the state refuses (S0-03, S0-38, S2-18, bug rows 48 and 50)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.http.floor import (
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
    open_round,
    open_table,
    refused,
    register,
    step,
)
from tests.service import Service

PLAYER = ["As", "Kd", "Qh", "7c", "2s"]
DEALER = ["Ac", "Kh", "4d", "3s", "2h"]
OTHER = ["9c", "9d", "8h", "8s", "3c"]


def closed_feed(service: Service, ruleset: str = EURO, **more: Any) -> tuple[str, str]:
    """A round of a live feed with one player on seat 1, betting closed."""
    round_ = new_round(service, ruleset, card_source="FEED", **more)
    player = register(service, currency_of(ruleset), 100_000)
    done(bet(service, round_, player, seat=None if ruleset == LIVE else 1), 201)
    done(step(service, round_, "close"))
    return round_, player


def phase(service: Service, round_: str) -> str:
    position = service.get("/readyz").json()["position"]
    return str(done(service.get(f"/v1/rounds/{round_}", params={"min_position": position}))["phase"])


@pytest.mark.parametrize(
    "cards",
    [
        {"seats": {"1": ["7h", "7h", "Qh", "7c", "2s"]}, "dealer": ["Kh"]},
        {"seats": {"1": PLAYER}, "dealer": ["As"]},
        {"seats": {"1": PLAYER}, "dealer": ["Ac", "Kh", "4d", "3s", "As"]},
        {"seats": {"1": PLAYER}, "dealer": ["Ac", "Ac", "4d", "3s", "2h"]},
    ],
)
def test_bug_048_a_card_twice_in_a_deal_is_DUPLICATE_CARD_that_names_it_and_the_round_stays_open(
    service: Service, cards: dict[str, Any]
) -> None:
    round_, _ = closed_feed(service)
    found = refused(step(service, round_, "deal", cards), 422, "DUPLICATE_CARD")
    assert any(card in found["detail"] for card in ("7h", "As", "Ac")), found
    assert phase(service, round_) == "BETTING_CLOSED"
    assert done(step(service, round_, "deal", {"seats": {"1": PLAYER}, "dealer": DEALER}))["phase"] == "DECIDING"


@pytest.mark.parametrize("dealer", [["Ac", "4d", "3s", "As"], ["Ac", "4d", "3s", "2h"], ["Kh", "4d", "3s", "3s"]])
def test_bug_048_a_card_twice_at_the_settlement_is_DUPLICATE_CARD_and_the_round_stays_open(
    service: Service, dealer: list[str]
) -> None:
    round_, player = closed_feed(service)
    done(step(service, round_, "deal", {"seats": {"1": PLAYER}, "dealer": ["2h"]}))
    done(decide(service, round_, player))
    before = money(service, player)
    refused(step(service, round_, "settle", {"dealer": dealer}), 422, "DUPLICATE_CARD")
    assert (phase(service, round_), money(service, player)) == ("DECIDING", before)
    assert done(step(service, round_, "settle", {"dealer": ["Ac", "Kh", "4d", "3s"]}))["phase"] == "SETTLED"


@pytest.mark.parametrize(
    ("ruleset", "cards", "field"),
    [
        (EURO, {}, "dealer"),
        (EURO, {"dealer": ["2h"]}, "seats"),
        (EURO, {"seats": {"2": PLAYER}, "dealer": ["2h"]}, "seats"),
        (EURO, {"seats": {"1": PLAYER, "2": OTHER}, "dealer": ["2h"]}, "seats"),
        (EURO, {"seats": {}, "dealer": ["2h"]}, "seats"),
        (EURO, {"seats": {"1": PLAYER}, "dealer": ["2h", "3h"]}, "dealer"),
        (EURO, {"player": PLAYER, "dealer": ["2h"]}, "seats"),
        (LIVE, {"seats": {"1": PLAYER}, "dealer": ["2h"]}, "player"),
        (LIVE, {"player": PLAYER}, "dealer"),
    ],
)
def test_a_feed_that_does_not_fit_the_table_is_INVALID_and_the_round_stays_open(
    service: Service, ruleset: str, cards: dict[str, Any], field: str
) -> None:
    round_, _ = closed_feed(service, ruleset)
    refused(step(service, round_, "deal", cards), 422, "INVALID", field)
    assert phase(service, round_) == "BETTING_CLOSED"


def test_the_feeds_dealer_is_told_once_whole_and_with_the_card_that_is_up(service: Service) -> None:
    round_, _ = closed_feed(service)
    done(step(service, round_, "deal", {"seats": {"1": PLAYER}, "dealer": ["2h"]}))
    refused(step(service, round_, "settle"), 422, "INVALID", "dealer")
    refused(step(service, round_, "settle", {"dealer": ["2h", "Kh", "4d", "3s", "Ac"]}), 422, "INVALID", "dealer")
    done(step(service, round_, "settle", {"dealer": DEALER}))
    round_, _ = closed_feed(service)
    done(step(service, round_, "deal", {"seats": {"1": PLAYER}, "dealer": DEALER}))
    refused(step(service, round_, "settle", {"dealer": DEALER}), 422, "INVALID", "dealer")


def test_the_shoe_is_told_no_cards(service: Service) -> None:
    round_, player = new_round(service), register(service, "EUR", 100_000)
    done(bet(service, round_, player), 201)
    done(step(service, round_, "close"))
    refused(step(service, round_, "deal", {"seats": {"1": PLAYER}}), 422, "INVALID", "seats")
    refused(step(service, round_, "deal", {"dealer": ["2h"]}), 422, "INVALID", "dealer")
    done(step(service, round_, "deal"))
    refused(step(service, round_, "settle", {"dealer": DEALER}), 422, "INVALID", "dealer")


def test_a_decision_before_the_deal_twice_or_after_the_end_is_WRONG_PHASE(service: Service) -> None:
    round_, player = closed_feed(service)
    refused(decide(service, round_, player), 409, "WRONG_PHASE")
    done(step(service, round_, "deal", {"seats": {"1": PLAYER}, "dealer": DEALER}))
    done(decide(service, round_, player, "fold"))
    for again in ("fold", "call"):
        refused(decide(service, round_, player, again), 409, "WRONG_PHASE")
    done(step(service, round_, "settle"))
    refused(decide(service, round_, player), 409, "WRONG_PHASE")


def test_who_has_no_wager_in_the_round_decides_nothing(service: Service) -> None:
    round_, _ = closed_feed(service)
    done(step(service, round_, "deal", {"seats": {"1": PLAYER}, "dealer": DEALER}))
    refused(decide(service, round_, register(service, "EUR", 100)), 404, "NOT_FOUND", "player")
    refused(decide(service, round_, "nobody"), 404, "NOT_FOUND", "player")


@pytest.mark.parametrize("ruleset", [LIVE, EURO, DOLLAR, LAND])
def test_each_step_out_of_its_order_is_WRONG_PHASE_in_every_game(service: Service, ruleset: str) -> None:
    round_ = new_round(service, ruleset)
    player = register(service, currency_of(ruleset), 100_000)
    done(bet(service, round_, player, seat=None if ruleset == LIVE else 1), 201)
    for what in ("deal", "settle", "resume"):
        refused(step(service, round_, what), 409, "WRONG_PHASE")
    done(step(service, round_, "close"))
    refused(step(service, round_, "settle"), 409, "WRONG_PHASE")
    done(step(service, round_, "deal"))
    refused(step(service, round_, "deal"), 409, "WRONG_PHASE")
    done(decide(service, round_, player))
    done(step(service, round_, "settle"))
    for what in ("deal", "settle", "resume"):
        refused(step(service, round_, what), 409, "WRONG_PHASE")
    refused(step(service, round_, "pause", {"reason": "late"}), 409, "WRONG_PHASE")


def test_S0_38_with_undecided_seats_settle_is_WRONG_PHASE_until_decision_seconds_after_the_deal(
    service: Service,
) -> None:
    round_, player = closed_feed(service, LAND, decision_seconds=3600)
    dealt = done(step(service, round_, "deal", {"seats": {"1": PLAYER}, "dealer": DEALER}))
    assert dealt["deadline"].endswith("Z")
    refused(step(service, round_, "settle"), 409, "WRONG_PHASE")
    done(decide(service, round_, player, "fold"))
    assert done(step(service, round_, "settle"))["phase"] == "SETTLED"


def test_S0_38_on_a_manual_table_the_dealers_call_is_the_clock_and_the_absent_are_decided_for(service: Service) -> None:
    round_, player = closed_feed(service, LAND)
    done(step(service, round_, "deal", {"seats": {"1": PLAYER}, "dealer": DEALER}))
    settled = done(step(service, round_, "settle"))
    seen = done(service.get(f"/v1/rounds/{round_}", params={"min_position": settled["position"]}))
    (seat,) = seen["seats"]
    assert (seat["player"], seat["decision"], seat["decided_by"]) == (player, "FOLD", "SYSTEM")


def test_one_incomplete_round_per_table(service: Service) -> None:
    table = open_table(service, EURO, "EUR")
    round_ = open_round(service, table)
    refused(service.post(f"/v1/tables/{table}/rounds"), 409, "WRONG_PHASE", "table")
    done(step(service, round_, "close"))
    refused(service.post(f"/v1/tables/{table}/rounds"), 409, "WRONG_PHASE", "table")
    done(step(service, round_, "void"))
    assert open_round(service, table) != round_


def test_an_id_in_use_is_ALREADY_EXISTS_and_what_it_names_stays_as_it_was(service: Service) -> None:
    table, player = open_table(service, EURO, "EUR"), register(service, "EUR", 5)
    body = {"table": table, "ruleset": LAND, "currency": "USD", "ante_min": 1, "ante_max": 2}
    refused(service.post("/v1/tables", body), 409, "ALREADY_EXISTS", "table")
    refused(service.post("/v1/players", {"player": player, "currency": "USD"}), 409, "ALREADY_EXISTS", "player")
    assert money(service, player) == (5, 0)
