"""Rows of the read models as the timers look at them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from domain.tables import CardSource, Pace
from domain.views.lobby import LobbyTable
from domain.views.open_rounds import OpenRound
from services.timers import Seen, WatchedRound, WatchedTable


def seen(rounds: Iterable[OpenRound], tables: Iterable[tuple[str, LobbyTable]]) -> Seen:
    """What there is to look after."""
    return Seen(
        [_round(one) for one in rounds],
        [_table(operator, one) for operator, one in tables if _is_idle(one)],
    )


def _round(one: OpenRound) -> WatchedRound:
    is_auto = one.pace == Pace.AUTO.value
    return WatchedRound(
        operator=one.operator,
        round=one.round,
        phase=one.phase,
        is_auto=is_auto,
        from_shoe=one.card_source == CardSource.SHOE.value,
        closes_at=None if one.closes_at is None else datetime.fromisoformat(one.closes_at),
        last_command_at=datetime.fromisoformat(one.last_command_at),
        abandon_seconds=one.abandon_seconds,
    )


def _is_idle(table: LobbyTable) -> bool:
    return table.terms.pace is Pace.AUTO and table.open_round is None and not table.disabled


def _table(operator: str, table: LobbyTable) -> WatchedTable:
    ended = table.last_ended_at
    pause = timedelta(seconds=table.terms.pause_seconds)
    return WatchedTable(operator, table.terms.table, None if ended is None else datetime.fromisoformat(ended) + pause)
