"""Lines of `studbook settle` that are wrong: each has its error in its place, with a code and the field's name."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.calculator import answer_line
from services.calculator_request import LINE_BYTES_MAX

DEAL: dict[str, Any] = {
    "id": "x1",
    "ruleset": "euro-progressive-v1",
    "player": ["As", "Kd", "Qh", "7c", "2s"],
    "dealer": ["9c", "9d", "4h", "Ts", "2c"],
    "ante": 1000,
    "side": {"progressive": 50},
    "decision": "call",
    "meter": 12_345_678,
    "reset": 1_000_000,
}
SEAT = {key: DEAL[key] for key in ("player", "ante", "side", "decision")}
ROUND: dict[str, Any] = {key: value for key, value in DEAL.items() if key not in SEAT} | {"seats": [SEAT]}
OTHER_SEAT = SEAT | {"player": ["3c", "3d", "3h", "3s", "8d"]}
ABSENT = object()


def changed(base: dict[str, Any], change: dict[str, Any]) -> bytes:
    body = {key: value for key, value in (base | change).items() if value is not ABSENT}
    return json.dumps(body).encode()


def error(line: bytes) -> dict[str, Any]:
    answer = answer_line(line)
    assert not answer.accepted
    body: dict[str, Any] = json.loads(answer.line)
    assert list(body) == ["id", "error"]
    assert list(body["error"]) == ["code", "detail"]
    return body


def test_the_deal_that_the_cases_below_spoil_is_right() -> None:
    assert answer_line(changed(DEAL, {})).accepted
    assert answer_line(changed(ROUND, {"seats": [SEAT, OTHER_SEAT]})).accepted


BAD_AMOUNTS = [0, -1, True, 1.0, 1e400, float("nan"), 10**15 + 1, 10**4000, "1000", None, [1000], ABSENT]


@pytest.mark.parametrize("amount", BAD_AMOUNTS, ids=lambda amount: str(amount)[:12])
def test_bug_062_an_ante_that_is_no_amount_is_refused(amount: object) -> None:
    body = error(changed(DEAL, {"ante": amount}))
    assert (body["id"], body["error"]["code"]) == ("x1", "INVALID")
    assert body["error"]["detail"].startswith("ante:")


@pytest.mark.parametrize("amount", [0, -50, 49, 51, 100, 50.0, True, "50", None], ids=str)
def test_a_progressive_stake_other_than_its_price_is_refused(amount: object) -> None:
    detail = error(changed(DEAL, {"side": {"progressive": amount}}))["error"]["detail"]
    assert detail.startswith("side.progressive:")


@pytest.mark.parametrize("amount", [0, -1, 10**15 + 1, 1.5, None], ids=str)
def test_a_bonus_stake_that_is_no_amount_is_refused(amount: object) -> None:
    live = {"ruleset": "live-5plus1-v1", "meter": ABSENT, "reset": ABSENT, "side": {"five_plus_one": amount}}
    assert error(changed(DEAL, live))["error"]["detail"].startswith("side.five_plus_one:")


@pytest.mark.parametrize(
    ("change", "start"),
    [
        ({"side": {"five_plus_one": 50}}, "side.five_plus_one: unknown"),
        ({"side": {"progressive": 50, "other": 1}}, "side.other: unknown"),
        ({"side": None}, "side: a JSON object"),
        ({"side": [50]}, "side: a JSON object"),
        ({"ruleset": "live-5plus1-v1"}, "side.progressive: unknown"),
        ({"ruleset": "live-5plus1-v1", "side": {}}, "meter: live-5plus1-v1 has no"),
        ({"ruleset": "live-5plus1-v1", "side": {}, "meter": ABSENT}, "reset: live-5plus1-v1 has no"),
        ({"ruleset": "euro-progressive-v2"}, "ruleset: 'euro-progressive-v2' is unknown"),
        ({"ruleset": 2}, "ruleset: a text"),
        ({"ruleset": "\ud800"}, "ruleset: '\\ud800' is unknown"),
        ({"meter": ABSENT}, "meter: a progressive wager needs it"),
        ({"reset": ABSENT}, "reset: a progressive wager needs it"),
        ({"meter": -1}, "meter: -1 does not lie"),
        ({"meter": 9 * 10**9 + 1}, "meter: 9000000001 does not lie"),
        ({"meter": 5.5}, "meter: a whole number"),
        ({"reset": -1}, "reset: -1 does not lie"),
        ({"side": {}, "meter": None}, "meter: a whole number"),
        ({"decision": "CALL"}, "decision: 'CALL' is none of"),
        ({"decision": ABSENT}, "decision: a text"),
        ({"player": ABSENT}, "player: a list"),
        ({"player": "AsKdQh7c2s"}, "player: a list"),
        ({"player": ["As", "Kd", "Qh", "7c"]}, "player: 5 cards are needed, 4 given"),
        ({"player": ["As", "Kd", "Qh", "7c", "2s", "3s"]}, "player: 5 cards are needed, 6 given"),
        ({"player": ["As", "Kd", "Qh", "7c", "10s"]}, "player: '10s' is no card"),
        ({"player": ["As", "Kd", "Qh", "7c", {}]}, "player: a dict is no card"),
        ({"dealer": ["9c", "9d", "4h", "Ts"]}, "dealer: 5 cards are needed, 4 given"),
        ({"dealer": ["9c", "9d", "4h", "Ts", 2]}, "dealer: 2 is no card"),
        ({"antes": 5}, "antes: unknown"),
        ({"a b\n": 5}, "'a b\\n': unknown"),
        ({"seats": [SEAT]}, "player: unknown"),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, Any], start: str) -> None:
    body = error(changed(DEAL, change))
    assert (body["id"], body["error"]["code"]) == ("x1", "INVALID")
    assert body["error"]["detail"].startswith(start)


@pytest.mark.parametrize(
    ("seats", "start"),
    [
        ({}, "seats: a list"),
        ([], "seats: at least one"),
        ([7], "seats[0]: a JSON object"),
        ([SEAT] * 5, "seats: euro-progressive-v1 has 4 seats, 5 given"),
        ([SEAT, OTHER_SEAT | {"ante": 0}], "seats[1].ante: 0 does not lie"),
        ([SEAT, OTHER_SEAT | {"id": "x"}], "seats[1].id: unknown"),
        ([SEAT, OTHER_SEAT | {"side": {"progressive": 1}}], "seats[1].side.progressive: the stake is 50"),
        ([SEAT, OTHER_SEAT | {"decision": "raise"}], "seats[1].decision: 'raise' is none of"),
    ],
)
def test_a_wrong_seat_is_named_by_its_place(seats: object, start: str) -> None:
    assert error(changed(ROUND, {"seats": seats}))["error"]["detail"].startswith(start)


@pytest.mark.parametrize(
    ("base", "change", "start"),
    [
        (DEAL, {"player": ["As", "As", "Qh", "7c", "2s"]}, "player: As lies twice"),
        (DEAL, {"dealer": ["9c", "9d", "9c", "Ts", "2c"]}, "dealer: 9c lies twice"),
        (DEAL, {"dealer": ["9c", "9d", "4h", "Ts", "2s"]}, "player: 2s lies twice"),
        (ROUND, {"seats": [SEAT, OTHER_SEAT | {"player": ["3c", "3d", "3h", "3s", "As"]}]}, "seats[1].player: As"),
    ],
)
def test_bug_048_a_card_that_lies_twice_is_named(base: dict[str, Any], change: dict[str, Any], start: str) -> None:
    body = error(changed(base, change))
    assert body["error"]["code"] == "DUPLICATE_CARD"
    assert body["error"]["detail"].startswith(start)


def test_S0_02_a_shared_hand_is_one_for_all_seats() -> None:
    seat = {"player": DEAL["player"], "ante": 10, "decision": "call"}
    line = {"id": "x1", "ruleset": "live-5plus1-v1", "dealer": DEAL["dealer"]}
    many = answer_line(changed(line, {"seats": [seat | {"ante": ante} for ante in range(1, 101)]}))
    assert many.accepted
    assert [one["staked"] for one in json.loads(many.line)["seats"]] == [3 * ante for ante in range(1, 101)]
    detail = error(changed(line, {"seats": [seat, seat | {"player": OTHER_SEAT["player"]}]}))["error"]["detail"]
    assert detail.startswith("seats[1].player: live-5plus1-v1 has one hand for all seats")


@pytest.mark.parametrize(
    ("line", "start"),
    [
        (b"", "line: not JSON"),
        (b"null", "line: a JSON object"),
        (b"[]", "line: a JSON object"),
        (b'{"id": "x1"', "line: not JSON"),
        (b'{"id": "x1"} {}', "line: not JSON"),
        (b"\xff\xfe", "line: not UTF-8"),
        (b"[" * 200_000, "line: nested too deeply"),
        (b'{"id":' * 50_000, "line: nested too deeply"),
        (b'{"id": "x1", "ante": ' + b"9" * 5_000 + b"}", "line: not JSON (a number is too long)"),
        (b" " * (LINE_BYTES_MAX + 1), "line: longer than"),
        (b"{}", "id: a text"),
        (b'{"id": 7}', "id: a text"),
        (b'{"id": ""}', "id: a text"),
        (b'{"id": "' + b"x" * 201 + b'"}', "id: a text of 1 to 200"),
        (b'{"id": "\\ud800"}', "id: half of a surrogate pair"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_line_that_is_no_request_is_answered_without_an_id(line: bytes, start: str) -> None:
    body = error(line)
    assert body["id"] is None
    assert body["error"]["detail"].startswith(start)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ('"ante": 1000', "ante: the name stands twice"),
        ('"progressive": 50', "side.progressive: the name stands twice"),
    ],
)
def test_a_name_that_stands_twice_is_refused(text: str, start: str) -> None:
    line = json.dumps(DEAL).replace(text, f"{text}, {text}").encode()
    assert error(line)["error"]["detail"].startswith(start)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from([*DEAL, "seats", "other"]), values)
def test_no_value_of_any_field_raises(field: str, value: object) -> None:
    answer = answer_line(changed(DEAL, {field: value}))
    assert set(json.loads(answer.line)) >= ({"id", "net"} if answer.accepted else {"id", "error"})


@given(st.binary(max_size=60))
def test_no_bytes_raise(line: bytes) -> None:
    assert not answer_line(line).accepted
