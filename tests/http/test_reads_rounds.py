"""Rounds, tables and jackpots as they are read, phase by phase; what is hidden stays hidden (S0-07, S2-02, F32)."""

from __future__ import annotations

import json
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

HANDS = {"1": ["As", "Kd", "Qh", "7c", "2s"], "2": ["9c", "9d", "8h", "8s", "3c"]}
DEALER = ["Ac", "Kh", "4d", "3s", "2h"]
HIDDEN = [*HANDS["1"], *HANDS["2"], *DEALER[:4]]


def two_seats(service: Service, ruleset: str = EURO) -> tuple[str, list[str]]:
    """A round of a feed with players on seats 1 and 2."""
    round_ = new_round(service, ruleset, card_source="FEED")
    players = [register(service, currency_of(ruleset), 100_000) for _ in range(2)]
    for seat, player in enumerate(players, 1):
        done(bet(service, round_, player, seat=seat), 201)
    return round_, players


def shown_cards(text: str, cards: list[str]) -> set[str]:
    """Which of these cards a JSON text shows."""
    return {card for card in cards if json.dumps(card) in text}


@pytest.mark.parametrize("ruleset", [EURO, DOLLAR, LAND])
def test_F32_before_the_showdown_only_the_up_card_is_public_and_after_it_everything(
    service: Service, ruleset: str
) -> None:
    round_, players = two_seats(service, ruleset)
    view = read(service, f"/v1/rounds/{round_}")
    assert (view["phase"], view["cards"]["dealer"], view["seats"][0]["cards"]) == ("BETTING_OPEN", [], [])
    done(step(service, round_, "close"))
    assert read(service, f"/v1/rounds/{round_}")["phase"] == "BETTING_CLOSED"
    dealt = done(step(service, round_, "deal", {"seats": HANDS, "dealer": DEALER}))
    assert dealt["dealer"] == [None] * 4 + ["2h"]
    done(decide(service, round_, players[0]))
    view = read(service, f"/v1/rounds/{round_}")
    assert (view["phase"], view["cards"]["dealer"]) == ("DECIDING", [None] * 4 + ["2h"])
    assert [seat["cards"] for seat in view["seats"]] == [[None] * 5] * 2
    assert [(seat["decision"], seat["outcome"], seat["payout"], seat["net"]) for seat in view["seats"]] == [
        ("CALL", None, None, None), (None, None, None, None),
    ]  # fmt: skip
    for path in (f"/v1/rounds/{round_}", f"/v1/rounds/{round_}/events", "/v1/tables",
                 f"/v1/players/{players[0]}/game-history", f"/v1/players/{players[1]}/account-history"):  # fmt: skip
        assert shown_cards(json.dumps(read(service, path)), HIDDEN) == set()
    feed = done(service.get("/v1/events", params={"after": dealt["position"] - 50, "limit": 1000}))
    ours = [one for one in feed["events"] if round_ in one["subject"]]
    assert ours
    assert shown_cards(json.dumps(ours), HIDDEN) == set()
    done(step(service, round_, "settle"))
    view = read(service, f"/v1/rounds/{round_}")
    assert (view["phase"], view["cards"]["dealer"], view["dealer_hand"]) == ("SETTLED", DEALER, "HIGH_CARD")
    assert [seat["cards"] for seat in view["seats"]] == [HANDS["1"], HANDS["2"]]


def test_bug_050_a_result_names_hands_and_winner_and_no_bare_score(service: Service) -> None:
    round_, players = two_seats(service)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": HANDS, "dealer": DEALER}))
    for player in players:
        done(decide(service, round_, player))
    done(step(service, round_, "settle"))
    seats = read(service, f"/v1/rounds/{round_}")["seats"]
    assert [(one["player_hand"], one["outcome"], one["net"]) for one in seats] == [
        ("HIGH_CARD", "WIN", 3_000), ("TWO_PAIR", "WIN", 5_000),
    ]  # fmt: skip
    assert "score" not in json.dumps(seats)


def test_C1_the_shared_hand_is_public_from_the_deal_on_and_the_dealers_first_card_is_up(service: Service) -> None:
    round_, player = new_round(service, LIVE, card_source="FEED"), register(service, "EUR", 100_000)
    done(bet(service, round_, player, seat=None), 201)
    done(step(service, round_, "close"))
    dealt = done(step(service, round_, "deal", {"player": HANDS["1"], "dealer": DEALER}))
    assert (dealt["player"], dealt["dealer"]) == (HANDS["1"], ["Ac"] + [None] * 4)
    view = read(service, f"/v1/rounds/{round_}")
    assert (view["cards"]["player"], view["cards"]["dealer"]) == (HANDS["1"], ["Ac"] + [None] * 4)


