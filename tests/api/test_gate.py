"""The JSON gate: what is no safe JSON object is refused before a schema sees it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from api.errors import BadRequest, TooLarge
from api.gate import BULK_BODY_LIMIT, DEPTH_MAX, VALUES_MAX, parse_object
from api.schemas.bulk import ITEMS_MAX, WagerItem
from api.schemas.rounds import SideBody
from domain.errors import Invalid, Refusal
from tests.api.bad_bodies import DUPLICATES, GOOD, MARK, NO_OBJECT, nested

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - 2**63, 2**63 - 1)
    | st.floats(-1e15, 1e15)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda below: st.lists(below) | st.dictionaries(st.text('ab:"\\{,é'), below),
    max_leaves=12,
)


def test_a_good_body_is_parsed() -> None:
    assert parse_object(GOOD) == {"player": "p1", "ante": 1000, "side": {"progressive": 50}}


@pytest.mark.parametrize("raw", NO_OBJECT.values(), ids=NO_OBJECT)
def test_F17_no_object_is_bad_request(raw: bytes) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_object(raw)
    assert MARK not in refused.value.detail


@pytest.mark.parametrize(("raw", "field"), DUPLICATES.values(), ids=DUPLICATES)
def test_bug_073_duplicate_keys_are_bad_request_and_named(raw: bytes, field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        parse_object(raw)
    assert refused.value.field == field


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a":{"b":1},"b":{"a":1}}',
        b'{"a":[{"k":1},{"k":1}]}',
        b'{"a":"x:y:z","b":":"}',
        rb'{"a":"\":","b":1}',
        b'{"a:":1,"a":1}',
    ],
)
def test_equal_keys_of_different_objects_and_colons_in_strings_are_no_duplicates(raw: bytes) -> None:
    assert parse_object(raw) == json.loads(raw)


def test_bug_074_depth_32_is_taken_and_33_is_not() -> None:
    assert "side" in parse_object(nested(DEPTH_MAX))
    with pytest.raises(BadRequest, match="32"):
        parse_object(nested(DEPTH_MAX + 1))


@pytest.mark.parametrize("number", ["9223372036854775807", "-9223372036854775807"])
def test_bug_027_64_bit_integers_are_exact(number: str) -> None:
    assert parse_object(f'{{"a":{number}}}'.encode())["a"] == int(number)


@pytest.mark.parametrize("number", ["9223372036854775808", "-9223372036854775809", "1" + "0" * 200, "1e19", "-1e19"])
def test_bug_027_larger_numbers_are_invalid_and_named(number: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_object(f'{{"x":[0,{{"a":{number}}}]}}'.encode())
    assert refused.value.field == "x[1].a"


def test_bug_071_an_escaped_nul_is_invalid_and_named_but_the_letters_of_the_escape_are_text() -> None:
    with pytest.raises(Invalid) as refused:
        parse_object(rb'{"note":{"text":"a\u0000b"}}')
    assert refused.value.field == "note.text"
    assert parse_object(rb'{"text":"\\u0000"}') == {"text": "\\u0000"}


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert parse_object(rb'{"text":"\ud83c\udccf"}') == {"text": "\U0001f0cf"}


def test_F17_the_limit_is_inclusive() -> None:
    body = b'{"a":"' + b"x" * 56 + b'"}'
    assert parse_object(body, limit=64)["a"]
    with pytest.raises(TooLarge, match="63"):
        parse_object(body, limit=63)


def test_a_large_body_has_a_limit_on_its_values_too() -> None:
    fits = b'{"a":[' + b"1," * (VALUES_MAX - 1) + b"1]}"
    assert len(parse_object(fits, BULK_BODY_LIMIT)["a"]) == VALUES_MAX
    with pytest.raises(TooLarge, match="values"):
        parse_object(b'{"a":[' + b"1," * (VALUES_MAX + 1) + b"1]}", BULK_BODY_LIMIT)


@given(st.dictionaries(st.text('abc:"\\'), json_values, max_size=5), st.booleans())
def test_every_valid_object_passes_unchanged(value: dict[str, Any], ascii_only: bool) -> None:
    assert parse_object(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary(max_size=200) | st.text(alphabet='{}[]":,\\u0dc8eE+-.19 nulltrefas', max_size=60).map(str.encode))
@example(b'{"a":1,"a":2}')
def test_whatever_comes_the_gate_gives_an_object_or_a_refusal(raw: bytes) -> None:
    try:
        parsed = parse_object(raw)
    except Refusal:
        return
    assert parsed == json.loads(raw)


@given(
    st.lists(
        st.tuples(st.sampled_from(["a", "b", "a:", ":"]), st.sampled_from(["1", '":"', "{}", '{"a":1}', '["a:"]'])),
        max_size=6,
    )
)
def test_bug_073_duplicates_are_found_whatever_the_strings_hold(pairs: list[tuple[str, str]]) -> None:
    raw = ("{" + ",".join(f'"{key}":{value}' for key, value in pairs) + "}").encode()
    if len({key for key, _ in pairs}) == len(pairs):
        assert parse_object(raw) == json.loads(raw)
    else:
        with pytest.raises(BadRequest, match="twice"):
            parse_object(raw)


def test_five_thousand_wagers_of_all_fields_are_no_more_values_than_a_body_may_have() -> None:
    side = {"five_plus_one": 100, "progressive": 50}
    wager = {"player": "ann", "seat": 1, "ante": 100, "side": side, "session": "phone", "key": "k"}
    assert set(wager) == set(WagerItem.model_fields)
    assert set(side) == set(SideBody.model_fields)
    assert parse_object(json.dumps({"wagers": [wager] * ITEMS_MAX}).encode(), BULK_BODY_LIMIT)["wagers"][-1] == wager
