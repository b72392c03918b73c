"""Every call of the document with the ids of one's own objects, of another operator's, and of nobody's (for F19)."""

from __future__ import annotations

import itertools
import json
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.types import ASGIApp, Message

from tests.http.bodies import sample
from tests.http.contract import Contract, Operation

NAMED: Final = ("player", "table", "round", "jackpot", "transaction_id")
"""Path parameters, query parameters and fields of bodies that name an object."""

SCOPES: Final = {"PLAYER": "player", "TABLE": "table", "JACKPOT": "jackpot"}
"""Of `disable` and `enable`: what `id` names."""

TRIES: Final = 20

Ids = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. All but the date is compared, byte for byte."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def now(self) -> Reply:
        """The same without how far the read models had come, which more calls move."""
        return Reply(self.status, self.headers, re.sub(rb'("position"):[^,}]*', rb"\1", self.body))

    def without(self, ids: Ids) -> Reply:
        """The same without what a success repeats and counts: the ids sent, its place in the log, the money left."""
        body = self.body
        for name in ids.values():
            body = body.replace(name.encode(), b"ID")
        headers = tuple(one for one in self.headers if one[0] not in {"content-length", "location"})
        return Reply(self.status, headers, re.sub(rb'("position"|"at"|"key"|"available"):[^,}]*', rb"\1", body))


@dataclass(slots=True)
class Desk:
    """The application in this process, asked with one key after the other."""

    app: ASGIApp
    calls: int = 0
    again: int = 0

    async def ask(self, method: str, target: str, key: str | None, body: bytes = b"", name: str = "same") -> Reply:
        """One request; its X-Request-Id is always the same, so that equal answers are equal to the byte. Where the one
        connection is in use for too long it is sent again, as the answer says."""
        for _ in range(TRIES):
            reply = await self.once(method, target, key, body, name)
            if reply.status != 503:
                break
            self.again += 1
        return reply

    async def once(self, method: str, target: str, key: str | None, body: bytes, name: str) -> Reply:
        """One request, whatever comes."""
        self.calls += 1
        path, _, query = target.partition("?")
        headers = [(b"host", b"here"), (b"x-request-id", b"same"), (b"idempotency-key", name.encode())]
        if key is not None:
            headers.append((b"authorization", f"Bearer {key}".encode()))
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "server": ("here", 80), "client": ("127.0.0.1", 1), "headers": headers,
        }  # fmt: skip
        told: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        heard: list[Message] = []

        async def receive() -> Message:
            return told.pop() if told else {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            heard.append(message)

        await self.app(scope, receive, send)
        named = sorted((one.decode(), value.decode()) for one, value in heard[0]["headers"])
        content = b"".join(one.get("body", b"") for one in heard[1:])
        return Reply(heard[0]["status"], tuple(named), content)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: how it is made of ids, and which of them are another operator's."""

    call: Operation
    body: Mapping[str, Any]
    foreign: frozenset[str]
    fields: frozenset[str] = field(default=frozenset())

    def target(self, ids: Ids) -> str:
        """Path and query."""
        queried = [f"{name}={ids[name]}" for name in self.call.named("query") if name in NAMED]
        return "?".join([self.call.url(ids), *(["&".join(queried)] if queried else [])])

    def content(self, ids: Ids) -> bytes:
        """The body with the ids in their places."""
        return b"" if self.call.method == "GET" else json.dumps(_placed(self.body, ids)).encode()

    @property
    def is_creation(self) -> bool:
        """Whether a success takes the id, which is then the caller's own."""
        return bool(self.foreign & self.fields & {"player", "table", "jackpot"}) and not self.call.named("path")

    def __str__(self) -> str:
        return f"{self.call} {json.dumps(self.body)[:60]} with a stranger's {' and '.join(sorted(self.foreign))}"


def all_asked(contract: Contract) -> list[Asked]:
    """Every call with every choice of its ids that are another's."""
    found = [one for call in contract.operations() for body in _bodies(contract, call) for one in _asked(call, body)]
    return sorted(found, key=lambda one: (one.is_creation, one.call.method != "GET"))


def _asked(call: Operation, body: Mapping[str, Any]) -> Iterator[Asked]:
    fields = frozenset(_names_in(body))
    names = fields | {one for place in ("path", "query") for one in call.named(place) if one in NAMED}
    for count in range(1, len(names) + 1):
        for foreign in itertools.combinations(sorted(names), count):
            yield Asked(call, body, frozenset(foreign), fields)


def _bodies(contract: Contract, call: Operation) -> Iterator[Mapping[str, Any]]:
    if call.method == "GET":
        yield {}
        return
    schema = contract.body_schema(call)
    made = sample(contract, schema)
    properties = contract.resolved(schema).get("properties", {})
    optional = {
        name: f"{{{name}}}"
        for name in ("player", "jackpot")
        if name in properties and contract.is_valid({**properties[name], **_parts(schema)}, "an-id")
    }
    if call.path in ("/v1/disable", "/v1/enable"):
        for scope, named in SCOPES.items():
            yield {**made, "scope": scope, "id": f"{{{named}}}"}
        return
    yield _marked({**made, **optional})


def _parts(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What references within it lead to."""
    return {"components": schema["components"]}


def _marked(body: Any) -> Any:
    """The sample with a mark in each place of an id."""
    if isinstance(body, dict):
        return {name: f"{{{name}}}" if name in NAMED else _marked(part) for name, part in body.items()}
    return [_marked(part) for part in body] if isinstance(body, list) else body


def _names_in(body: Any) -> Iterator[str]:
    parts = body.values() if isinstance(body, Mapping) else body if isinstance(body, list) else ()
    for part in parts:
        if isinstance(part, str) and part[:1] == "{" and part[1:-1] in NAMED:
            yield part[1:-1]
        yield from _names_in(part)


def _placed(body: Any, ids: Ids) -> Any:
    if isinstance(body, Mapping):
        return {name: _placed(part, ids) for name, part in body.items()}
    if isinstance(body, list):
        return [_placed(part, ids) for part in body]
    return ids[body[1:-1]] if isinstance(body, str) and body[:1] == "{" and body[1:-1] in NAMED else body


def nobodys() -> dict[str, str]:
    """Ids that no operator has, of the length that all ids here have."""
    return {name: uuid.uuid4().hex for name in NAMED}
