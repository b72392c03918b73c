"""What the dispatcher does not serve goes to the application behind, in good order and as problem documents."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send

from api.auth import make_key
from api.dispatcher import Dispatcher
from domain.errors import Unavailable
from tests.api.front import Front, ask, assert_problem


@pytest.fixture
def front() -> Front:
    return Front()


def authorized(front: Front) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {front.key}"), ("x-request-id", "req-1")]


async def test_a_read_on_a_command_s_path_is_served_behind(front: Front) -> None:
    reply = await ask(front.app, "GET", "/v1/tables", authorized(front))
    assert (reply.status, reply.json) == (200, {"operator": "demo"})
    assert reply.headers["x-request-id"] == "req-1"


@pytest.mark.parametrize("path", ["/livez", "/openapi.json", "/docs/problems"])
async def test_open_paths_need_no_key(front: Front, path: str) -> None:
    reply = await ask(front.app, "GET", path)
    assert reply.status == 200
    assert reply.headers["x-request-id"]


@pytest.mark.parametrize("path", ["/v1/tables", "/v1/nothing", "/v1/broken", "/livez/", "/metrics/../v1/tables", "/"])
async def test_F19_every_other_path_needs_a_key_known_or_not(front: Front, path: str) -> None:
    reply = await ask(front.app, "GET", path)
    assert_problem(reply, 401, "UNAUTHENTICATED")
    assert reply.headers["www-authenticate"].startswith("Bearer")


async def test_a_read_checks_the_role(front: Front) -> None:
    dealer = front.store.add(make_key(), {"dealer", "operator"})
    reply = await ask(front.app, "GET", "/v1/journal", [("authorization", f"Bearer {dealer}")])
    assert_problem(reply, 403, "FORBIDDEN")
    assert (await ask(front.app, "GET", "/v1/journal", authorized(front))).json == {"subject": "anna"}


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/rounds/r1", "/v1", "//v1/tables", "/v1/tables/"])
async def test_an_unknown_path_answers_404(front: Front, path: str) -> None:
    assert_problem(await ask(front.app, "POST", path, authorized(front), b"{}"), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("GET", "/v1/rounds/r1/wagers", "POST"),
        ("PUT", "/v1/rounds/r1/wagers", "POST"),
        ("DELETE", "/v1/tables", "GET, POST"),
        ("POST", "/v1/journal", "GET"),
        ("POST", "/v1/jackpots/j1", "PATCH"),
    ],
)
async def test_a_known_path_with_another_method_answers_405_and_names_all(
    front: Front, method: str, path: str, allow: str
) -> None:
    reply = await ask(front.app, method, path, authorized(front))
    assert_problem(reply, 405, "METHOD_NOT_ALLOWED")
    assert reply.headers["allow"] == allow


async def test_a_bad_query_parameter_of_a_read_answers_422_and_is_named(front: Front) -> None:
    reply = await ask(front.app, "GET", "/v1/tables", authorized(front), query=b"limit=%00NaN")
    assert_problem(reply, 422, "INVALID", "limit")
    assert reply.json["errors"] == [{"field": "limit", "detail": "must be an integer"}]


async def test_bug_075_bodies_for_what_lies_behind_are_bounded_too(front: Front) -> None:
    long = [("content-length", "65537")]
    assert_problem(await ask(front.app, "POST", "/v1/slow", [*authorized(front), *long], []), 413, "TOO_LARGE")
    chunked = [*authorized(front), ("transfer-encoding", "chunked")]
    reply = await ask(front.app, "POST", "/v1/slow", chunked, [b"x" * 40_000, b"x" * 40_000, None])
    assert_problem(reply, 413, "TOO_LARGE")


@pytest.mark.parametrize(
    ("body", "status"), [(b'{"a":', 400), (b'{"a":"x"}', 422), (b"\xff", 400), (b'{"a":NaN}', 422)]
)
async def test_a_bad_body_for_what_lies_behind_is_a_problem(front: Front, body: bytes, status: int) -> None:
    headers = [*authorized(front), ("content-type", "application/json")]
    reply = await ask(front.app, "POST", "/v1/slow", headers, body)
    assert (reply.status, reply.json["code"]) == (status, "INVALID")


async def test_lifespan_passes_as_it_is(front: Front) -> None:
    seen: list[str] = []

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append((await receive())["type"])

    async def receive() -> Message:
        return {"type": "lifespan.startup"}

    async def send(message: Message) -> None:
        raise AssertionError

    app = Dispatcher(inner, [], front.app._keys)
    await app({"type": "lifespan"}, receive, send)
    assert seen == ["lifespan.startup"]


async def test_a_websocket_without_a_key_is_closed(front: Front) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await front.app({"type": "websocket", "path": "/v1/live", "headers": []}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


async def test_a_fault_after_the_answer_began_sends_no_second_answer(front: Front) -> None:
    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise Unavailable("half way")

    reply = await ask(Dispatcher(inner, [], front.app._keys), "GET", "/v1/stream")
    assert (reply.status, reply.body) == (200, b"")
