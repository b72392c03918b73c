"""One row of the command table: where it is, what it takes, who may, which command it is, what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType
from typing import Any, Final

from api.location import Locator
from api.orders import Orders
from api.route_table import Answer, Call, CommandRoute
from domain.approvals import Proposable
from domain.errors import Refusal
from services.answers import ApprovalAnswer
from services.commands import Command

CASHIER: Final = frozenset({"operator", "admin"})
"""The casino's own systems: players, money, wagers."""

MANAGERS: Final = CASHIER
"""Who opens jackpots and tables."""

BOOKKEEPERS: Final = frozenset({"finance", "admin"})
"""Who corrects balances and pools."""

FLOOR: Final = frozenset({"operator", "dealer", "admin"})
"""Who drives a round."""

DEALER: Final = frozenset({"dealer", "admin"})
"""Who settles."""


@dataclass(frozen=True, slots=True)
class Row:
    """A POST that is one command; `created` answers 201, `repeats` 200 to a transaction id that was served before.
    What `proposes` needs two persons: where the operator's `four_eyes` is `strict` it may answer 202.
    """

    path: str
    body: type[Any]
    roles: frozenset[str]
    command: Callable[[Call[Any]], Command]
    answer: type[Any] | UnionType
    summary: str
    refusals: tuple[type[Refusal], ...]
    created: bool = False
    method: str = "POST"
    location: Locator | None = None
    """Where what a 201 has made is read."""
    body_optional: bool = False
    repeats: bool = False
    proposes: Proposable | None = None

    def route(self, orders: Orders) -> CommandRoute[Any]:
        """The row as the dispatcher serves it."""
        status = 201 if self.created else 200

        async def handle(call: Call[Any]) -> Answer:
            return await orders.carry_out(call, self.command(call), status)

        async def handle_two(call: Call[Any]) -> Answer:
            return await orders.carry_out_or_propose(call, self.command(call), status)

        return CommandRoute(
            self.method,
            self.path,
            self.body,
            self.roles,
            handle if self.proposes is None else handle_two,
            body_optional=self.body_optional,
            success=status,
            answer=self.answer,
            summary=self.summary,
            refusals=self.refusals,
            repeats=self.repeats,
            proposal=None if self.proposes is None else ApprovalAnswer,
        )
