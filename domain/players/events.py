"""What can happen to a player: known, in and out of service, at tables, settings and own limits.

Personal data stays with the operator; the id is opaque.
"""

from __future__ import annotations

from datetime import datetime

from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class PlayerRegistered:
    """The operator named a player; from now on there is a wallet."""

    player: str
    currency: str


@dataclass(frozen=True, slots=True)
class PlayerDisabled:
    """The player may not wager or deposit; withdrawals go on (R22, R30)."""

    player: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlayerEnabled:
    """The player may wager and deposit again."""

    player: str
    reason: str


@dataclass(frozen=True, slots=True)
class TableJoined:
    """The player is at a table, by this session; an earlier session there is no more (S0-48 to S0-51)."""

    player: str
    table: str
    seat: int | None
    session: str


@dataclass(frozen=True, slots=True)
class TableLeft:
    """The player is no longer at the table."""

    player: str
    table: str


@dataclass(frozen=True, slots=True)
class Settings:
    """What a client shows and plays, the same on every device (S0-43, S0-44). With `side_bets` off the house takes no
    side wager of this player; the others are stored for the client.
    """

    hide_chat: bool = False
    side_bets: bool = True
    video: str = "AUTO"
    dealer_volume: int = 100
    game_volume: int = 100


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """All settings as they are now."""

    player: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class LimitChanged:
    """The player's own highest ante, for all games (S3-21, C27); None: no limit.

    `week` is the start of the week that allowed the change; the limit holds from `effective_at`.
    """

    player: str
    ante_max_minor: int | None
    effective_at: datetime
    week: datetime


@dataclass(frozen=True, slots=True)
class ChatRemoved:
    """The player may not write to any chat any more, for abuse (S3-22); everything else goes on."""

    player: str
    reason: str


@dataclass(frozen=True, slots=True)
class ChatRestored:
    """The player may write again."""

    player: str
    reason: str


@dataclass(frozen=True, slots=True)
class At:
    """Where a player is at one table."""

    table: str
    seat: int | None
    session: str


@dataclass(frozen=True, slots=True)
class PlayerCarried:
    """A closing entry: all that the events before it add up to, so that reading may begin here. Nothing changes.

    `limits` are changes of the own limit, oldest first.
    """

    player: str
    currency: str
    disabled: bool
    tables: tuple[At, ...]
    settings: Settings
    limits: tuple[LimitChanged, ...]
    off_chat: bool


PlayerEvent = (
    PlayerRegistered
    | PlayerDisabled
    | PlayerEnabled
    | TableJoined
    | TableLeft
    | SettingsChanged
    | LimitChanged
    | ChatRemoved
    | ChatRestored
    | PlayerCarried
)
