"""Webhooks: settings of an operator, kept beside the log, so these rows are no commands of the house.

Their Idempotency-Keys are remembered beside those of all other calls. What is remembered holds no secret: the same call
again tells what was done, and not the secret that was made.

Each change is a line of the access log, written with it: who leads events elsewhere is found there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from api.encoding import encoded
from api.orders import HEADER_KEY
from api.route_table import Answer, Call, CommandRoute
from api.routes.row import MANAGERS
from api.schemas.webhooks import NoBody, ReplayBody, WebhookBody, WebhookChangeBody
from domain.access import (
    WEBHOOK_ADDED,
    WEBHOOK_CHANGED,
    WEBHOOK_REMOVED,
    WEBHOOK_REPLAYED,
    WEBHOOK_ROTATED,
    AccessLine,
    Visit,
)
from domain.errors import AlreadyExists, Conflict, IdempotencyMismatch, Invalid, LimitReached, NotFound, Refusal
from services.keys import Served
from services.once import Done, Once
from services.webhooks import SendAnswer, WebhookAnswer, Webhooks, WebhookSecretAnswer

Handle = Callable[[Call[Any]], Awaitable[Answer]]
Value = WebhookAnswer | WebhookSecretAnswer | SendAnswer


@dataclass(frozen=True, slots=True)
class Told:
    """An answer; `again` is what is told in its place when the same call comes again, with 200."""

    value: Value
    status: int = 200
    again: Value | None = None

    def done(self) -> Done:
        """As it is answered and remembered."""
        body = encoded(self.value)
        kept = (self.status, body) if self.again is None else (200, encoded(self.again))
        return Done(self.status, body, *kept, self.value.position)


@dataclass(frozen=True, slots=True)
class Calls:
    """What the rows do. `plain_http`: whether the installation allows addresses that begin with http at all."""

    webhooks: Webhooks
    once: Once
    plain_http: bool

    async def create(self, call: Call[WebhookBody], line: AccessLine) -> Told:
        """A new webhook; the same once more is answered 200."""
        body = call.body
        self._refuse_plain(body.url)
        made = await self.webhooks.create(
            call.principal.operator, body.webhook, body.url, body.types, active=body.active, after=body.after, line=line
        )
        return _secret(made, 200 if made.secret is None else 201)

    async def change(self, call: Call[WebhookChangeBody], line: AccessLine) -> Told:
        """Other settings."""
        body = call.body
        if body.url is not None:
            self._refuse_plain(body.url)
        return Told(await self.webhooks.change(*_named(call), body.url, body.types, body.active, line=line))

    async def remove(self, call: Call[NoBody], line: AccessLine) -> Told:
        """Gone."""
        return Told(await self.webhooks.remove(*_named(call), line=line))

    async def rotate(self, call: Call[NoBody], line: AccessLine) -> Told:
        """A new secret."""
        return _secret(await self.webhooks.rotate(*_named(call), line=line), 201)

    async def ping(self, call: Call[NoBody], _: AccessLine) -> Told:
        """A test."""
        return Told(await self.webhooks.ping(*_named(call)), 202)

    async def replay(self, call: Call[ReplayBody], line: AccessLine) -> Told:
        """One event, or all past a position."""
        return Told(await self.webhooks.replay(*_named(call), call.body.after, call.body.position, line=line), 202)

    def handled(self, row: _Row) -> Handle:
        """As the dispatcher calls it, once for an Idempotency-Key."""

        async def handle(call: Call[Any]) -> Answer:
            async def done() -> Done:
                line = AccessLine(self.webhooks.clock.now(), row.visit(call), 1, call.request_id)
                return (await row.act(call, line)).done()

            if call.key is None:
                made = await done()
                return Answer(made.status, made.body)
            served = Served((call.principal.operator, HEADER_KEY, call.key), call.fingerprint)
            found = await self.once.of(served, done)
            return Answer(found.status, found.body, replayed=found.again)

        return handle

    def _refuse_plain(self, url: str) -> None:
        """Events leave under TLS, unless the installation has networks of its own for them."""
        if url.startswith("http://") and not self.plain_http:
            raise Invalid(
                "the address must begin with https://; http:// is for networks that whoever runs the service lists in"
                " STUDBOOK_WEBHOOK_PRIVATE",
                field="url",
            )


def webhook_routes(webhooks: Webhooks, once: Once, plain_http: bool) -> tuple[CommandRoute[Any], ...]:
    """The rows."""
    calls = Calls(webhooks, once, plain_http)
    rows = (
        _Row("POST", "", WebhookBody, calls.create, "Have events sent to an address of yours", WebhookSecretAnswer, 201,
             (AlreadyExists, LimitReached, Conflict), WEBHOOK_ADDED),
        _Row("PATCH", "/{webhook}", WebhookChangeBody, calls.change, "Change a webhook, or enable it again",
             WebhookAnswer, kind=WEBHOOK_CHANGED),
        _Row("DELETE", "/{webhook}", NoBody, calls.remove, "Remove a webhook", SendAnswer, kind=WEBHOOK_REMOVED),
        _Row("POST", "/{webhook}/rotate", NoBody, calls.rotate,
             "A new secret; the one before signs beside it for 24 hours", WebhookSecretAnswer, 201,
             (NotFound, Conflict), WEBHOOK_ROTATED),
        _Row("POST", "/{webhook}/ping", NoBody, calls.ping, "Send a test", SendAnswer, 202, (NotFound, LimitReached)),
        _Row("POST", "/{webhook}/replay", ReplayBody, calls.replay, "Send events again, or go on behind some",
             SendAnswer, 202, (NotFound, LimitReached), WEBHOOK_REPLAYED),
    )  # fmt: skip
    return tuple(row.route(calls) for row in rows)


class _Row(NamedTuple):
    """A row without what all have in common."""

    method: str
    path: str
    body: type[Any]
    act: Callable[[Call[Any], AccessLine], Awaitable[Told]]
    summary: str
    answer: type[Any]
    success: int = 200
    refusals: tuple[type[Refusal], ...] = (NotFound,)
    kind: str = ""
    """What the access log calls it; a test changes nothing, so nothing is told of it."""

    def visit(self, call: Call[Any]) -> Visit:
        """What the access log tells of it."""
        who = call.principal
        route = f"/v1/webhooks{self.path}"
        return Visit(
            self.kind,
            who.operator,
            who.subject,
            who.key_id,
            call.address,
            self.method,
            route,
            self.success,
            _detail(call),
        )

    def route(self, calls: Calls) -> CommandRoute[Any]:
        """As the dispatcher serves it."""
        return CommandRoute(
            self.method,
            f"/v1/webhooks{self.path}",
            self.body,
            MANAGERS,
            calls.handled(self),
            key_required=self.method != "DELETE",
            body_optional=self.body is NoBody,
            success=self.success,
            answer=self.answer,
            summary=self.summary,
            refusals=(*self.refusals, IdempotencyMismatch),
            repeats=self.answer is WebhookSecretAnswer,
        )


def _named(call: Call[Any]) -> tuple[str, str]:
    return call.principal.operator, call.path["webhook"]


def _detail(call: Call[Any]) -> str:
    """Which webhook, and what was asked for it. Of an address the host alone: the rest may hold a secret."""
    match call.body:
        case WebhookBody(webhook=name, url=url, types=types):
            return f"webhook {name}: to {urlsplit(url).netloc}, {', '.join(types)}"
        case WebhookChangeBody(url=url, types=types, active=active):
            host = None if url is None else f"to {urlsplit(url).netloc}"
            switched = None if active is None else ("enabled" if active else "disabled")
            said = [one for one in (host, None if types is None else ", ".join(types), switched) if one]
            return f"webhook {call.path['webhook']}: {'; '.join(said)}"
        case ReplayBody(after=None, position=position):
            return f"webhook {call.path['webhook']}: the event at {position}"
        case ReplayBody(after=after):
            return f"webhook {call.path['webhook']}: all past {after}"
    return f"webhook {call.path['webhook']}"


def _secret(made: WebhookSecretAnswer, status: int) -> Told:
    return Told(made, status, replace(made, secret=None))
