"""Webhooks: settings of an operator, kept beside the log, so these rows are no commands of the house.

Their Idempotency-Keys are remembered beside those of all other calls. What is remembered holds no secret: the same call
again tells what was done, and not the secret that was made.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from api.encoding import encoded
from api.orders import HEADER_KEY
from api.route_table import Answer, Call, CommandRoute
from api.routes.row import MANAGERS
from api.schemas.webhooks import NoBody, ReplayBody, WebhookBody, WebhookChangeBody
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

    async def create(self, call: Call[WebhookBody]) -> Told:
        """A new webhook; the same once more is answered 200."""
        body = call.body
        self._refuse_plain(body.url)
        is_new, made = await self.webhooks.create(
            call.principal.operator, body.webhook, body.url, body.types, active=body.active, after=body.after
        )
        return _secret(made, 201 if is_new else 200)

    async def change(self, call: Call[WebhookChangeBody]) -> Told:
        """Other settings."""
        body = call.body
        if body.url is not None:
            self._refuse_plain(body.url)
        return Told(await self.webhooks.change(*_named(call), body.url, body.types, body.active))

    async def remove(self, call: Call[NoBody]) -> Told:
        """Gone."""
        return Told(await self.webhooks.remove(*_named(call)))

    async def rotate(self, call: Call[NoBody]) -> Told:
        """A new secret."""
        return _secret(await self.webhooks.rotate(*_named(call)), 201)

    async def ping(self, call: Call[NoBody]) -> Told:
        """A test."""
        return Told(await self.webhooks.ping(*_named(call)), 202)

    async def replay(self, call: Call[ReplayBody]) -> Told:
        """One event, or all past a position."""
        return Told(await self.webhooks.replay(*_named(call), call.body.after, call.body.position), 202)

    def handled(self, act: Callable[[Call[Any]], Awaitable[Told]]) -> Handle:
        """As the dispatcher calls it, once for an Idempotency-Key."""

        async def handle(call: Call[Any]) -> Answer:
            async def done() -> Done:
                return (await act(call)).done()

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
             (AlreadyExists, LimitReached, Conflict)),
        _Row("PATCH", "/{webhook}", WebhookChangeBody, calls.change, "Change a webhook, or enable it again",
             WebhookAnswer),
        _Row("DELETE", "/{webhook}", NoBody, calls.remove, "Remove a webhook", SendAnswer),
        _Row("POST", "/{webhook}/rotate", NoBody, calls.rotate,
             "A new secret; the one before signs beside it for 24 hours", WebhookSecretAnswer, 201,
             (NotFound, Conflict)),
        _Row("POST", "/{webhook}/ping", NoBody, calls.ping, "Send a test", SendAnswer, 202, (NotFound, LimitReached)),
        _Row("POST", "/{webhook}/replay", ReplayBody, calls.replay, "Send events again, or go on behind some",
             SendAnswer, 202, (NotFound, LimitReached)),
    )  # fmt: skip
    return tuple(row.route(calls) for row in rows)


class _Row(NamedTuple):
    """A row without what all have in common."""

    method: str
    path: str
    body: type[Any]
    act: Callable[[Call[Any]], Awaitable[Told]]
    summary: str
    answer: type[Any]
    success: int = 200
    refusals: tuple[type[Refusal], ...] = (NotFound,)

    def route(self, calls: Calls) -> CommandRoute[Any]:
        """As the dispatcher serves it."""
        return CommandRoute(
            self.method,
            f"/v1/webhooks{self.path}",
            self.body,
            MANAGERS,
            calls.handled(self.act),
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


def _secret(made: WebhookSecretAnswer, status: int) -> Told:
    return Told(made, status, replace(made, secret=None))
