"""Bad bodies over the whole front: always a 4xx problem under 2 KiB that repeats nothing of the body (F17)."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.gate import BODY_LIMIT, BULK_BODY_LIMIT
from tests.api.bad_bodies import BAD_FIELDS, DUPLICATES, GOOD, MARK, NO_OBJECT
from tests.api.front import Front, assert_problem


@pytest.fixture
def front() -> Front:
    return Front()


async def test_a_good_body_reaches_the_handler(front: Front) -> None:
    reply = await front.wager(GOOD)
    assert (reply.status, reply.body) == (201, b'{"done":true}')
    body = front.calls[0].body
    assert (body.player, body.ante, body.side.progressive) == ("p1", 1000, 50)


def test_F17_the_corpus_has_at_least_80_bodies() -> None:
    bodies = {*NO_OBJECT.values(), *(raw for raw, _ in DUPLICATES.values()), *(raw for raw, _ in BAD_FIELDS.values())}
    assert len(bodies) >= 80


@pytest.mark.parametrize("raw", NO_OBJECT.values(), ids=NO_OBJECT)
async def test_F17_no_object_answers_400(front: Front, raw: bytes) -> None:
    reply = await front.wager(raw)
    assert_problem(reply, 400, "INVALID")
    assert MARK.encode() not in reply.body
    assert front.calls == []


@pytest.mark.parametrize(("raw", "field"), DUPLICATES.values(), ids=DUPLICATES)
async def test_bug_073_duplicate_keys_answer_400(front: Front, raw: bytes, field: str) -> None:
    reply = await front.wager(raw)
    assert_problem(reply, 400, "INVALID", field)
    assert MARK.encode() not in reply.body
    assert front.calls == []


@pytest.mark.parametrize(("raw", "field"), BAD_FIELDS.values(), ids=BAD_FIELDS)
async def test_F17_a_bad_field_answers_422_and_is_named(front: Front, raw: bytes, field: str) -> None:
    reply = await front.wager(raw)
    assert_problem(reply, 422, "INVALID", field)
    assert MARK.encode() not in reply.body
    assert front.calls == []


async def test_several_bad_fields_are_listed_at_most_ten(front: Front) -> None:
    unknown = ",".join(f'"unknown_{n}":{n}' for n in range(40))
    reply = await front.wager(b'{"player":"a/b","ante":true,' + unknown.encode() + b"}")
    assert_problem(reply, 422, "INVALID", "player")
    errors = reply.json["errors"]
    assert len(errors) == 10
    assert errors[:3] == [
        {"field": "player", "detail": "must have 1 to 64 characters of A-Z a-z 0-9 _ . : @ -"},
        {"field": "ante", "detail": "must be an integer"},
        {"field": "unknown_0", "detail": "is not a known field"},
    ]


async def test_F17_a_body_above_64_KiB_answers_413_by_its_length_without_being_read(front: Front) -> None:
    reply = await front.wager([], content_length=str(BODY_LIMIT + 1))
    assert_problem(reply, 413, "TOO_LARGE")
    assert reply.headers["connection"] == "close"


async def test_bug_075_a_chunked_body_is_read_no_further_than_one_chunk_past_the_limit(front: Front) -> None:
    reply = await front.wager([*[b"x" * 16384] * 5, None], transfer_encoding="chunked")
    assert_problem(reply, 413, "TOO_LARGE")


@pytest.mark.parametrize(
    ("header", "closes"),
    [
        ({"content_length": "52428800"}, True),
        ({"content_length": "x"}, True),
        ({"transfer_encoding": "chunked"}, True),
        ({"content_length": "65536"}, False),
        ({}, False),
    ],
)
async def test_bug_075_a_stranger_s_body_is_not_read_and_a_long_one_closes_the_connection(
    front: Front, header: dict[str, str], closes: bool
) -> None:
    reply = await front.wager([None], authorization=None, **header)
    assert_problem(reply, 401, "UNAUTHENTICATED")
    assert (reply.headers.get("connection") == "close") is closes


@pytest.mark.parametrize("length", ["abc", "-1", "1.5", "9" * 30, ""])
async def test_a_content_length_that_is_no_number_answers_400(front: Front, length: str) -> None:
    assert_problem(await front.wager(GOOD, content_length=length), 400, "INVALID", "content-length")


async def test_a_body_in_many_chunks_is_one_body(front: Front) -> None:
    reply = await front.wager([GOOD[i : i + 1] for i in range(len(GOOD))])
    assert reply.status == 201


async def test_the_bulk_route_takes_4_MiB_and_no_more(front: Front) -> None:
    path = "/v1/rounds/r1/wagers/bulk"
    padding = b" " * (BULK_BODY_LIMIT - len(b'{"wagers":[]}'))
    assert (await front.post(path, b'{"wagers":[]}' + padding)).status == 201
    assert_problem(await front.post(path, b'{"wagers":[]}' + padding + b" "), 413, "TOO_LARGE")


@pytest.mark.parametrize(("raw", "status"), [(b"", 201), (b"{}", 201), (b" ", 400), (b"[]", 400), (b'{"a":1}', 422)])
async def test_a_call_without_fields_takes_no_body_or_an_empty_object(front: Front, raw: bytes, status: int) -> None:
    assert (await front.post("/v1/rounds/r1/close", raw)).status == status


@settings(max_examples=150)
@given(
    st.binary(max_size=300)
    | st.builds(lambda cut, more: GOOD[:cut] + more, st.integers(0, len(GOOD)), st.binary(max_size=20))
    | st.builds(lambda at, byte: GOOD[:at] + byte + GOOD[at + 1 :], st.integers(0, len(GOOD)), st.binary(max_size=2))
)
def test_F17_random_bytes_never_answer_5xx(raw: bytes) -> None:
    front = Front()
    reply = asyncio.run(front.wager(raw))
    if reply.status != 201:
        assert_problem(reply, reply.status, "INVALID", reply.json.get("field"))
        assert reply.status in (400, 422)