def test_S0_36_a_player_sees_the_own_cards_hand_wagers_and_deadline_from_the_deal_on(service: Service) -> None:
    round_, players = two_seats(service)
    path = f"/v1/rounds/{round_}/players/{players[1]}"
    before = read(service, path)
    assert (before["cards"], before["hand"], before["deadline"]) == (None, None, None)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": HANDS, "dealer": DEALER}))
    own = read(service, path)
    assert (own["seat"], own["cards"], own["hand"], own["phase"]) == (2, HANDS["2"], "TWO_PAIR", "DECIDING")
    assert own["dealer"] == [None] * 4 + ["2h"]
    assert shown_cards(json.dumps(own), [*HANDS["1"], *DEALER[:4]]) == set()
    assert [(one["kind"], one["stake"]) for one in own["wagers"]] == [("ANTE", 1_000)]
    assert own["deadline"].endswith("Z")
    done(decide(service, round_, players[1], "fold"))
    assert (read(service, path)["decision"], read(service, path)["decided_by"]) == ("FOLD", "PLAYER")


def test_F32_the_shoe_hides_the_deck_until_the_end_and_then_opens_it(service: Service) -> None:
    round_, player = new_round(service), register(service, "EUR", 100_000)
    done(bet(service, round_, player), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal"))
    own = read(service, f"/v1/rounds/{round_}/players/{player}")["cards"]
    view = read(service, f"/v1/rounds/{round_}")
    up = view["cards"]["dealer"][4]
    assert (view["cards"]["deck"], view["cards"]["salt"], len(view["commitment"])) == (None, None, 64)
    assert shown_cards(json.dumps(view), [card for card in own if card != up]) == set()
    done(step(service, round_, "settle"))
    after = read(service, f"/v1/rounds/{round_}")
    assert len(set(after["cards"]["deck"])) == 52
    assert after["seats"][0]["cards"] == own
    assert (after["cards"]["dealer"][4], after["commitment"]) == (up, view["commitment"])


def test_S0_28_a_paused_round_tells_why_and_goes_on_where_it_stood(service: Service) -> None:
    round_, _ = two_seats(service)
    done(step(service, round_, "close"))
    done(step(service, round_, "pause", {"reason": "camera 3 \u00e9"}))
    view = read(service, f"/v1/rounds/{round_}")
    assert (view["phase"], view["pause_reason"]) == ("PAUSED", "camera 3 \u00e9")
    for what, body in (("deal", {"seats": HANDS, "dealer": DEALER}), ("settle", {}), ("close", {})):
        refused(step(service, round_, what, body), 409, "WRONG_PHASE")
    assert done(step(service, round_, "resume"))["phase"] == "BETTING_CLOSED"
    assert read(service, f"/v1/rounds/{round_}")["pause_reason"] is None


def test_S0_40_a_round_is_found_by_game_number_and_by_table_newest_first(service: Service) -> None:
    table = open_table(service, EURO, "EUR")
    rounds = []
    for _ in range(3):
        rounds.append(open_round(service, table))
        done(step(service, rounds[-1], "void"))
    found = read(service, "/v1/rounds", table=table)["items"]
    assert [one["round"] for one in found] == rounds[::-1]
    numbers = {one["game_number"] for one in found}
    assert len(numbers) == 3
    for one in found:
        assert table in one["game_number"]
        assert read(service, "/v1/rounds", game_number=one["game_number"])["items"] == [one]
    first = read(service, "/v1/rounds", table=table, limit=2)
    rest = read(service, "/v1/rounds", table=table, limit=2, cursor=first["next"])
    assert [one["round"] for one in first["items"] + rest["items"]] == rounds[::-1]
    assert rest["next"] is None
    for query in ({"table": "none"}, {"game_number": "20260101-000000-none"}):
        assert read(service, "/v1/rounds", **query)["items"] == []


def test_a_rounds_seats_come_in_pages(service: Service) -> None:
    round_ = new_round(service, LIVE)
    players = [register(service, "EUR", 10_000) for _ in range(7)]
    for player in players:
        done(bet(service, round_, player, 500, seat=None), 201)
    seen, cursor = [], None
    while True:
        page = read(service, f"/v1/rounds/{round_}", limit=3, **({"cursor": cursor} if cursor else {}))
        seen += [one["player"] for one in page["seats"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert (sorted(seen), len(seen)) == (sorted(players), 7)


def lobby(service: Service) -> dict[str, dict[str, Any]]:
    """Every table by its id."""
    found, cursor = [], None
    while True:
        page = read(service, "/v1/tables", **({"cursor": cursor} if cursor else {}))
        found += page["items"]
        cursor = page["next"]
        if cursor is None:
            return {one["table"]: one for one in found}


def test_S2_03_the_lobby_shows_limits_seats_phase_and_meter(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR", seed=123_456)
    table, player = open_table(service, EURO, "EUR", jackpot), register(service, "EUR", 10_000)
    one = lobby(service)[table]
    assert (one["ante_min"], one["ante_max"], one["seats"], one["seats_taken"]) == (500, 10_000, 4, [])
    assert (one["phase"], one["round"], one["meter"], one["meter_micro"]) == (None, None, 123_456, 123_456 * 10**6)
    round_ = open_round(service, table)
    done(bet(service, round_, player, seat=3), 201)
    one = lobby(service)[table]
    assert (one["phase"], one["round"], one["seats_taken"], one["players"]) == ("BETTING_OPEN", round_, [3], 1)
    done(step(service, round_, "void"))
    assert (lobby(service)[table]["phase"], lobby(service)[table]["seats_taken"]) == (None, [])
