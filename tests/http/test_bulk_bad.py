"""Bulk calls that are wrong: as a whole, or in one item; none ends in a fault of ours, none has half an effect."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.http.floor import done, head, refused
from tests.http.raw import ask
from tests.http.scene import Scene, new_scene
from tests.service import Service

Item = dict[str, Any]


@pytest.fixture(scope="module")
def scene(service: Service) -> Scene:
    return new_scene(service)


def send(scene: Scene, raw: str | bytes, **headers: str) -> httpx2.Response:
    """A bulk call of wagers as these bytes."""
    content = raw if isinstance(raw, bytes) else raw.encode()
    return scene.service.client.post(f"/v1/rounds/{scene.round}/wagers/bulk", content=content, headers=headers)


def listed(scene: Scene, *items: Any, **more: Any) -> str:
    return json.dumps({"wagers": items, **more})


def wager(scene: Scene, **more: Any) -> Item:
    return {"player": scene.player, "seat": 1, "ante": 500, "key": scene.service.name("key"), **more}


WHOLE: dict[str, tuple[Callable[[Scene], str], str]] = {
    "no list": (lambda at: "{}", "wagers"),
    "an empty list": (listed, "wagers"),
    "5,001 items": (lambda at: listed(at, *[{"player": "p", "key": "k"}] * 5_001), "wagers"),
    "a list of numbers": (lambda at: listed(at, wager(at), 1), "wagers[1]"),
    "a list with null": (lambda at: listed(at, None), "wagers[0]"),
    "a list of lists": (lambda at: listed(at, [wager(at)]), "wagers[0]"),
    "an object for the list": (lambda at: '{"wagers": {"0": {}}}', "wagers"),
    "atomic null": (lambda at: listed(at, wager(at), atomic=None), "atomic"),
    "atomic 1": (lambda at: listed(at, wager(at), atomic=1), "atomic"),
    "an unknown field": (lambda at: listed(at, wager(at), atomics=True), "atomics"),
    "NUL in an item": (lambda at: listed(at, wager(at), wager(at, player="a\0b")), "wagers[1].player"),
    "NUL in a key": (lambda at: listed(at, wager(at, key="a\0b")), "wagers[0].key"),
    "2^63 in an item": (lambda at: listed(at, wager(at, ante=2**63)), "wagers[0].ante"),
    "no key in the second": (
        lambda at: listed(at, wager(at), wager(at, key=None), wager(at, key=None)),
        "wagers[1].key",
    ),
    "501 atomic items": (lambda at: listed(at, *[wager(at)] * 501, atomic=True), "atomic"),
    "a bad item, atomic": (lambda at: listed(at, wager(at), wager(at, ante="1"), atomic=True), "wagers[1].ante"),
    "a number, atomic": (lambda at: listed(at, 1, atomic=True), "wagers[0]"),
    "a bad key, atomic": (lambda at: listed(at, wager(at, key="k" * 256), atomic=True), "wagers[0].key"),
}
"""What is refused as a whole, and the field that is named."""


@pytest.mark.parametrize("name", WHOLE)
def test_F17_a_call_that_is_wrong_as_a_whole_does_nothing(scene: Scene, name: str) -> None:
    before = scene.state()
    body, field = WHOLE[name]
    refused(send(scene, body(scene)), 422, "INVALID", field)
    assert scene.state() == before


BAD_ITEMS: dict[str, tuple[Item, str]] = {
    "ante as text": ({"ante": "500"}, "ante"),
    "ante half": ({"ante": 0.5}, "ante"),
    "ante true": ({"ante": True}, "ante"),
    "ante below zero": ({"ante": -1}, "ante"),
    "player number": ({"player": 1}, "player"),
    "player with a slash": ({"player": "a/b"}, "player"),
    "player null": ({"player": None}, "player"),
    "seat 100": ({"seat": 100}, "seat"),
    "side unknown": ({"side": {"jackpot": 1}}, "side.jackpot"),
    "unknown field": ({"stake": 1}, "stake"),
    "mark as field": ({"<odd>": 1}, "?"),
    "key of 256": ({"key": "k" * 256}, "key"),
    "key empty": ({"key": ""}, "key"),
    "key blank": ({"key": "  "}, "key"),
    "key with a space at its end": ({"key": "k "}, "key"),
    "key with an accent": ({"key": "caf\u00e9"}, "key"),
    "key with line feed": ({"key": "a\n"}, "key"),
    "key number": ({"key": 7}, "key"),
}
"""What one item may have wrong, and its field."""


def test_F17_a_bad_item_has_its_problem_in_its_place_and_the_others_go_on(scene: Scene) -> None:
    service = scene.service
    bad = [wager(scene, **fields) for fields, _ in BAD_ITEMS.values()]
    items = [wager(scene), *bad, wager(scene)]
    before = head(service)
    found = done(send(scene, listed(scene, *items)))
    assert (found["succeeded"], found["refused"]) == (2, len(bad))
    assert [one["status"] for one in found["results"]] == [201, *[422] * len(bad), 201]
    for (name, (fields, field)), item, one in zip(BAD_ITEMS.items(), bad, found["results"][1:], strict=False):
        assert (one["code"], one["field"]) == ("INVALID", field), name
        assert one["key"] == (None if "key" in fields else item["key"]), name
        assert one["errors"][0]["field"] == field, name
    assert head(service) > before
    assert "<odd>" not in json.dumps(found)


def test_F17_a_call_of_bad_items_alone_answers_each(scene: Scene) -> None:
    before = scene.state()
    body = listed(scene, *[wager(scene, ante=-1)] * 5_000).encode()
    answer = ask(scene.service, "POST", f"/v1/rounds/{scene.round}/wagers/bulk", body=body)
    found = json.loads(answer.body)
    assert (found["position"], found["succeeded"], found["refused"]) == (0, 0, 5_000)
    assert {(one["status"], one["field"]) for one in found["results"]} == {(422, "ante")}
    assert scene.state() == before


def test_F17_the_items_of_the_other_calls_are_checked_as_well(scene: Scene) -> None:
    decision = {"player": scene.player, "decision": "raise", "key": "d"}
    post = scene.service.client.post
    found = done(post(f"/v1/rounds/{scene.round}/decisions/bulk", json={"decisions": [decision]}))["results"]
    assert (found[0]["code"], found[0]["field"]) == ("INVALID", "decision")
    deposit = {"player": scene.player, "amount": 1, "currency": "eur", "transaction_id": "t", "key": "d"}
    found = done(
        post("/v1/deposits/bulk", json={"deposits": [deposit, {**deposit, "currency": "EUR", "player": "/"}]})
    )["results"]
    assert [one["field"] for one in found] == ["currency", "player"]


@pytest.mark.parametrize(("length", "status"), [(252, 200), (253, 200), (254, 400), (255, 400)])
def test_a_header_that_leaves_no_room_for_the_items_number_is_refused(scene: Scene, length: int, status: int) -> None:
    """Of eleven items the last has two digits behind the slash."""
    items = [wager(scene, key=None, ante=-1)] * 10
    key = scene.service.name("k").ljust(length, "x")
    answer = send(scene, listed(scene, *items), **{"Idempotency-Key": key})
    if status == 400:
        refused(answer, 400, "INVALID", "idempotency-key")
    else:
        assert [one["key"] for one in done(answer)["results"]] == [f"{key}/{nth}" for nth in range(10)]


def test_a_body_of_4_MiB_is_taken_and_a_byte_more_is_not(scene: Scene) -> None:
    limit = 4 * 1024 * 1024
    good = listed(scene, wager(scene))
    done(send(scene, good + " " * (limit - len(good))))
    before = scene.state()
    refused(send(scene, good + " " * (limit + 1 - len(good))), 413, "TOO_LARGE")
    assert scene.state() == before


def test_F17_a_key_named_twice_in_an_item_or_too_many_values_refuse_the_call(scene: Scene) -> None:
    before = scene.state()
    refused(send(scene, '{"wagers": [{"player": "p", "key": "a", "key": "b"}]}'), 400, "INVALID", "key")
    refused(send(scene, '{"wagers": [{"player": [' + "1," * 200_001 + "1]}]}"), 413, "TOO_LARGE")
    assert scene.state() == before
