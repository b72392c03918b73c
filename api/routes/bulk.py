"""Many wagers, decisions or deposits in one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from api.bulk import Bulk, Reader
from api.gate import BULK_BODY_LIMIT
from api.orders import Orders
from api.route_table import Call, CommandRoute
from api.routes import accounts, rounds
from api.routes.row import Row
from api.schemas import bulk
from domain.errors import Refusal
from services.commands import Command


@dataclass(frozen=True, slots=True)
class BulkRow:
    """A POST of many requests: the `single` call's row says who may, what each item is, and what it may be refused.

    `name` is the list's field. An item's field `in_path` stands in the single call's path.
    """

    path: str
    name: str
    single: Row
    body: type[bulk.BulkBody]
    item: type[Any]
    answer: type[Any]
    summary: str
    in_path: str | None = None
    method: str = "POST"

    @property
    def roles(self) -> frozenset[str]:
        """Those of the single call."""
        return self.single.roles

    @property
    def created(self) -> bool:
        """Whether an item answers 201."""
        return self.single.created

    @property
    def refusals(self) -> tuple[type[Refusal], ...]:
        """Of an item, and of the whole call when it is atomic."""
        return self.single.refusals

    @property
    def command(self) -> Callable[[Call[Any]], Command]:
        """How an item becomes a command."""
        return self.single.command

    def route(self, orders: Orders) -> CommandRoute[Any]:
        """The row as the dispatcher serves it."""
        reader = Reader(self.body, self.item, self.name)
        status = 201 if self.created else 200
        handler = Bulk(orders, reader, self.command, status, self.single.path, self.in_path)
        return CommandRoute(
            self.method,
            self.path,
            self.body,
            self.roles,
            handler.handle,
            body_limit=BULK_BODY_LIMIT,
            key_required=False,
            answer=self.answer,
            summary=self.summary,
            refusals=self.refusals,
            reader=reader,
            weight=lambda items: len(items.raw),
        )


def _row(rows: tuple[Row, ...], path: str) -> Row:
    (found,) = [one for one in rows if one.path == path]
    return found


ROWS: Final = (
    BulkRow(
        f"{rounds.ROUND}/wagers/bulk", "wagers", _row(rounds.ROWS, f"{rounds.ROUND}/wagers"),
        bulk.WagersBulkBody, bulk.WagerItem, bulk.WagersBulkAnswer, "Place many wagers",
    ),
    BulkRow(
        f"{rounds.ROUND}/decisions/bulk", "decisions", _row(rounds.ROWS, f"{rounds.ROUND}/decisions"),
        bulk.DecisionsBulkBody, bulk.DecisionItem, bulk.DecisionsBulkAnswer, "Many calls and folds",
    ),
    BulkRow(
        "/v1/deposits/bulk", "deposits", _row(accounts.ROWS, f"{accounts.PLAYER}/deposits"),
        bulk.DepositsBulkBody, bulk.DepositItem, bulk.DepositsBulkAnswer, "Many deposits", in_path="player",
    ),
)  # fmt: skip
"""The rows of this resource."""
