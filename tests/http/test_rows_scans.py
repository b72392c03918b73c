"""Cards of a live table scanned one by one, over HTTP (S2-09)."""

from __future__ import annotations

from typing import Any

import httpx2

from tests.http.floor import (
    ACES,
    DEALER,
    EURO,
    LIVE,
    bet,
    decide,
    done,
    new_round,
    read,
    refused,
    register,
    step,
)
from tests.service import Service

HANDS = {"1": ACES, "dealer": DEALER}
DEAL = [{"to": to, "number": nth + 1, "card": hand[nth]} for nth in range(5) for to, hand in HANDS.items()]
"""In the order of the deal, for one player on seat 1."""


def closed(service: Service, ruleset: str = EURO, **more: Any) -> tuple[str, str]:
    """A live round with a bet on seat 1, betting closed; and the player."""
    round_, player = new_round(service, ruleset, **{"card_source": "FEED", **more}), register(service, "EUR", 100_000)
    done(bet(service, round_, player, 500, seat=None if ruleset == LIVE else 1), 201)
    done(step(service, round_, "close"))
    return round_, player


def scan(service: Service, round_: str, body: dict[str, Any], **more: Any) -> httpx2.Response:
    return step(service, round_, "cards", {**body, **more})


def correct(service: Service, round_: str, body: dict[str, Any], **more: Any) -> httpx2.Response:
    return step(service, round_, "cards/corrections", {**body, "reason": "glare on the scanner", **more})


def test_S2_09_over_http_single_cards_deal_with_the_last_of_them(service: Service) -> None:
    round_, player = closed(service)
    first = done(scan(service, round_, DEAL[0]))
    assert (first["laid"], first["next"]) == (1, [{"to": "dealer", "number": 1}, {"to": "1", "number": 2}])
    refused(scan(service, round_, DEAL[0]), 409, "CARD_OUT_OF_PLACE", "number")
    refused(scan(service, round_, DEAL[1], card=ACES[0]), 422, "DUPLICATE_CARD", "card")
    for body in DEAL[1:-1]:
        assert done(scan(service, round_, body))["phase"] == "BETTING_CLOSED"
    before = read(service, f"/v1/rounds/{round_}")
    assert (before["scanned"], before["cards"]["dealer"]) == (9, [])
    last = done(scan(service, round_, DEAL[-1]))
    assert (last["phase"], last["next"], last["deadline"] is None) == ("DECIDING", [], False)
    assert read(service, f"/v1/rounds/{round_}")["cards"]["dealer"] == [None, None, None, None, DEALER[4]]
    assert read(service, f"/v1/rounds/{round_}/players/{player}")["cards"] == ACES
    done(decide(service, round_, player))
    done(step(service, round_, "settle"))
    assert read(service, f"/v1/rounds/{round_}")["seats"][0]["cards"] == ACES


def test_S2_09_over_http_a_misread_single_card_is_put_right_and_shown_once_the_cards_are(service: Service) -> None:
    round_, _ = closed(service)
    refused(correct(service, round_, DEAL[0]), 404, "NOT_FOUND", "number")
    done(scan(service, round_, DEAL[0], card="9h"))
    refused(correct(service, round_, DEAL[0], reason="no 9h"), 422, "INVALID", "reason")
    refused(correct(service, round_, DEAL[0], reason=" "), 422, "INVALID", "reason")
    done(correct(service, round_, DEAL[0]))
    for body in DEAL[1:-1]:
        done(scan(service, round_, body))
    (note,) = read(service, f"/v1/rounds/{round_}")["misread"]
    assert (note["to"], note["number"], note["read"], note["card"]) == ("1", 1, None, None)
    held = done(scan(service, round_, DEAL[-1], card="9h", hold=True))
    assert (held["phase"], held["next"]) == ("BETTING_CLOSED", [])
    done(correct(service, round_, DEAL[-1]))
    refused(step(service, round_, "deal", {"seats": {"1": ACES}, "dealer": DEALER}), 422, "INVALID", "dealer")
    assert done(step(service, round_, "deal"))["dealer"][4] == DEALER[4]
    refused(correct(service, round_, DEAL[0], card="9h"), 409, "WRONG_PHASE", "round")
    done(step(service, round_, "settle"))
    shown = read(service, f"/v1/rounds/{round_}")
    assert [(one["read"], one["card"], one["reason"]) for one in shown["misread"]] == [
        ("9h", ACES[0], "glare on the scanner"),
        ("9h", DEALER[4], "glare on the scanner"),
    ]
    events = read(service, f"/v1/rounds/{round_}/events")["items"]
    (by,) = {one["data"]["meta"]["actor"] for one in events if one["type"] == "studbook.round.scan_corrected.v1"}
    assert by


def test_S2_09_over_http_a_single_card_of_a_wrong_form_or_table_names_its_field(service: Service) -> None:
    round_, _ = closed(service, LIVE)
    for field, value in {"to": "seat", "number": 6, "card": "1x"}.items():
        refused(scan(service, round_, {**DEAL[1], field: value}), 422, "INVALID", field)
    refused(scan(service, round_, DEAL[0]), 422, "INVALID", "to")  # one hand for all: no seat has cards
    done(scan(service, round_, {**DEAL[0], "to": "player"}))
    shoe, _ = closed(service, card_source="SHOE")
    refused(scan(service, shoe, DEAL[0]), 422, "INVALID", "card")
    still_open = new_round(service, EURO, card_source="FEED")
    refused(scan(service, still_open, DEAL[0]), 409, "WRONG_PHASE", "round")
    refused(scan(service, "no-round", DEAL[0]), 404, "NOT_FOUND", "round")
