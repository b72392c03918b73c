"""What needs two persons: the second one decides."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from api.auth import ROLES
from api.route_table import Call
from api.routes.row import Row
from api.schemas.approvals import ApprovalBody
from domain.errors import AlreadyVoided, CurrencyMismatch, DuplicateCard, Forbidden, NotFound, WrongPhase
from services import answers
from services import commands as c

DECIDED = (
    answers.VoidAnswer
    | answers.ResettleAnswer
    | answers.UpkeepAnswer
    | answers.PrizeAnswer
    | answers.AdjustmentAnswer
    | answers.ApprovalAnswer
    | answers.ReconciliationAnswer
)
"""What was proposed, done, as its own call answers; or the proposal, rejected."""


def deciding(proposing: Iterable[Row]) -> Row:
    """The row of the second person. Who may make a call may approve it: `proposing` are the rows of those calls."""
    rows: Final = [(row.proposes, row.roles) for row in proposing if row.proposes is not None]
    roles = frozenset[str]().union(*(roles for _, roles in rows))
    if not roles <= ROLES:
        raise ValueError("roles of calls are roles")

    def decide(call: Call[ApprovalBody]) -> c.DecideApproval:
        """Approve or reject."""
        body, held = call.body, call.principal.roles
        may = tuple(sorted(what.value for what, allowed in rows if held & allowed))
        return c.DecideApproval(call.path["approval"], body.decision == "APPROVE", body.reason, may)

    return Row(
        "/v1/approvals/{approval}", ApprovalBody, roles, decide, DECIDED,
        "Approve or reject what another proposed",
        (NotFound, Forbidden, WrongPhase, AlreadyVoided, CurrencyMismatch, DuplicateCard),
        body_optional=True,
    )  # fmt: skip
