"""Answers about where players are, what they set, and the limits they set themselves."""

from __future__ import annotations

from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class JoinAnswer:
    """At the table; `waits` tells that a hand is under way and the next round is the first to play (S3-08)."""

    table: str
    player: str
    seat: int | None
    session: str
    replaced: bool
    waits: bool
    position: int = 0


@dataclass(frozen=True, slots=True)
class LeaveAnswer:
    """No longer at the table; `declined` is what came back of bets while betting was open (S0-31)."""

    table: str
    player: str
    declined: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class SettingsAnswer:
    """All settings as they are now."""

    player: str
    hide_chat: bool
    side_bets: bool
    video: str
    dealer_volume: int
    game_volume: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class LimitAnswer:
    """The own limit in force, and the one that comes with the time from which it holds."""

    player: str
    ante_max: int | None
    next_ante_max: int | None
    effective_at: str | None
    position: int = 0
