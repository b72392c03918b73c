"""Commands about where players are, what they set, and the limits they set themselves."""

from __future__ import annotations

from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Be at a table by this session; `instead_of` is left once it is joined (S0-48 to S0-51)."""

    table: str
    player: str
    seat: int | None
    session: str
    instead_of: str | None


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Be at the table no longer; a `session` that another device has replaced leaves nothing (S0-50)."""

    table: str
    player: str
    session: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SetSettings:
    """Change some settings; None leaves one as it is (S0-43, S0-44)."""

    player: str
    hide_chat: bool | None
    side_bets: bool | None
    video: str | None
    dealer_volume: int | None
    game_volume: int | None


@dataclass(frozen=True, slots=True)
class SetLimit:
    """The player's own highest ante for all games, None for none (S3-21)."""

    player: str
    ante_max_minor: int | None
