"""Bulk calls over HTTP: results in order, each item the single request that it would be alone."""

from __future__ import annotations

from typing import Any

import httpx2
import orjson
import pytest

from tests.http.floor import (
    ACES,
    DEALER,
    EURO,
    LIVE,
    decide,
    done,
    head,
    money,
    new_round,
    read,
    refused,
    register,
    step,
)  # fmt: skip
from tests.http.raw import ask
from tests.service import Service


@pytest.fixture
def players(service: Service) -> list[str]:
    """Five players with 100.00 each."""
    return [register(service, "EUR", 10_000) for _ in range(5)]


def bulk(service: Service, round_: str, what: str, items: list[dict[str, Any]], **more: Any) -> httpx2.Response:
    """A bulk call of a round without an Idempotency-Key."""
    return service.client.post(f"/v1/rounds/{round_}/{what}/bulk", json={what: items, **more})


def antes(players: list[str], ante: int = 1000) -> list[dict[str, Any]]:
    """Wagers of all players under keys of their own."""
    return [{"player": one, "ante": ante, "key": f"w-{one}-{ante}"} for one in players]


def test_results_come_in_order_each_with_status_key_and_the_single_calls_answer(
    service: Service, players: list[str]
) -> None:
    round_ = new_round(service, LIVE)
    items = [*antes(players), {"player": "nobody", "ante": 1000, "key": "n"}, *antes(players[:1], 20_000)]
    found = done(bulk(service, round_, "wagers", items))
    assert (found["succeeded"], found["refused"]) == (5, 2)
    assert [(one["status"], one["key"]) for one in found["results"]] == [
        *[(201, item["key"]) for item in items[:5]], (404, "n"), (422, items[6]["key"]),
    ]  # fmt: skip
    for player, one in zip(players, found["results"], strict=False):
        assert list(one)[:3] == ["status", "key", "replayed"]
        assert (one["player"], one["replayed"], one["total_bet"]) == (player, False, 1000)
        assert one["balance"] == {"available": 7_000, "held": 3_000, "currency": "EUR", "exponent": 2}
        assert money(service, player) == (7_000, 3_000)
    assert found["position"] == max(one["position"] for one in found["results"][:5])


def test_the_problem_of_an_item_is_that_of_the_single_call_with_its_key(service: Service, players: list[str]) -> None:
    round_ = new_round(service, LIVE)
    wrong = {"player": players[0], "ante": 20_000}
    alone = refused(service.post(f"/v1/rounds/{round_}/wagers", wrong), 422, "ABOVE_MAXIMUM", "ante")
    answer = bulk(service, round_, "wagers", [{**wrong, "key": "k"}])
    (found,) = done(answer)["results"]
    assert found == {**alone, "key": "k", "request_id": answer.headers["x-request-id"]}
    assert done(answer) == {**done(answer), "position": 0, "succeeded": 0, "refused": 1}


def test_R13_an_item_may_be_sent_again_by_the_single_call_and_the_other_way_round(
    service: Service, players: list[str]
) -> None:
    round_, first = new_round(service, LIVE), players[0]
    item = {"player": first, "ante": 1000}
    placed = done(bulk(service, round_, "wagers", [{**item, "key": f"b-{first}"}]))["results"][0]
    again = service.post(f"/v1/rounds/{round_}/wagers", item, key=f"b-{first}")
    assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")
    assert placed == {"status": 201, "key": f"b-{first}", "replayed": False, **again.json()}
    alone = service.post(f"/v1/rounds/{round_}/wagers", {"ante": 1000, "player": players[1]}, key=f"s-{first}")
    (found,) = done(bulk(service, round_, "wagers", [{**item, "player": players[1], "key": f"s-{first}"}]))["results"]
    assert found == {"status": 201, "key": f"s-{first}", "replayed": True, **done(alone, 201)}
    assert [money(service, one) for one in players[:2]] == [(7_000, 3_000)] * 2


def test_R13_a_call_sent_again_does_nothing_and_says_so(service: Service, players: list[str]) -> None:
    round_ = new_round(service, LIVE)
    first = bulk(service, round_, "wagers", antes(players))
    before = head(service)
    again = bulk(service, round_, "wagers", antes(players))
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert [{**one, "replayed": False} for one in again.json()["results"]] == done(first)["results"]
    more = bulk(service, round_, "wagers", [*antes(players), *antes(players[:1], 500)])
    assert "idempotency-replayed" not in more.headers, "one item is new"
    assert head(service) == before + 2


