"""Double, repeat, undo, pass, leave and four tables at once, over HTTP (S0-31 to S0-35, S0-49, S3-07, C28)."""

from __future__ import annotations

from tests.http.floor import (
    ACES,
    DEALER,
    DOLLAR,
    EURO,
    LIVE,
    bet,
    decide,
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


def test_S0_32_C28_double_over_http_is_clipped_and_once_in_a_round(service: Service) -> None:
    round_, player = new_round(service, LIVE, side_max=250), register(service, "EUR", 100_000)
    refused(step(service, round_, "double", {"player": player}), 404, "NOT_FOUND")
    done(bet(service, round_, player, 6_000, seat=None, five_plus_one=100), 201)
    doubled = done(step(service, round_, "double", {"player": player}))
    assert [(one["kind"], one["stake"]) for one in doubled["wagers"]] == [("ANTE", 4_000), ("SIDE", 100)]
    assert doubled["total_bet"] == 10_200
    refused(step(service, round_, "double", {"player": player}), 409, "WRONG_PHASE")
    done(step(service, round_, "undo", {"player": player}))
    refused(step(service, round_, "double", {"player": player}), 409, "WRONG_PHASE")
    assert money(service, player) == (100_000 - 18_100, 18_100)


def test_S0_32_double_over_http_is_refused_at_the_maximum_and_without_funds(service: Service) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 40_000)
    done(bet(service, round_, player, 10_000, seat=None), 201)
    refused(step(service, round_, "double", {"player": player}), 422, "ABOVE_MAXIMUM")
    done(step(service, round_, "undo", {"player": player}))
    done(bet(service, round_, player, 9_000, seat=None), 201)
    done(bet(service, round_, player, 100, seat=None), 201)
    poor = register(service, "EUR", 3_000)
    done(bet(service, round_, poor, 600, seat=None), 201)
    refused(step(service, round_, "double", {"player": poor}), 409, "INSUFFICIENT_FUNDS")
    assert money(service, poor) == (1_200, 1_800)


def test_S0_33_repeat_over_http_places_the_bets_of_the_previous_round(service: Service) -> None:
    table = open_table(service, EURO, "EUR", open_jackpot(service, EURO, "EUR"), card_source="FEED")
    player = register(service, "EUR", 100_000)
    round_ = open_round(service, table)
    refused(step(service, round_, "repeat", {"player": player}), 404, "NOT_FOUND")
    done(bet(service, round_, player, 700, seat=3, progressive=50), 201)
    done(step(service, round_, "close"))
    refused(step(service, round_, "repeat", {"player": player}), 409, "BETTING_CLOSED")
    done(step(service, round_, "deal", {"seats": {"3": ACES}, "dealer": DEALER}))
    done(decide(service, round_, player))
    done(step(service, round_, "settle"))
    repeated = done(step(service, open_round(service, table), "repeat", {"player": player}))
    assert (repeated["seat"], repeated["total_bet"]) == (3, 750)


def test_S0_34_S0_35_undo_over_http_goes_backwards_and_names_the_total(service: Service) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 100_000)
    done(bet(service, round_, player, 600, seat=None), 201)
    assert done(bet(service, round_, player, None, seat=None, five_plus_one=200), 201)["total_bet"] == 800
    assert done(step(service, round_, "undo", {"player": player}))["total_bet"] == 600
    assert done(step(service, round_, "undo", {"player": player}))["total_bet"] == 0
    refused(step(service, round_, "undo", {"player": player}), 409, "WRONG_PHASE")
    assert money(service, player) == (100_000, 0)


def test_S3_07_who_passes_over_http_gets_bets_back_and_bets_no_more(service: Service) -> None:
    round_, player = new_round(service, DOLLAR), register(service, "USD", 100_000)
    done(bet(service, round_, player, 600), 201)
    assert done(step(service, round_, "pass", {"player": player}))["total_bet"] == 0
    refused(bet(service, round_, player, 600), 409, "WRONG_PHASE")
    refused(step(service, round_, "pass", {"player": service.name("nobody")}), 404, "NOT_FOUND")
    assert money(service, player) == (100_000, 0)
    done(step(service, round_, "close"))
    refused(step(service, round_, "pass", {"player": player}), 409, "BETTING_CLOSED")


def test_S0_31_who_leaves_over_http_has_open_bets_declined_and_later_ones_stand(service: Service) -> None:
    round_, player = new_round(service, LIVE), register(service, "EUR", 100_000)
    done(bet(service, round_, player, 600, seat=None), 201)
    assert done(step(service, round_, "leave", {"player": player}))["total_bet"] == 0
    done(bet(service, round_, player, 700, seat=None), 201)
    done(step(service, round_, "close"))
    assert done(step(service, round_, "leave", {"player": player}))["total_bet"] == 700
    assert money(service, player) == (97_900, 2_100)


def test_S0_49_bug_016_over_http_the_fifth_table_is_TABLE_LIMIT_and_free_after_a_settlement(
    service: Service,
) -> None:
    player = register(service, "EUR", 100_000)
    rounds = [new_round(service, LIVE) for _ in range(5)]
    for round_ in rounds[:4]:
        done(bet(service, round_, player, 500, seat=None), 201)
    refused(bet(service, rounds[4], player, 500, seat=None), 409, "TABLE_LIMIT")
    for what in ("close", "deal", "settle"):
        done(step(service, rounds[0], what))
    done(bet(service, rounds[4], player, 500, seat=None), 201)


def test_S0_36_over_http_the_decision_window_names_the_players_hand(service: Service) -> None:
    round_, player = new_round(service, EURO, card_source="FEED"), register(service, "EUR", 100_000)
    done(bet(service, round_, player, 500), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": {"1": ACES}, "dealer": DEALER}))
    own = read(service, f"/v1/rounds/{round_}/players/{player}")
    assert (own["cards"], own["hand"]) == (ACES, "PAIR")
