"""The read models folded from the log of a casino."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.rounds.events import RoundOpened
from domain.views.histories import Line, PlayedRound, line_group, played_key, seat_group
from domain.views.model import Fact, RowKey
from domain.views.plays import Play
from services.ports import Recorded
from tests.domain.views.folds import folded, group
from tests.support.counter import OPERATOR, Counter

Rows = dict[RowKey, Any]


def facts_of(log: Sequence[Recorded]) -> list[Fact]:
    """A log as the models get it."""
    openings: dict[str, RoundOpened] = {}
    facts = []
    for one in log:
        if isinstance(one.event, RoundOpened):
            openings[one.event.round] = one.event
        opened = openings.get(getattr(one.event, "round", ""))
        name, operator = type(one.event).__name__, one.stream.split("/", 1)[0]
        meta = (one.recorded_at, one.entry, one.meta.causation)
        facts.append(Fact(one.position, one.stream, operator, *meta, name, one.event, opened))
    return facts


async def rows_of(casino: Counter, model: str) -> Rows:
    """The rows of a model, folded from the whole log."""
    return folded(model, facts_of(await casino.everything()), OPERATOR)


def lines_of(rows: Rows, player: str) -> list[tuple[Line, int | None]]:
    """A player's account lines, oldest first, each with the available money after it."""
    return [(line, _balance_after(rows, player, line)) for line in group(rows, line_group(player))]


async def plays_of(casino: Counter, round_id: str) -> dict[str, Play]:
    """What each player did in a round, folded from the whole log."""
    return {one.play.player: one.play for one in group(await rows_of(casino, "histories"), seat_group(round_id))}


def _balance_after(rows: Rows, player: str, line: Line) -> int | None:
    if line.round is None:
        return line.available_after_minor
    played = rows[played_key(player, line.round)]
    assert isinstance(played, PlayedRound)
    return played.balance_after(line.position)
