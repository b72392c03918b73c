"""Command routes: one row each, path, body, roles, and how the body becomes a command.

The dispatcher serves from these rows and the OpenAPI document is made from them.
"""

from __future__ import annotations

from typing import Any, Final

from api.location import located
from api.orders import Orders
from api.route_table import CommandRoute
from api.routes import accounts, bulk, chat, floor, presence, reconciling, rounds, upkeep
from api.routes.approvals import deciding
from api.routes.bulk import BulkRow
from api.routes.row import Row

ROWS: Final[tuple[Row | BulkRow, ...]] = (
    *accounts.ROWS, *floor.ROWS, *presence.ROWS, *chat.ROWS, *rounds.ROWS, *bulk.ROWS, *upkeep.ROWS,
    *reconciling.ROWS, deciding((*accounts.ROWS, *rounds.ROWS, *upkeep.ROWS, *reconciling.ROWS)),
)  # fmt: skip
"""Every command of the API."""


def command_routes(orders: Orders) -> tuple[CommandRoute[Any], ...]:
    """Every command route of the API."""
    return tuple(located(row.route(orders), row.location if isinstance(row, Row) else None) for row in ROWS)
