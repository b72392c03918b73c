"""Bodies about rounds: wagers, cards, decisions, pause and void."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from api.fields import Amount, Body, ClientId, Reason
from domain.cards import RANKS, SUITS

Card = Annotated[str, StringConstraints(max_length=2, pattern=f"^[{RANKS}][{SUITS}]$")]
"""Two characters, such as "As" or "Td"."""

Five = Annotated[list[Card], Field(min_length=5, max_length=5)]
SeatNumber = Annotated[int, Field(ge=1, le=99)]
WagerId = Annotated[str, Field(min_length=1, max_length=64)]
SeatKey = Annotated[str, StringConstraints(pattern="^[1-9][0-9]?$")]

ScanTo = Annotated[str, StringConstraints(pattern="^(dealer|player|[1-9][0-9]?)$")]
CardNumber = Annotated[int, Field(ge=1, le=5)]


class SideBody(Body):
    """Side wagers, by name."""

    five_plus_one: Amount | None = None
    progressive: Amount | None = None


class WagerBody(Body):
    """Stakes on a player's spots; a further call adds to the same spots."""

    player: ClientId
    seat: SeatNumber | None = None
    ante: Amount | None = None
    side: SideBody | None = None
    session: ClientId | None = None


class WhoBody(Body):
    """A player, and the session of the device that asks; one that was replaced is refused."""

    player: ClientId
    session: ClientId | None = None


class DealBody(Body):
    """Cards from a live feed; empty for a shoe, and for cards that were scanned one by one."""

    player: Five | None = None
    seats: Annotated[dict[SeatKey, Five], Field(max_length=9)] | None = None
    dealer: Annotated[list[Card], Field(min_length=1, max_length=5)] | None = None


class ScanBody(Body):
    """The next card of a live table: a seat's number, `player` for the hand of all, or `dealer`, and which of its five
    cards. With `hold` the last card waits for a `deal` with no cards, so that it may be put right before.
    """

    to: ScanTo
    number: CardNumber
    card: Card
    hold: bool = False


class ScanCorrectionBody(Body):
    """The card that lies there in place of the one that was read, and why. The reason names no card."""

    to: ScanTo
    number: CardNumber
    card: Card
    reason: Reason


class DecisionBody(Body):
    """Call or fold."""

    player: ClientId
    decision: Literal["call", "fold"]
    session: ClientId | None = None


class SettleBody(Body):
    """The dealer's cards where the live feed has not named them yet: all five, or the other four."""

    dealer: Annotated[list[Card], Field(min_length=4, max_length=5)] | None = None


class PauseBody(Body):
    """Why the round stops."""

    reason: Reason


class ResumeBody(Body):
    """What was found."""

    reason: Reason | None = None


class VoidBody(Body):
    """Why, who bears what players owe, and who else stands for it: once the round is settled all are required, but for
    `approver` with `four_eyes` `strict`, where another person's key approves. A `dry_run` of more than 1,000 players is
    listed in pages: `after` names the last player of the page before.
    """

    reason: Reason | None = None
    policy: Literal["CLAW_BACK", "HOUSE_ABSORBS", "HOLD_FOR_REVIEW"] | None = None
    approver: ClientId | None = None
    evidence: Annotated[str, Field(min_length=1, max_length=500)] | None = None
    dry_run: bool = False
    after: ClientId | None = None
    wagers: (
        Annotated[list[Annotated[str, Field(min_length=1, max_length=64)]], Field(min_length=1, max_length=100)] | None
    ) = None


class ResettleBody(Body):
    """The full corrected cards, why, who bears what players owe, and who else stands for it (required with `four_eyes`
    `named`).
    """

    player: Five | None = None
    seats: Annotated[dict[SeatKey, Five], Field(max_length=9)] | None = None
    dealer: Five
    policy: Literal["CLAW_BACK", "HOUSE_ABSORBS", "HOLD_FOR_REVIEW"]
    reason: Reason
    approver: ClientId | None = None


class ResolveBody(Body):
    """Who bears what players owe."""

    policy: Literal["CLAW_BACK", "HOUSE_ABSORBS"]