def test_items_without_a_key_take_the_headers_with_their_number(service: Service, players: list[str]) -> None:
    round_, key = new_round(service, LIVE), service.name("key")
    items = [{"player": one, "ante": 1000} for one in players[:3]]
    items[1]["key"] = f"own-{key}"
    answer = service.post(f"/v1/rounds/{round_}/wagers/bulk", {"wagers": items}, key=key)
    assert [one["key"] for one in done(answer)["results"]] == [f"{key}/0", f"own-{key}", f"{key}/2"]
    again = service.post(f"/v1/rounds/{round_}/wagers", items[2], key=f"{key}/2")
    assert again.headers["idempotency-replayed"] == "true"


def test_a_key_twice_in_a_call_is_one_effect_or_a_mismatch(service: Service, players: list[str]) -> None:
    round_ = new_round(service, LIVE)
    (item,) = antes(players[:1])
    found = done(bulk(service, round_, "wagers", [item, item, {**item, "ante": 2_000}]))["results"]
    assert [(one["status"], one.get("replayed"), one.get("code")) for one in found] == [
        (201, False, None), (201, True, None), (422, None, "IDEMPOTENCY_MISMATCH"),
    ]  # fmt: skip
    assert found[2]["field"] == "key"
    assert money(service, players[0]) == (7_000, 3_000)


def test_an_atomic_call_does_all_or_nothing(service: Service, players: list[str]) -> None:
    round_ = new_round(service, LIVE)
    items = [*antes(players[:3]), {"player": players[3], "ante": 5_000, "key": f"x-{players[3]}"}]
    before = head(service)
    found = refused(bulk(service, round_, "wagers", items, atomic=True), 409, "INSUFFICIENT_FUNDS", "wagers[3]")
    assert "key" not in found
    assert head(service) == before
    assert money(service, players[0]) == (10_000, 0)
    items[3]["ante"] = 1000
    first = bulk(service, round_, "wagers", items, atomic=True)
    assert (done(first)["succeeded"], done(first)["refused"]) == (4, 0)
    again = bulk(service, round_, "wagers", items, atomic=True)
    assert again.headers["idempotency-replayed"] == "true"
    assert [{**one, "replayed": False} for one in again.json()["results"]] == first.json()["results"]
    mixed = bulk(service, round_, "wagers", [*items, *antes(players[4:])], atomic=True)
    assert [one["replayed"] for one in done(mixed)["results"]] == [True] * 4 + [False]
    causes = {
        one["data"]["meta"]["causation_id"]
        for one in done(service.get("/v1/events", params={"after": before}))["events"]
    }
    assert len(causes) == 5, "each item is a command of its own in the log"


def test_an_atomic_call_that_reuses_a_key_or_names_nobody_names_the_item(service: Service, players: list[str]) -> None:
    round_, before = new_round(service, LIVE), head(service)
    first, second = antes(players[:2])
    twice = [first, {**second, "key": first["key"]}]
    refused(bulk(service, round_, "wagers", twice, atomic=True), 422, "IDEMPOTENCY_MISMATCH", "wagers[1].key")
    nobody = [first, {**second, "player": "nobody"}]
    refused(bulk(service, round_, "wagers", nobody, atomic=True), 404, "NOT_FOUND", "wagers[1].player")
    refused(bulk(service, "none", "wagers", [first], atomic=True), 404, "NOT_FOUND", "wagers[0].round")
    assert head(service) == before


def test_decisions_in_bulk_are_those_of_the_single_call(service: Service, players: list[str]) -> None:
    round_ = new_round(service, LIVE, card_source="FEED")
    done(bulk(service, round_, "wagers", antes(players)))
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"player": ACES, "dealer": DEALER}))
    done(decide(service, round_, players[4], "fold"))
    items = [{"player": one, "decision": "call", "key": f"d-{one}"} for one in players]
    items[1]["decision"] = "fold"
    found = done(bulk(service, round_, "decisions", items))["results"]
    assert [one["status"] for one in found] == [200, 200, 200, 200, 409]
    assert [one.get("decision", one.get("code")) for one in found] == ["CALL", "FOLD", "CALL", "CALL", "WRONG_PHASE"]
    alone = service.post(
        f"/v1/rounds/{round_}/decisions", {"player": players[0], "decision": "call"}, key=items[0]["key"]
    )
    assert found[0] == {"status": 200, "key": items[0]["key"], "replayed": False, **done(alone)}
    assert alone.headers["idempotency-replayed"] == "true"
    done(step(service, round_, "settle"))
    seats = {one["player"]: one["decision"] for one in read(service, f"/v1/rounds/{round_}")["seats"]}
    assert [seats[one] for one in players] == ["CALL", "FOLD", "CALL", "CALL", "FOLD"]


