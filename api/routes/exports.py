"""Exports are asked for here; they are made elsewhere, and add no event."""

from __future__ import annotations

from typing import Any, Final

from api.encoding import encoded
from api.orders import HEADER_KEY
from api.route_table import Answer, Call, CommandRoute
from api.schemas.exports import ExportBody
from domain.errors import Forbidden, IdempotencyMismatch, LimitReached
from services.exports.desk import ExportAnswer, ExportDesk
from services.exports.kinds import BOOKS
from services.keys import Caller, Served
from services.once import Done, Once

EXPORTS: Final = "/v1/exports"


def export_routes(desk: ExportDesk, once: Once) -> tuple[CommandRoute[Any], ...]:
    """The one call."""

    async def ask(call: Call[ExportBody]) -> Answer:
        who = call.principal
        caller = Caller(who.operator, who.subject, who.key_id, who.roles, call.address, call.request_id, EXPORTS)

        async def act() -> Done:
            made = await desk.order(caller, call.body.wish())
            body = encoded(made)
            return Done(202, body, 202, body, made.position)

        assert call.key is not None, "the route asks for a key"
        found = await once.of(Served((who.operator, HEADER_KEY, call.key), call.fingerprint), act)
        return Answer(found.status, found.body, ((b"location", _location(found.body)),), replayed=found.again)

    return (
        CommandRoute(
            "POST", EXPORTS, ExportBody, BOOKS, ask, success=202, answer=ExportAnswer,
            summary="Ask for a file: a report, the journal or the events",
            refusals=(Forbidden, IdempotencyMismatch, LimitReached),
        ),
    )  # fmt: skip


def _location(body: bytes) -> bytes:
    """Where the export is read; its id needs no quoting, and stands first in the answer."""
    export = body.split(b'"', 4)[3]
    return EXPORTS.encode() + b"/" + export
