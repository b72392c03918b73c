"""The dispatcher: look-up, order of checks, headers, answers, faults, and what it passes on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.types import Message
from structlog.testing import capture_logs

from api.auth import make_key
from api.intake import fingerprint
from api.route_table import Answer, RouteTable
from domain.errors import InsufficientFunds, Unavailable
from tests.api.bad_bodies import GOOD, MARK
from tests.api.front import Front, Reply, ask, assert_problem


@pytest.fixture
def front() -> Front:
    return Front()


def authorized(front: Front) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {front.key}")]


async def test_a_call_carries_who_where_and_under_which_names(front: Front) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    reply = await front.wager(GOOD, x_request_id="req-7", traceparent=trace, idempotency_key="a key: 'x'")
    call = front.calls[0]
    assert (call.principal.operator, call.principal.subject) == ("demo", "anna")
    assert (call.path, call.key) == ({"round": "r1"}, "a key: 'x'")
    assert (call.request_id, call.traceparent) == ("req-7", trace)
    assert reply.headers["x-request-id"] == "req-7"
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["content-length"] == str(len(reply.body))
    assert "idempotency-replayed" not in reply.headers


@pytest.mark.parametrize("bad", ["", "a b", "x" * 65, "caf\xe9", MARK])
async def test_an_odd_request_id_is_replaced_by_a_uuid7(front: Front, bad: str) -> None:
    reply = await front.wager(GOOD, x_request_id=bad)
    assert UUID(reply.headers["x-request-id"]).version == 7


@pytest.mark.parametrize("bad", ["00-" + "0" * 32 + "-b7ad6b7169203331-01", "00-0af7-b7ad-01", "x" * 55])
async def test_an_invalid_trace_context_is_left_out(front: Front, bad: str) -> None:
    await front.wager(GOOD, traceparent=bad)
    assert front.calls[0].traceparent is None


async def test_a_replayed_answer_says_so_and_keeps_its_own_headers(front: Front) -> None:
    front.answer = Answer(200, b"{}", ((b"location", b"/v1/x"),), replayed=True)
    reply = await front.wager(GOOD)
    assert (reply.status, reply.headers["idempotency-replayed"], reply.headers["location"]) == (200, "true", "/v1/x")


@pytest.mark.parametrize("key", [None, "", " ", "k" * 256, "caf\xe9", "tab\there", "a\x7f"])
async def test_a_missing_or_malformed_idempotency_key_answers_400(front: Front, key: str | None) -> None:
    assert_problem(await front.wager(GOOD, idempotency_key=key), 400, "INVALID", "idempotency-key")
    assert front.calls == []


async def test_the_bulk_route_does_without_a_key_but_not_with_a_malformed_one(front: Front) -> None:
    path = "/v1/rounds/r1/wagers/bulk"
    assert (await front.post(path, b'{"wagers":[]}', idempotency_key=None)).status == 201
    assert front.calls[0].key is None
    assert (await front.post(path, b'{"wagers":[]}', idempotency_key="")).status == 400


@pytest.mark.parametrize("name", ["authorization", "content-length", "idempotency-key", "x-request-id", "traceparent"])
async def test_a_header_that_must_be_one_may_not_come_twice(front: Front, name: str) -> None:
    headers = [*authorized(front), ("idempotency-key", "k"), (name, "1"), (name, "1")]
    reply = await ask(front.app, "POST", "/v1/rounds/r1/wagers", headers, GOOD)
    assert_problem(reply, 400, "INVALID", name)


@pytest.mark.parametrize("path", ["/v1/rounds/r1/wagers", "/v1/tables", "/livez"])
async def test_F17_headers_above_16_KiB_answer_431(front: Front, path: str) -> None:
    reply = await ask(front.app, "POST", path, [("x-padding", "x" * 16384)])
    assert_problem(reply, 431, "TOO_LARGE")


@pytest.mark.parametrize("bad", ["\0", "", "a b", "x" * 65, "..%2f", "p;drop", "\udcff", "é"])
async def test_bug_071_a_path_that_holds_no_id_answers_422(front: Front, bad: str) -> None:
    assert_problem(await front.post(f"/v1/rounds/{bad}/wagers", GOOD), 422, "INVALID", "round")


@pytest.mark.parametrize(("query", "field"), [(b"dry_run=1", "dry_run"), (b"%00=1", "?"), (b"&", ""), (b"\xff", "?")])
async def test_bug_021_a_command_refuses_query_parameters(front: Front, query: bytes, field: str) -> None:
    headers = [*authorized(front), ("idempotency-key", "k")]
    reply = await ask(front.app, "POST", "/v1/rounds/r1/wagers", headers, GOOD, query=query)
    assert_problem(reply, 422, "INVALID", field or "?")


async def test_checks_come_in_their_order_and_the_body_last(front: Front) -> None:
    """Each request has all later faults too, and no body that could be read."""
    auditor = front.store.add(make_key(), {"auditor"})
    bad = {"idempotency_key": None, "content_length": "99999999"}
    assert_problem(await front.post("/v1/rounds/a b/wagers", [], authorization=None, **bad), 401, "UNAUTHENTICATED")
    denied = await front.post("/v1/rounds/a b/wagers", [], authorization=f"Bearer {auditor}", **bad)
    assert_problem(denied, 403, "FORBIDDEN")
    assert_problem(await front.post("/v1/rounds/a b/wagers", [], **bad), 422, "INVALID", "round")
    assert_problem(await front.wager([], **bad), 400, "INVALID", "idempotency-key")
    assert_problem(await front.wager([], content_length="99999999"), 413, "TOO_LARGE")


async def test_a_refusal_of_the_handler_is_its_problem(front: Front) -> None:
    front.answer = InsufficientFunds("100 available, 1000 needed", field="ante")
    assert_problem(await front.wager(GOOD), 409, "INSUFFICIENT_FUNDS", "ante")
    front.answer = Unavailable("the database does not answer")
    reply = await front.wager(GOOD)
    assert_problem(reply, 503, "UNAVAILABLE")
    assert reply.headers["retry-after"] == "1"
    assert reply.json["retryable"] is True


@pytest.mark.parametrize("method", ["POST", "GET"])
async def test_a_bug_answers_500_and_is_logged_without_message_or_body(front: Front, method: str) -> None:
    front.answer = RuntimeError(f"{MARK} As Kd")
    path = "/v1/rounds/r1/wagers" if method == "POST" else "/v1/broken"
    headers = [*authorized(front), ("idempotency-key", "k"), ("x-request-id", "req-9")]
    with capture_logs() as logs:
        reply = await ask(front.app, method, path, headers, GOOD)
    assert_problem(reply, 500, "INTERNAL")
    assert len(logs) == 1
    assert (logs[0]["request_id"], logs[0]["error"], logs[0]["log_level"]) == ("req-9", "RuntimeError", "error")
    assert any(frame.endswith((":handle", ":broken")) for frame in logs[0]["frames"])
    assert "As Kd" not in str(logs)
    assert b"RuntimeError" not in reply.body


async def test_a_body_that_does_not_come_answers_408(front: Front) -> None:
    front = Front(body_seconds=0.05)
    reply = await unfinished(front, gone=False)
    assert reply is not None
    assert_problem(reply, 408, "REQUEST_TIMEOUT")
    assert reply.headers["connection"] == "close"


async def test_F27_who_is_still_waited_for_when_the_process_ends_is_told_to_send_it_again(front: Front) -> None:
    front.answer = asyncio.CancelledError()  # what the server does to a call that takes longer than a stop may
    reply = await front.wager(GOOD)
    assert_problem(reply, 503, "UNAVAILABLE")
    assert b"may have happened or not" in reply.body


async def test_bug_076_a_caller_that_leaves_mid_body_gets_nothing_and_does_nothing(front: Front) -> None:
    assert await unfinished(front, gone=True) is None
    assert front.calls == []


async def unfinished(front: Front, *, gone: bool) -> Reply | None:
    """A wager whose second chunk never comes: the caller hangs, or is gone."""
    sent: list[Message] = []
    headers = [*authorized(front), ("idempotency-key", "k")]
    waiting = [{"type": "http.request", "body": GOOD[:5], "more_body": True}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        if not gone:
            await asyncio.sleep(30)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": "/v1/rounds/r1/wagers",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers],
    }
    await front.app(scope, receive, send)
    if not sent:
        return None
    return Reply(sent[0]["status"], {k.decode(): v.decode() for k, v in sent[0]["headers"]}, sent[1]["body"])


def test_equal_requests_have_one_fingerprint_whatever_their_order_of_keys() -> None:
    one = fingerprint("POST", "/v1/a", {"x": 1, "y": {"a": 1, "b": 2}})
    assert one == fingerprint("POST", "/v1/a", {"y": {"b": 2, "a": 1}, "x": 1})
    assert len(one) == 32


async def test_bug_013_white_space_is_no_other_request_but_body_path_and_method_are(front: Front) -> None:
    spaced = GOOD.replace(b",", b" ,\n ")
    for body in (GOOD, spaced, GOOD.replace(b"1000", b"1001")):
        await front.wager(body)
    await front.post("/v1/rounds/r2/wagers", GOOD)
    same, again, other_body, other_path = (call.fingerprint for call in front.calls)
    assert same == again
    assert len({same, other_body, other_path, fingerprint("PATCH", "/v1/rounds/r1/wagers", {})}) == 4
    assert fingerprint("POST", "/a", {}) != fingerprint("POS", "T/a", {})


@settings(max_examples=100)
@given(st.text(max_size=30), st.binary(max_size=20), st.sampled_from(["GET", "POST", "PUT", "DELETE", "OPTIONS", "X"]))
def test_bug_093_random_paths_and_queries_never_answer_5xx(tail: str, query: bytes, method: str) -> None:
    front = Front()
    headers = [*authorized(front), ("idempotency-key", "k")]
    path = ("/v1/" + tail).encode("utf-8", "replace").decode()
    reply = asyncio.run(ask(front.app, method, path, headers, GOOD, query=query))
    assert 400 <= reply.status < 500
    assert len(reply.body) < 2048


@pytest.mark.parametrize(
    ("paths", "message"),
    [
        (["/v1/a", "/v1/a"], "twice"),
        (["/v1/{a}", "/v1/b"], "same place"),
        (["/v1/{a}/{a}"], "twice"),
        (["v1"], "slash"),
    ],
)
async def test_a_table_that_contradicts_itself_is_refused(front: Front, paths: list[str], message: str) -> None:
    row = front.routes()[0]
    with pytest.raises(ValueError, match=message):
        RouteTable([replace(row, path=path) for path in paths])
    with pytest.raises(ValueError, match="roles"):
        RouteTable([replace(row, roles=frozenset({"king"}))])
