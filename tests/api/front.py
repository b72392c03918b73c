"""A dispatcher with an echo behind it, and an ASGI client of a few lines, for the tests of the front."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import Depends, FastAPI
from pydantic import Field
from starlette.types import Message

from api.auth import KeyRing, NewKey, Principal, StoredKey, make_key, requires
from api.auth_gate import AuthGate, open_path
from api.dispatcher import Dispatcher
from api.fields import Amount, Body, ClientId, Currency, DecimalRate, NonNegativeAmount, Reason
from api.gate import BULK_BODY_LIMIT
from api.problems import install
from api.route_table import Answer, Call, CommandRoute

Player = Annotated[Principal, Depends(requires("operator"))]
Bookkeeper = Annotated[Principal, Depends(requires("finance"))]
ALL_ROLES = frozenset({"operator", "dealer", "auditor", "finance", "admin"})


class Side(Body):
    progressive: NonNegativeAmount | None = None


class Wager(Body):
    player: ClientId
    ante: Amount
    seat: int | None = Field(default=None, ge=1, le=7)
    side: Side | None = None
    currency: Currency | None = None
    rate: DecimalRate | None = None
    reason: Reason | None = None


class Nothing(Body):
    pass


class Bulk(Body):
    wagers: list[dict[str, int]] = Field(max_length=5000)


class KeysInMemory:
    """A key store that counts what it is asked."""

    def __init__(self) -> None:
        self.rows: dict[str, StoredKey] = {}
        self.asked: list[str] = []

    async def find(self, key_id: str) -> StoredKey | None:
        self.asked.append(key_id)
        return self.rows.get(key_id)

    def add(self, new: NewKey, roles: Iterable[str], operator: str = "demo") -> str:
        self.rows[new.key_id] = StoredKey(new.hash, Principal(operator, "anna", new.key_id, frozenset(roles)))
        return new.key


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)


class Front:
    """The application under test, with what reached its handler."""

    def __init__(self, *, body_seconds: float = 10.0) -> None:
        self.calls: list[Call[Any]] = []
        self.answer: Answer | BaseException = Answer(201, b'{"done":true}')
        self.store = KeysInMemory()
        self.key = self.store.add(make_key(), ALL_ROLES)
        keys = KeyRing(self.store)
        inner = AuthGate(reads(), keys, open_path)
        self.app = Dispatcher(inner, self.routes(), keys, body_seconds=body_seconds)

    def routes(self) -> list[CommandRoute[Any]]:
        play = frozenset({"operator", "dealer"})
        return [
            CommandRoute[Wager]("POST", "/v1/rounds/{round}/wagers", Wager, play, self.handle, success=201),
            CommandRoute("POST", "/v1/rounds/{round}/close", Nothing, play, self.handle, body_optional=True),
            CommandRoute(
                "POST",
                "/v1/rounds/{round}/wagers/bulk",
                Bulk,
                play,
                self.handle,
                body_limit=BULK_BODY_LIMIT,
                key_required=False,
            ),
            CommandRoute("POST", "/v1/tables", Nothing, frozenset({"admin"}), self.handle),
            CommandRoute("PATCH", "/v1/jackpots/{jackpot}", Nothing, frozenset({"admin"}), self.handle),
        ]

    async def handle(self, call: Call[Any]) -> Answer:
        self.calls.append(call)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    async def post(self, path: str, body: bytes | Sequence[bytes | None] = b"{}", **headers: str | None) -> Reply:
        """POST with this front's key and an Idempotency-Key, unless `headers` (with `_` for `-`) say otherwise."""
        named = {"authorization": f"Bearer {self.key}", "idempotency-key": "k-1"}
        named |= {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
        for name in [name.replace("_", "-") for name, value in headers.items() if value is None]:
            named.pop(name, None)
        return await ask(self.app, "POST", path, named.items(), body)

    async def wager(self, body: bytes | Sequence[bytes | None], **headers: str | None) -> Reply:
        return await self.post("/v1/rounds/r1/wagers", body, **headers)


def reads() -> FastAPI:
    app = FastAPI(redirect_slashes=False)
    install(app)

    @app.get("/v1/tables")
    async def tables(who: Player, limit: int = 1) -> dict[str, str]:
        return {"operator": who.operator}

    @app.get("/v1/journal")
    async def journal(who: Bookkeeper) -> dict[str, str]:
        return {"subject": who.subject}

    @app.post("/v1/slow")
    async def slow(body: dict[str, int]) -> dict[str, int]:
        return body

    @app.get("/v1/broken")
    async def broken() -> None:
        raise RuntimeError("a hand of As Kd in the message")

    @app.get("/livez")
    async def livez() -> dict[str, str]:
        return {"status": "ok"}

    return app


def request_scope(method: str, path: str, headers: Iterable[tuple[str, str]], query: bytes) -> dict[str, Any]:
    """What a server tells an ASGI application about a request."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode("utf-8", "surrogateescape"),
        "query_string": query,
        "root_path": "",
        "scheme": "http",
        "server": ("test", 80),
        "client": ("test", 1),
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
    }


async def ask(
    app: Any,
    method: str,
    path: str,
    headers: Iterable[tuple[str, str]] = (),
    body: bytes | Sequence[bytes | None] = b"",
    *,
    query: bytes = b"",
) -> Reply:
    """One request, its body in the given chunks; asking past its end, or for a chunk that is None, fails the test."""
    chunks = [body] if isinstance(body, bytes) else list(body)
    scope = request_scope(method, path, headers, query)
    sent: list[Message] = []
    overread: list[bool] = []

    async def receive() -> Message:
        chunk = chunks.pop(0) if chunks else None
        if chunk is None:
            overread.append(True)
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": chunk, "more_body": bool(chunks)}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    assert not overread, "more of the body was asked for than was needed"
    start = sent[0]
    named = {name.decode(): value.decode() for name, value in start["headers"]}
    assert len(named) == len(start["headers"]), "no header twice"
    return Reply(start["status"], named, b"".join(m.get("body", b"") for m in sent[1:]))


def assert_problem(reply: Reply, status: int, code: str, field: str | None = None) -> None:
    """`reply` is a problem document of this kind, and of the agreed shape and size."""
    assert (reply.status, reply.json["code"]) == (status, code), reply.body
    assert reply.headers["content-type"] == "application/problem+json"
    assert len(reply.body) < 2048
    document = reply.json
    assert document["status"] == status
    assert document["type"] == f"/docs/problems#{code}"
    assert document["title"]
    assert document["detail"]
    assert isinstance(document["retryable"], bool)
    assert document["request_id"] == reply.headers["x-request-id"]
    assert document.get("field") == field
