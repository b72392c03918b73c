"""Webhooks: settings of an operator, kept beside the log, so these rows are no commands of the house.

The name that the operator gives a webhook makes a repeated call harmless, so an Idempotency-Key is asked for as
everywhere and not remembered: a secret must not be stored with an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from api.route_table import Answer, Call, CommandRoute
from api.routes.row import MANAGERS
from api.schemas.webhooks import NoBody, ReplayBody, WebhookBody, WebhookChangeBody
from domain.errors import AlreadyExists, Conflict, Invalid, LimitReached, NotFound, Refusal
from services.webhooks import SendAnswer, WebhookAnswer, Webhooks, WebhookSecretAnswer

Handle = Callable[[Call[Any]], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Calls:
    """What the rows do. `plain_http`: whether the installation allows addresses that begin with http at all."""

    webhooks: Webhooks
    plain_http: bool

    async def create(self, call: Call[WebhookBody]) -> Answer:
        """A new webhook; the same once more is answered 200."""
        body = call.body
        self._refuse_plain(body.url)
        is_new, made = await self.webhooks.create(
            call.principal.operator, body.webhook, body.url, body.types, active=body.active, after=body.after
        )
        return _answer(made, 201 if is_new else 200)

    async def change(self, call: Call[WebhookChangeBody]) -> Answer:
        """Other settings."""
        body = call.body
        if body.url is not None:
            self._refuse_plain(body.url)
        return _answer(await self.webhooks.change(*_named(call), body.url, body.types, body.active))

    async def remove(self, call: Call[NoBody]) -> Answer:
        """Gone."""
        return _answer(await self.webhooks.remove(*_named(call)))

    async def rotate(self, call: Call[NoBody]) -> Answer:
        """A new secret."""
        return _answer(await self.webhooks.rotate(*_named(call)), 201)

    async def ping(self, call: Call[NoBody]) -> Answer:
        """A test."""
        return _answer(await self.webhooks.ping(*_named(call)), 202)

    async def replay(self, call: Call[ReplayBody]) -> Answer:
        """One event, or all past a position."""
        return _answer(await self.webhooks.replay(*_named(call), call.body.after, call.body.position), 202)

    def _refuse_plain(self, url: str) -> None:
        """Events leave under TLS, unless the installation has networks of its own for them."""
        if url.startswith("http://") and not self.plain_http:
            raise Invalid(
                "the address must begin with https://; http:// is for networks that whoever runs the service lists in"
                " STUDBOOK_WEBHOOK_PRIVATE",
                field="url",
            )


def webhook_routes(webhooks: Webhooks, plain_http: bool) -> tuple[CommandRoute[Any], ...]:
    """The rows."""
    calls = Calls(webhooks, plain_http)
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
    return tuple(row.route() for row in rows)


class _Row(NamedTuple):
    """A row without what all have in common."""

    method: str
    path: str
    body: type[Any]
    handle: Handle
    summary: str
    answer: type[Any]
    success: int = 200
    refusals: tuple[type[Refusal], ...] = (NotFound,)

    def route(self) -> CommandRoute[Any]:
        """As the dispatcher serves it."""
        return CommandRoute(
            self.method,
            f"/v1/webhooks{self.path}",
            self.body,
            MANAGERS,
            self.handle,
            key_required=self.method != "DELETE",
            body_optional=self.body is NoBody,
            success=self.success,
            answer=self.answer,
            summary=self.summary,
            refusals=self.refusals,
            repeats=not self.path,
        )


def _named(call: Call[Any]) -> tuple[str, str]:
    return call.principal.operator, call.path["webhook"]


def _answer(value: object, status: int = 200) -> Answer:
    return Answer(status, orjson.dumps(value, option=orjson.OPT_UTC_Z))
