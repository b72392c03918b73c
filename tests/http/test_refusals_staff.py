"""What staff asks for and the state refuses, with the codes of the contract: pools, service, parts of rounds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.http.floor import (
    ACES,
    DEALER,
    DOLLAR,
    EURO,
    LAND,
    LIVE,
    bet,
    done,
    money,
    new_round,
    open_jackpot,
    open_round,
    open_table,
    read,
    refused,
    register,
    step,
)
from tests.service import Service

WHY = {"reason": "miscount", "approver": "boss"}
FULL = {"policy": "CLAW_BACK", **WHY}


def service_of(service: Service, what: str, scope: str, name: str) -> Any:
    return service.post(f"/v1/{what}", {"scope": scope, "id": name, "reason": "look"})


def test_what_is_out_of_service_takes_nothing_and_is_disabled_and_enabled_once(service: Service) -> None:
    pool = open_jackpot(service, EURO, "EUR")
    table, player = open_table(service, EURO, "EUR", pool), register(service, "EUR", 10_000)
    other = open_table(service, EURO, "EUR", pool)
    round_ = open_round(service, other)
    for scope, name in (("TABLE", table), ("PLAYER", player), ("JACKPOT", pool)):
        refused(service_of(service, "enable", scope, name), 409, "WRONG_PHASE")
        done(service_of(service, "disable", scope, name))
        refused(service_of(service, "disable", scope, name), 409, "WRONG_PHASE")
    refused(service.post(f"/v1/tables/{table}/rounds"), 409, "WRONG_PHASE", "table")
    refused(bet(service, round_, player), 403, "FORBIDDEN")
    paid = {"amount": 1, "currency": "EUR", "transaction_id": service.name("t")}
    refused(service.post(f"/v1/players/{player}/deposits", paid), 403, "FORBIDDEN")
    done(service_of(service, "enable", "PLAYER", player))
    refused(bet(service, round_, player, progressive=50), 409, "WRONG_PHASE")
    assert money(service, player) == (10_000, 0)
    done(service_of(service, "enable", "JACKPOT", pool))
    done(bet(service, round_, player, progressive=50), 201)


def test_a_rule_set_out_of_service_opens_no_round_and_ends_those_that_are_open(service: Service) -> None:
    round_, player, table = new_round(service, LAND), register(service, "USD", 10_000), open_table(service, LAND, "USD")
    done(service_of(service, "disable", "RULESET", LAND))
    try:
        refused(service.post(f"/v1/tables/{table}/rounds"), 409, "WRONG_PHASE", "table")
        done(bet(service, round_, player), 201)
    finally:
        done(service_of(service, "enable", "RULESET", LAND))
    open_round(service, table)


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"increment_rate": "1.5"}, "increment_rate"),
        ({"increment_rate": "0.0000001"}, "increment_rate"),
        ({"reserve_rate": "four"}, "reserve_rate"),
        ({"increment_rate": "0.9", "reserve_rate": "0.2"}, None),
        ({"seed": 2_000, "ceiling": 1_999}, None),
        ({"reset": 2_000, "ceiling": 1_999}, None),
    ],
)
def test_a_pool_of_terms_that_cannot_be_kept_is_INVALID(
    service: Service, terms: dict[str, Any], field: str | None
) -> None:
    name = service.name("pool")
    body = {"jackpot": name, "ruleset": EURO, "currency": "EUR", "seed": 1_000, "reset": 1_000, **terms}
    refused(service.post("/v1/jackpots", body), 422, "INVALID", field)
    refused(service.get(f"/v1/jackpots/{name}"), 404, "NOT_FOUND")


def test_a_pools_ceiling_stays_above_meter_and_reset_and_its_id_is_given_once(service: Service) -> None:
    pool = open_jackpot(service, EURO, "EUR", seed=5_000, reset=3_000)
    for ceiling, field in ((4_999, "ceiling"), (2_999, "reset")):
        body = {"ceiling": ceiling, "reason": "season"}
        refused(service.send("PATCH", f"/v1/jackpots/{pool}", body), 422, "INVALID", field)
    body = {"jackpot": pool, "ruleset": EURO, "currency": "EUR", "seed": 1, "reset": 1}
    refused(service.post("/v1/jackpots", body), 409, "ALREADY_EXISTS", "jackpot")
    assert read(service, f"/v1/jackpots/{pool}")["meter"] == 5_000


def test_corrections_and_transfers_move_something_that_is_there_between_pools_of_one_currency(service: Service) -> None:
    euro, other = (open_jackpot(service, EURO, "EUR", seed=1_000, reset=1_000) for _ in range(2))
    dollar = open_jackpot(service, DOLLAR, "USD")
    path = f"/v1/jackpots/{euro}"
    for amount in ("0", "-1000000001"):
        refused(service.post(f"{path}/corrections", {"amount_micro": amount, **WHY}), 422, "INVALID", "amount_micro")
    for amount in ("0", "-1", "1000000001"):
        body = {"amount_micro": amount, "to": other, **WHY}
        refused(service.post(f"{path}/transfers", body), 422, "INVALID", "amount_micro")
    body = {"amount_micro": "1", "to": dollar, **WHY}
    refused(service.post(f"{path}/transfers", body), 422, "CURRENCY_MISMATCH", "to")
    assert [read(service, f"/v1/jackpots/{one}")["meter"] for one in (euro, other)] == [1_000, 1_000]


def test_a_tables_terms_fit_its_pool_and_each_other(service: Service) -> None:
    pool = open_jackpot(service, EURO, "EUR")
    body = {"table": service.name("t"), "ruleset": LIVE, "currency": "EUR", "ante_min": 1, "ante_max": 2}
    refused(service.post("/v1/tables", {**body, "jackpot": pool}), 422, "INVALID", "jackpot")
    body |= {"ruleset": EURO, "call_reserve": "NONE", "timeout_policy": "BET_IF_PAIR_OR_BETTER"}
    refused(service.post("/v1/tables", body), 422, "INVALID")
    body |= {"timeout_policy": "FOLD", "jackpot": open_jackpot(service, DOLLAR, "USD")}
    refused(service.post("/v1/tables", body), 422, "CURRENCY_MISMATCH", "jackpot")


def test_S0_24_a_spots_least_and_most_and_the_total_are_held_at_the_table(service: Service) -> None:
    player = register(service, "EUR", 1_000_000)
    round_ = new_round(service, LIVE, total_max=1_000, side_min=50)
    refused(bet(service, round_, player, None, seat=None), 422, "INVALID")
    refused(bet(service, round_, player, 1_001, seat=None), 422, "ABOVE_MAXIMUM")
    refused(bet(service, round_, player, 500, seat=None, five_plus_one=49), 422, "BELOW_MINIMUM")
    done(bet(service, round_, player, 500, seat=None), 201)
    done(bet(service, round_, player, None, seat=None, five_plus_one=500), 201)
    refused(bet(service, round_, player, 1, seat=None), 422, "ABOVE_MAXIMUM")
    euro = new_round(service, EURO, jackpot=open_jackpot(service, EURO, "EUR"))
    done(bet(service, euro, player, 500), 201)
    refused(bet(service, euro, player, None, progressive=50), 422, "INVALID", "side.progressive")


def played(service: Service, **more: Any) -> tuple[str, str, str]:
    """A royal flush, folded, with a progressive wager: round, player, pool."""
    pool = open_jackpot(service, EURO, "EUR", seed=5_000, **more)
    round_ = new_round(service, jackpot=pool, card_source="FEED")
    player = register(service, "EUR", 10_000)
    done(bet(service, round_, player, 500, progressive=50), 201)
    done(step(service, round_, "close"))
    cards = {"seats": {"1": ["Ah", "Kh", "Qh", "Jh", "Th"]}, "dealer": [*DEALER[:1], "Kd", "4d", "3s", "2h"]}
    done(step(service, round_, "deal", cards))
    done(step(service, round_, "settle"))
    return round_, player, pool


def test_a_prize_is_verified_or_refused_once_and_not_after_a_void(service: Service) -> None:
    round_, _, pool = played(service, handpay_threshold=0)
    path = f"/v1/jackpots/{pool}/awards/{read(service, f'/v1/jackpots/{pool}')['awards'][0]['award']}"
    refused(service.post(f"/v1/jackpots/{pool}/awards/none/verify", WHY), 404, "NOT_FOUND")
    refused(service.post(f"{path}/verify", {**WHY, "approver": "demo-engineer"}), 403, "FORBIDDEN", "approver")
    done(service.post(f"{path}/verify", WHY))
    for what in ("verify", "refuse"):
        refused(service.post(f"{path}/{what}", WHY), 409, "WRONG_PHASE")
    done(step(service, round_, "void", FULL))
    for what in ("verify", "refuse"):
        refused(service.post(f"{path}/{what}", WHY), 409, "ALREADY_VOIDED")


def test_a_part_of_a_round_is_voided_once_betting_is_closed_and_once(service: Service) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 10_000)
    placed = done(bet(service, round_, player, 500, seat=None, five_plus_one=100), 201)
    named = {"wagers": [next(one["wager"] for one in placed["wagers"] if one["kind"] == "SIDE")]}
    refused(step(service, round_, "void", named), 409, "WRONG_PHASE")
    done(step(service, round_, "close"))
    refused(step(service, round_, "void", {"wagers": ["unheard-of"]}), 404, "NOT_FOUND", "wagers")
    done(step(service, round_, "void", named))
    refused(step(service, round_, "void", named), 409, "ALREADY_VOIDED", "wagers")
    assert money(service, player) == (8_500, 1_500)


def test_bug_060_a_bonus_that_was_voided_stays_in_the_history_when_the_main_bet_is_settled(service: Service) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 10_000)
    placed = done(bet(service, round_, player, 500, seat=None, five_plus_one=100), 201)
    done(step(service, round_, "close"))
    side = next(one["wager"] for one in placed["wagers"] if one["kind"] == "SIDE")
    done(step(service, round_, "void", {"wagers": [side]}))
    done(step(service, round_, "deal"))
    done(step(service, round_, "settle"))
    (game,) = read(service, f"/v1/players/{player}/game-history")["items"]
    told = {one["kind"]: (one["stake"], one["status"]) for one in game["wagers"]}
    assert told["SIDE"] == (100, "VOIDED")
    lines = read(service, f"/v1/players/{player}/account-history")["items"]
    assert [(one["kind"], one["refund"]) for one in lines] == [("ROUND", 0), ("VOID", 100), ("DEPOSIT", 0)]


def test_nothing_held_for_review_cannot_be_resolved_and_corrected_cards_fit_the_round(service: Service) -> None:
    round_, player, _ = played(service, handpay_threshold=None)
    before = money(service, player)
    refused(step(service, round_, "void/resolve", {"policy": "CLAW_BACK"}), 409, "WRONG_PHASE")
    for cards in ({"player": ACES}, {"seats": {"2": ACES}}, {"seats": {"1": ACES, "2": ACES}}, {}):
        refused(step(service, round_, "resettle", {**cards, "dealer": DEALER, **FULL}), 422, "INVALID", "seats")
    refused(step(service, round_, "resettle", {"seats": {"1": ACES}, "dealer": ["As", *DEALER[1:]], **FULL}),
            422, "DUPLICATE_CARD")  # fmt: skip
    assert money(service, player) == before


@pytest.mark.parametrize(
    ("seats", "dealer", "field"),
    [({"1": ["Ax", *ACES[1:]]}, ["2h"], "seats"), ({"1": ACES[:4]}, ["2h"], "seats"), ({"5": ACES}, ["2h"], "seats"),
     ({"1": ACES}, ["1h"], "dealer"), ({"0": ACES}, ["2h"], "seats")],
)  # fmt: skip
def test_what_is_no_card_or_no_seat_is_INVALID_in_a_deal(
    service: Service, seats: dict[str, list[str]], dealer: list[str], field: str
) -> None:
    round_, player = new_round(service, EURO, card_source="FEED"), register(service, "EUR", 10_000)
    done(bet(service, round_, player), 201)
    done(step(service, round_, "close"))
    found = refused(step(service, round_, "deal", {"seats": seats, "dealer": dealer}), 422, "INVALID")
    assert found["field"].replace("[", ".").split(".")[0] == field


def test_a_table_and_a_pool_are_of_one_rule_set_and_no_account_of_a_pool_passes_its_bound(service: Service) -> None:
    pool = open_jackpot(service, DOLLAR, "USD", seed=1_000, reset=1_000)
    body = {"table": service.name("t"), "ruleset": LAND, "currency": "USD", "ante_min": 1, "ante_max": 2}
    refused(service.post("/v1/tables", {**body, "jackpot": pool}), 422, "INVALID", "jackpot")
    most = {"amount_micro": str(9 * 10**15), "account": "res", **WHY}
    done(service.post(f"/v1/jackpots/{pool}/corrections", {**most, "amount_micro": str(9 * 10**15 - 1)}))
    refused(service.post(f"/v1/jackpots/{pool}/corrections", most), 422, "INVALID")


def test_undo_takes_the_last_action_first_so_a_bonus_never_stands_on_an_ante_below_the_minimum(
    service: Service,
) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 10_000)
    done(bet(service, round_, player, 500, seat=None), 201)
    done(bet(service, round_, player, None, seat=None, five_plus_one=100), 201)
    done(bet(service, round_, player, 200, seat=None), 201)
    for left in (1_600, 1_500):  # the last action first: the 200, then the bonus, then the ante alone
        assert done(step(service, round_, "undo", {"player": player}))["balance"]["held"] == left
    done(step(service, round_, "undo", {"player": player}))
    assert money(service, player) == (10_000, 0)


def test_C1_a_round_of_one_hand_for_all_is_corrected_by_that_hand(service: Service) -> None:
    round_, player = new_round(service, LIVE, card_source="FEED"), register(service, "EUR", 10_000)
    done(bet(service, round_, player, 500, seat=None), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"player": ACES, "dealer": DEALER}))
    done(step(service, round_, "settle"))
    for cards in ({"seats": {"1": ACES}}, {}):
        refused(step(service, round_, "resettle", {**cards, "dealer": DEALER, **FULL}), 422, "INVALID", "player")
    assert money(service, player)[1] == 0
