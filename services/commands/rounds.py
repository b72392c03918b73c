"""Commands that play a round."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.settlement import Decision


@dataclass(frozen=True, slots=True)
class OpenRound:
    """Open the table's next round; its id is the command's id."""

    table: str


@dataclass(frozen=True, slots=True)
class PlaceWager:
    """Put stakes on a player's spots; zero where a spot is left alone."""

    round: str
    player: str
    seat: int | None
    ante_minor: int
    five_plus_one_minor: int
    progressive_minor: int
    session: str | None = None


@dataclass(frozen=True, slots=True)
class UndoWager:
    """Take the player's last action back as a whole."""

    round: str
    player: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class DoubleWagers:
    """Double what lies on the player's spots."""

    round: str
    player: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class RepeatWagers:
    """Place the bets of the table's previous round again."""

    round: str
    player: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class PassRound:
    """Skip this deal (S3-07)."""

    round: str
    player: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class LeaveRound:
    """The player is gone: bets are declined while betting is open (S0-31)."""

    round: str
    player: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class CloseBetting:
    """End betting."""

    round: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Lay the cards; a live feed says which (`seats` by seat number) or has scanned them, a shoe knows."""

    round: str
    shared: tuple[str, ...] | None
    seats: tuple[tuple[int, tuple[str, ...]], ...] | None
    dealer: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class ScanCard:
    """Take the next card of a live table; with `hold` the last one waits for `Deal` to say that all are right."""

    round: str
    to: str
    number: int
    card: str
    hold: bool


@dataclass(frozen=True, slots=True)
class CorrectScan:
    """Put a card right that the scanner misread, before the deal is over."""

    round: str
    to: str
    number: int
    card: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decide:
    """The player's call or fold."""

    round: str
    player: str
    decision: Decision
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Settle:
    """Decide for who has not, show all cards, award and pay; a live feed names the dealer's other cards."""

    round: str
    dealer: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class PayOn:
    """Pay the next seats of a round whose showdown is done: work that goes on after an interruption too."""

    round: str
