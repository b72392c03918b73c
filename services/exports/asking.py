"""From what was written to an order: everything that can be refused is refused here, before anything is read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from domain.errors import Invalid
from domain.views.model import time_text
from services.exports.kinds import Format, exportable
from services.exports.making import Order
from services.reports.asking import asked_cell, asked_of
from services.reports.catalogue import REPORTS
from services.reports.run import explain
from services.reports.scope import Clock, Scope


class Wish(NamedTuple):
    """What somebody wants: aware times, the parameters of a report by name, and with `explain` the events of a cell."""

    kind: str
    form: str
    begin: datetime | None = None
    end: datetime | None = None
    currency: str | None = None
    clock: Clock = Clock.RECORDED
    table: str | None = None
    parameters: Mapping[str, str] = {}
    explain: str | None = None


def order_of(operator: str, zone: ZoneInfo, wish: Wish, now: datetime) -> Order:
    """The wish as an order of the operator. Raises Invalid that names the field."""
    what = exportable(wish.kind)
    form = what.format(wish.form)
    scope = Scope(operator, zone, wish.begin, wish.end, wish.currency, wish.clock)
    if form is Format.HLEDGER and wish.clock is not Clock.RECORDED:
        raise Invalid("an hledger journal goes by the recorded time", field="clock")
    if not what.is_report:
        if wish.parameters:
            raise Invalid(f"{what.name} takes no such parameter", field=next(iter(wish.parameters)))
        return Order(what, form, scope, what.table(form, wish.table))
    kind = REPORTS[what.name]
    scope = asked_of(kind, scope, wish.parameters, now)
    cell = None if wish.explain is None else asked_cell(wish.explain)
    if cell is not None:
        try:
            explain(kind, scope, (), cell)
        except Invalid as refusal:
            raise Invalid(refusal.detail, field="explain") from None
    return Order(what, form, scope, what.table(form, wish.table), cell)


def wish_json(wish: Wish) -> dict[str, Any]:
    """The wish as it is kept until it is carried out; `wish_of` reads it again."""
    begin, end = (None if at is None else time_text(at) for at in (wish.begin, wish.end))
    return {
        **wish._asdict(),
        "begin": begin,
        "end": end,
        "clock": wish.clock.value,
        "parameters": dict(wish.parameters),
    }


def wish_of(kept: Mapping[str, Any]) -> Wish:
    """See `wish_json`."""
    begin, end = (None if kept[name] is None else datetime.fromisoformat(kept[name]) for name in ("begin", "end"))
    return Wish(**{**kept, "begin": begin, "end": end, "clock": Clock(kept["clock"])})
