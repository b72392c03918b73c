"""What can happen to a table, and the terms that its rounds are played under."""

from __future__ import annotations

from datetime import datetime

from domain.frozen import dataclass
from domain.words import StrEnum


class CardSource(StrEnum):
    """Where cards come from: our own shuffle, or a studio's scanner."""

    SHOE = "SHOE"
    FEED = "FEED"


class Pace(StrEnum):
    """Who drives the phases: timers or calls."""

    AUTO = "AUTO"
    MANUAL = "MANUAL"


class CallReserve(StrEnum):
    """Whether an ante also holds the call that may follow (C13)."""

    FULL = "FULL"
    NONE = "NONE"


@dataclass(frozen=True, slots=True)
class TableTerms:
    """Everything that a round needs to know of its table; copied into the round when it opens.

    Limits are minor units for the sum of a spot (S0-24); `side_price_minor` is the fixed price of the
    progressive wager (S2-05, S3-09, S4-06), None where the side wager is free within its limits.
    """

    table: str
    ruleset: str
    ruleset_hash: str
    currency: str
    ante_min_minor: int
    ante_max_minor: int
    side_min_minor: int
    side_max_minor: int
    total_max_minor: int | None
    jackpot: str | None
    card_source: CardSource
    pace: Pace
    call_reserve: CallReserve
    below_min_policy: str
    timeout_policy: str
    betting_seconds: int
    closing_soon_seconds: int
    decision_seconds: int
    pause_seconds: int
    abandon_seconds: int


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table stands in the lobby under these terms."""

    terms: TableTerms


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round opened on the table; `nth_in_second` tells rounds of one second apart (C26)."""

    table: str
    round: str
    game_number: str
    second: str
    nth_in_second: int


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The table's round is over: settled, cancelled or voided."""

    table: str
    round: str
    at: datetime


@dataclass(frozen=True, slots=True)
class TableDisabled:
    """No new round opens; the one under way is finished (R22)."""

    table: str
    reason: str


@dataclass(frozen=True, slots=True)
class TableEnabled:
    """New rounds may open again."""

    table: str
    reason: str


@dataclass(frozen=True, slots=True)
class SeatReserved:
    """A player sits on this seat until leaving; where one hand serves all nobody has a seat (S3-02, S0-02)."""

    table: str
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class SeatFreed:
    """The seat is free again."""

    table: str
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class PlayedAlone:
    """Nobody plays this table beside others (S0-49)."""

    table: str


@dataclass(frozen=True, slots=True)
class TableCarried:
    """A closing entry: all that the events before it add up to, so that reading may begin here. Nothing changes."""

    terms: TableTerms
    open_round: str | None
    last_second: str
    nth_in_second: int
    disabled: bool
    last_ended_at: datetime | None
    last_round: str | None
    sitting: tuple[tuple[int, str], ...]
    alone: bool


TableEvent = (
    TableOpened
    | RoundStarted
    | RoundEnded
    | TableDisabled
    | TableEnabled
    | SeatReserved
    | SeatFreed
    | PlayedAlone
    | TableCarried
)