def test_deposits_in_bulk_are_those_of_the_single_call_with_its_transaction_ids(
    service: Service, players: list[str]
) -> None:
    items = [
        {"player": one, "amount": 500, "currency": "EUR", "transaction_id": f"t-{one}", "key": f"k-{one}"}
        for one in players
    ]
    items += [
        {**items[0], "key": f"other-{players[0]}"},
        {**items[1], "amount": 1, "key": "m"},
        {**items[2], "currency": "USD", "transaction_id": "u", "key": "u"},
    ]
    found = done(service.client.post("/v1/deposits/bulk", json={"deposits": items}))
    assert [one["status"] for one in found["results"]] == [201, 201, 201, 201, 201, 200, 422, 422]
    assert [one.get("code") for one in found["results"][5:]] == [None, "IDEMPOTENCY_MISMATCH", "CURRENCY_MISMATCH"]
    assert [one.get("field") for one in found["results"][6:]] == ["transaction_id", "currency"]
    assert [money(service, one) for one in players] == [(10_500, 0)] * 5
    body = {"amount": 500, "currency": "EUR", "transaction_id": f"t-{players[3]}"}
    alone = service.post(f"/v1/players/{players[3]}/deposits", body, key=f"k-{players[3]}")
    assert found["results"][3] == {"status": 201, "key": f"k-{players[3]}", "replayed": False, **done(alone, 201)}
    again = done(service.client.post("/v1/deposits/bulk", json={"deposits": items, "atomic": False}))
    assert [one.get("replayed") for one in again["results"]] == [True] * 6 + [None, None]


def test_S0_50_a_session_that_was_replaced_is_refused_in_its_place(service: Service, players: list[str]) -> None:
    round_, player = new_round(service, EURO), players[0]
    table = read(service, f"/v1/rounds/{round_}")["table"]
    for session in ("old", "new"):
        done(service.post(f"/v1/tables/{table}/join", {"player": player, "seat": 1, "session": session}))
    items = [
        {"player": player, "seat": 1, "ante": 500, "session": one, "key": f"{one}-{player}"} for one in ("old", "new")
    ]
    found = done(bulk(service, round_, "wagers", items))["results"]
    assert [(one["status"], one.get("code")) for one in found] == [(403, "FORBIDDEN"), (201, None)]


def test_every_item_counts_in_the_metrics(service: Service, players: list[str]) -> None:
    def count(outcome: str) -> float:
        name = f'studbook_commands_total{{command="PlaceWager",outcome="{outcome}"}} '
        lines = service.get("/metrics").text.splitlines()
        return sum(float(line.removeprefix(name)) for line in lines if line.startswith(name))

    round_, before = new_round(service, LIVE), [count(one) for one in ("done", "replayed", "ABOVE_MAXIMUM")]
    done(bulk(service, round_, "wagers", [*antes(players), *antes(players[:2]), *antes(players[:1], 99_999)]))
    after = [count(one) for one in ("done", "replayed", "ABOVE_MAXIMUM")]
    assert [b - a for a, b in zip(before, after, strict=True)] == [5, 2, 1]


def test_five_thousand_items_are_answered_in_their_order(service: Service, players: list[str]) -> None:
    """Five wagers a thousand times each: one effect of each, and an answer to every item."""
    round_ = new_round(service, LIVE)
    items = antes(players) * 1_000
    body = orjson.dumps({"wagers": items})
    answer = ask(service, "POST", f"/v1/rounds/{round_}/wagers/bulk", body=body)
    found = orjson.loads(answer.body)
    assert (answer.status, found["succeeded"], len(found["results"])) == (200, 5_000, 5_000)
    assert [one["key"] for one in found["results"]] == [one["key"] for one in items]
    assert [one["replayed"] for one in found["results"]] == [False] * 5 + [True] * 4_995
    assert [money(service, one) for one in players] == [(7_000, 3_000)] * 5
