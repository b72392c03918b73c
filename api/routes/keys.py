"""Keys of an operator: made, replaced, ended. They are configuration, so these calls add no event."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from api.auth import ADMINS
from api.orders import HEADER_KEY
from api.route_table import Answer, Call, CommandRoute
from api.schemas.floor import NoBody
from api.schemas.keys import KeyBody
from domain.errors import Forbidden, IdempotencyMismatch, LimitReached, NotFound
from services.keys import Caller, KeyAnswer, KeyDesk, Outcome, RevokedAnswer, Served, Wish

KEYS: Final = "/v1/keys"
ROTATE: Final = "/v1/keys/{key_id}/rotate"
REVOKE: Final = "/v1/keys/{key_id}/revoke"


def key_routes(desk: KeyDesk) -> tuple[CommandRoute[Any], ...]:
    """The three calls, as the dispatcher serves them."""

    async def add(call: Call[KeyBody]) -> Outcome:
        body = call.body
        wish = Wish(body.subject, frozenset(body.roles), body.label or "", body.signed)
        return await desk.add(_caller(call, KEYS), wish, served=_served(call))

    async def rotate(call: Call[NoBody]) -> Outcome:
        return await desk.rotate(_caller(call, ROTATE), call.path["key_id"], served=_served(call))

    async def revoke(call: Call[NoBody]) -> Outcome:
        return await desk.revoke(_caller(call, REVOKE), call.path["key_id"], served=_served(call))

    return (
        CommandRoute(
            "POST", KEYS, KeyBody, ADMINS, _answered(add), success=201, answer=KeyAnswer, repeats=True,
            summary="Make a key: its text is told once",
            refusals=(Forbidden, IdempotencyMismatch, LimitReached),
        ),
        CommandRoute(
            "POST", ROTATE, NoBody, ADMINS, _answered(rotate), success=201, answer=KeyAnswer, repeats=True,
            body_optional=True, summary="Make a second key for the subject of a key, before the old one is revoked",
            refusals=(Forbidden, IdempotencyMismatch, LimitReached, NotFound),
        ),
        CommandRoute(
            "POST", REVOKE, NoBody, ADMINS, _answered(revoke), answer=RevokedAnswer, body_optional=True,
            summary="End a key and its tokens, everywhere, before this answers",
            refusals=(Forbidden, IdempotencyMismatch, NotFound),
        ),
    )  # fmt: skip


def _answered(act: Callable[[Call[Any]], Awaitable[Outcome]]) -> Callable[[Call[Any]], Awaitable[Answer]]:
    async def handle(call: Call[Any]) -> Answer:
        found = await act(call)
        return Answer(found.status, found.body, replayed=found.again)

    return handle


def _caller(call: Call[Any], route: str) -> Caller:
    who = call.principal
    return Caller(who.operator, who.subject, who.key_id, who.roles, call.address, call.request_id, route)


def _served(call: Call[Any]) -> Served:
    assert call.key is not None, "the route asks for a key"
    return Served((call.principal.operator, HEADER_KEY, call.key), call.fingerprint)
