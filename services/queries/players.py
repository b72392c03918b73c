"""Reads about what a player has set (S0-43, S3-21)."""

from __future__ import annotations

from domain.errors import NotFound
from domain.frozen import dataclass
from domain.players import limit_in_force, limit_that_waits
from domain.views.model import time_text
from domain.views.players import PLAYERS, PlayerRow, player_key
from services.queries.reads import Reads


@dataclass(frozen=True, slots=True)
class SettingsView:
    """A player's settings."""

    player: str
    hide_chat: bool
    side_bets: bool
    video: str
    dealer_volume: int
    game_volume: int
    position: int


@dataclass(frozen=True, slots=True)
class LimitsView:
    """The own limit in force, and the one that comes with the time from which it holds; minor units."""

    player: str
    ante_max: int | None
    next_ante_max: int | None
    effective_at: str | None
    position: int


async def settings(reads: Reads, operator: str, player: str, min_position: int | None = None) -> SettingsView:
    """The same on every device. Raises NotFound, Unavailable."""
    row, position = await _row(reads, operator, player, min_position)
    own = row.settings
    return SettingsView(player, own.hide_chat, own.side_bets, own.video, own.dealer_volume, own.game_volume, position)


async def limits(reads: Reads, operator: str, player: str, min_position: int | None = None) -> LimitsView:
    """What holds now, and what comes. Raises NotFound, Unavailable."""
    row, position = await _row(reads, operator, player, min_position)
    now, changes = reads.clock.now(), row.changes()
    waits = limit_that_waits(changes, now)
    in_force = limit_in_force(changes, now)
    if waits is None:
        return LimitsView(player, in_force, None, None, position)
    return LimitsView(player, in_force, waits.ante_max_minor, time_text(waits.effective_at), position)


async def _row(reads: Reads, operator: str, player: str, min_position: int | None) -> tuple[PlayerRow, int]:
    async with reads.views.reading(operator, {PLAYERS.name}, min_position) as snapshot:
        row = await snapshot.get(PLAYERS.name, player_key(player), PlayerRow)
        if row is None:
            raise NotFound("no such player", field="player")
        return row, snapshot.position
