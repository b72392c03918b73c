"""Gaming days over nights in which the clock is put forward or back: each round lies in one (F09)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from adapters.database.settings import Role
from adapters.projector import FactReader
from domain.rounds.events import RoundCancelled, RoundOpened, RoundSettled, RoundVoided
from services.calendar import day_bounds, gaming_day
from services.ports import Told
from services.reports.game_performance import GAME_PERFORMANCE, GAMES
from services.reports.run import run
from services.reports.scope import Scope
from tests.faults.evidence import Evidence
from tests.faults.stage import OPERATOR, Stage

COUNTED: Final = ("rounds", "cancelled_rounds", "voided_rounds")


def wrong_days(stage: Stage, evidence: Evidence, zone: ZoneInfo) -> Iterator[str]:
    """What is wrong: a time that goes back against the order, a round in no gaming day or in two, by its end or by the
    report of game performance."""
    last = datetime.min.replace(tzinfo=UTC)
    opened: dict[str, datetime] = {}
    ended: dict[str, datetime] = {}
    for one in evidence.events:
        if one.recorded_at < last:
            yield f"position {one.position} was recorded at {one.recorded_at}, the one before at {last}"
        last = one.recorded_at
        match one.event:
            case RoundOpened(round=name):
                opened[name] = one.recorded_at
            case RoundSettled(round=name) | RoundCancelled(round=name) | RoundVoided(round=name):
                ended.setdefault(name, one.recorded_at)
            case _:
                pass
    for name, at in ended.items():
        begin, end = day_bounds(gaming_day(at, zone), zone)
        if not (begin <= at < end and opened[name] <= at):
            yield f"round {name} began at {opened[name]} and ended at {at}, outside of {begin} to {end}"
    days = {gaming_day(one.recorded_at, zone) for one in evidence.events}
    if not {timedelta(hours=23), timedelta(hours=24), timedelta(hours=25)} <= {_long(day, zone) for day in days}:
        yield f"the two nights and a plain day were expected, there are {sorted(days)}"
    with stage.connect(Role.PROJECTOR) as conn:
        told = list(FactReader().told(conn, OPERATOR))
    by_day = Counter[str]()
    for day in days:
        by_day.update(_reported(told, Scope(OPERATOR, zone, *day_bounds(day, zone))))
    whole = _reported(told, Scope(OPERATOR, zone))
    if by_day != whole or not whole["rounds"]:
        yield f"game performance: its days have {dict(by_day)}, the whole time {dict(whole)}"


def _long(day: date, zone: ZoneInfo) -> timedelta:
    begin, end = day_bounds(day, zone)
    return end - begin


def _reported(told: Sequence[Told], scope: Scope) -> Counter[str]:
    """Rounds of all games in the scope's time, as the report prints them."""
    table = run(GAME_PERFORMANCE, scope, told).table(GAMES)
    names = [one.name for one in table.layout.columns]
    return Counter({name: sum(int(row.cells[names.index(name)] or 0) for row in table.rows) for name in COUNTED})
