"""`GET /v1/rounds/{round}/replay`: every step, and every result a second time; hidden cards stay hidden (R26, F32)."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from tests.http.floor import (
    DEALER,
    LIVE,
    decide,
    done,
    new_round,
    read,
    refused,
    step,
)
from tests.http.test_reads_rounds import HANDS, HIDDEN, shown_cards, two_seats
from tests.service import Service
from tests.support.rounds_over_http import pages, round_of_five, round_of_one


def replayed(service: Service, round_: str, **query: Any) -> dict[str, Any]:
    return read(service, f"/v1/rounds/{round_}/replay", **query)


def events(found: dict[str, Any]) -> list[str]:
    return [one["event"] for one in found["steps"]]


def test_R26_a_replay_is_marked_as_one_and_tells_each_step_with_its_actor_cards_and_money(service: Service) -> None:
    round_, ann = round_of_one(service)
    found = replayed(service, round_)
    assert (found["replay"], found["notice"][:6], found["phase"], found["next"]) == (True, "REPLAY", "SETTLED", None)
    assert (found["equal"], found["differences"], found["compared"] > 30) == (True, [], True)
    placed = next(one for one in found["steps"] if one["event"] == "seat.wager_placed.v1")
    assert (placed["actor"], placed["player"], placed["seat"]) == ("demo-engineer", ann, 1)
    assert [(one["kind"], one["stake"]) for one in placed["wagers"]] == [("ANTE", 1_000), ("PROGRESSIVE", 50)]
    held = found["steps"][found["steps"].index(placed) + 1]
    assert [(one["account"], one["amount_micro"], one["balance_micro"]) for one in held["lines"]] == [
        (f"av/{ann}", "-3050000000", "96950000000"), (f"held/{ann}", "3050000000", "3050000000"),
    ]  # fmt: skip
    given = next(one for one in found["steps"] if one["event"] == "jackpot.contributed.v1")
    assert (given["meter"]["meter_micro"], given["meter"]["meter_after_micro"]) == (20_000_000, 10_000_020_000_000)
    dealt = next(one for one in found["steps"] if one["event"] == "round.dealt.v1")
    assert [(one["to"], one["hand"], one["cards"]) for one in dealt["cards"]] == [
        ("ALL", "dealer", [None] * 4 + ["2h"]), (ann, "seat 1", HANDS["1"]),
    ]  # fmt: skip
    (settlement,) = found["settlements"]
    (seat,) = settlement["seats"]
    assert (settlement["dealer"], seat["cards"], seat["outcome"]) == (DEALER, HANDS["1"], "WIN")
    assert [(one["kind"], one["stake"], one["expected"], one["recorded"]) for one in seat["wagers"]] == [
        ("ANTE", 1_000, 2_000, 2_000), ("CALL", 2_000, 4_000, 4_000), ("PROGRESSIVE", 50, 0, 0),
    ]  # fmt: skip


def test_F32_before_the_showdown_a_replay_shows_no_hidden_card(service: Service) -> None:
    round_, players = two_seats(service)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": HANDS, "dealer": DEALER}))
    done(decide(service, round_, players[0]))
    found = replayed(service, round_)
    assert (found["phase"], found["settlements"], found["equal"]) == ("DECIDING", [], True)
    assert shown_cards(json.dumps(found), HIDDEN) == set()
    assert [one["cards"] for step in found["steps"] for one in step["cards"] if one["hand"] != "dealer"] == [
        [None] * 5, [None] * 5,
    ]  # fmt: skip


def test_a_round_of_many_seats_is_replayed_page_by_page_each_step_once(service: Service) -> None:
    round_, players = round_of_five(service)
    found = pages(partial(replayed, service, round_), lambda page: page["next"])
    assert [[one["player"] for one in page["settlements"][0]["seats"]] for page in found] == [
        players[:2], players[2:4], players[4:],
    ]  # fmt: skip
    positions = [one["position"] for page in found for one in page["steps"]]
    whole = replayed(service, round_)
    assert sorted(positions) == [one["position"] for one in whole["steps"]]
    assert len(set(positions)) == len(positions)
    assert [event for page in found[1:] for event in events(page) if event.startswith("round.")] == []
    assert all(page["equal"] for page in found)
    other = new_round(service, LIVE)
    wrong = service.get(f"/v1/rounds/{other}/replay", params={"cursor": found[0]["next"]})
    refused(wrong, 422, "INVALID", "cursor")
    refused(service.get(f"/v1/rounds/{round_}/replay", params={"limit": 101}), 422, "INVALID", "limit")


def test_a_voided_round_tells_what_was_settled_first_and_what_was_mirrored(service: Service) -> None:
    round_, players = two_seats(service)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": HANDS, "dealer": DEALER}))
    done(step(service, round_, "settle"))
    body = {"reason": "misdeal", "policy": "CLAW_BACK", "approver": "shift-manager"}
    done(step(service, round_, "void", body))
    found = replayed(service, round_)
    assert (found["phase"], found["equal"], len(found["settlements"])) == ("VOIDED", True, 1)
    assert {one["player"]: one["stage"] for one in found["voids"]} == dict.fromkeys(players, "AFTER_SETTLEMENT")
    assert events(found)[-2:] == ["seat.voided.v1", "wallet.outcome_reversed.v1"]
