"""Tables that the operator lets nobody play beside others (S0-49)."""

from __future__ import annotations

from collections.abc import Collection

from domain.errors import TableLimit
from services.desk import Desk


def check_beside(desk: Desk, table: str, others: Collection[str], *, field: str) -> None:
    """TableLimit where the player is at other tables, and this one or one of those is not played beside others."""
    elsewhere = [one for one in sorted(others) if one != table]
    for one in (table, *elsewhere) if elsewhere else ():
        known = desk.find_table(one)
        if known is not None and known.alone:
            beside = elsewhere[0] if one == table else table
            raise TableLimit(f"table {one} is not played beside others, here {beside}", field=field)
