"""A gaming day's reconciliation."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from api.route_table import Call
from api.routes.row import BOOKKEEPERS, Row
from api.schemas.reconciling import PrepareBody, ResolveBreakBody, SignOffBody
from domain.approvals import Proposable
from domain.errors import Forbidden, NotFound, WrongPhase
from domain.reconciliations import FoundBreak, PoolTotals, Resolution
from services import answers
from services import commands as c


def prepare(call: Call[PrepareBody]) -> c.PrepareDay:
    """A run's findings."""
    body = call.body
    totals = tuple(_totals(one.model_dump()) for one in body.pools)
    breaks = tuple(
        FoundBreak(one.id, one.kind, one.about, one.position, one.expected, one.found, one.reason, one.owner or "")
        for one in body.breaks
    )
    return c.PrepareDay(body.day, body.log_position, body.chain_head, body.state_hash, totals, breaks)


def _totals(given: dict[str, Any]) -> PoolTotals:
    made: dict[str, Any] = {
        one.name: int(given[one.name]) if one.name.endswith("_micro") else given[one.name] for one in fields(PoolTotals)
    }
    return PoolTotals(**made)


def resolve(call: Call[ResolveBreakBody]) -> c.ResolveBreak:
    """The end of a break."""
    body, path = call.body, call.path
    return c.ResolveBreak(path["day"], path["break_id"], Resolution(body.resolution), body.reference, body.note)


def sign_off(call: Call[SignOffBody]) -> c.SignOff:
    """The seal."""
    return c.SignOff(call.path["day"], call.body.reason, call.body.approver)


def where(call: Call[PrepareBody], _answer: bytes) -> str:
    """Where the day is read."""
    return f"/v1/reconciliations/{call.body.day}"


DAY = "/v1/reconciliations/{day}"

ROWS = (
    Row(
        "/v1/reconciliations", PrepareBody, BOOKKEEPERS, prepare, answers.ReconciliationAnswer,
        "Prepare a day's reconciliation", (WrongPhase,), created=True, location=where,
    ),
    Row(
        f"{DAY}/breaks/{{break_id}}/resolve", ResolveBreakBody, BOOKKEEPERS, resolve, answers.ReconciliationAnswer,
        "Resolve a break", (NotFound, WrongPhase),
    ),
    Row(
        f"{DAY}/sign-off", SignOffBody, BOOKKEEPERS, sign_off, answers.ReconciliationAnswer,
        "Sign a day off, and seal it", (NotFound, Forbidden, WrongPhase), proposes=Proposable.SIGN_OFF,
    ),
)  # fmt: skip
"""The rows of this resource."""
