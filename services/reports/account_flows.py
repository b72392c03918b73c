"""What each event does to a player's available money, by the reason why (R25, R28).

    closing = opening + deposits - withdrawals + rollbacks + adjustments - to games + from games + payouts + prizes
              + cancelled + voided + resettled + reviewed

Every posting on `av/{player}` is one of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from domain.streams import Event
from domain.wallets.events import (
    Adjusted,
    Deposited,
    FundsHeld,
    FundsReleased,
    HeldMoneyDecided,
    OutcomeReversed,
    PrizePaid,
    ReleaseReason,
    StakesSettled,
    TransactionReversed,
    Withdrawn,
)
from services.reports.acts import Act, Acts
from services.reports.columns import minor, summed
from services.reports.tables import Unit


class Flow(NamedTuple):
    """What an event changed of a player's money: the reason, by how much (as its column counts it), and what it did to
    available money, money on game and money under review. `reference` is the business's own id.
    """

    column: str
    amount_minor: int
    available_minor: int
    held_minor: int
    review_minor: int
    reference: str


_RELEASED: Final = {ReleaseReason.CANCELLED: "cancelled_minor", ReleaseReason.VOID: "voided_minor"}


def flow_of(event: Event, acts: Acts) -> Flow | None:
    """What a wallet's event is; None of any other, and of those that move no money."""
    match event:
        case Deposited(amount_minor=n):
            return Flow("deposits_minor", n, n, 0, 0, event.transaction_id)
        case Withdrawn(amount_minor=n):
            return Flow("withdrawals_minor", n, -n, 0, 0, event.transaction_id)
        case TransactionReversed(amount_minor=n):
            return Flow("rollbacks_minor", n, n, 0, 0, event.transaction_id)
        case Adjusted(amount_minor=n):
            return Flow("adjustments_minor", n, n, 0, 0, event.adjustment)
        case FundsHeld(amount_minor=n):
            return Flow("to_games_minor", n, -n, n, 0, event.round)
        case FundsReleased(amount_minor=n):
            return Flow(_RELEASED.get(event.reason, "from_games_minor"), n, n, -n, 0, event.round)
        case StakesSettled(payout_minor=n):
            return Flow("payouts_minor", n, n, -event.staked_minor, 0, event.round)
        case PrizePaid(amount_minor=n):
            return Flow("prizes_minor", n, n, 0, 0, event.award)
        case OutcomeReversed(amount_minor=n):
            column = "resettled_minor" if acts.of(event.round) is Act.RESETTLE else "voided_minor"
            return Flow(column, n, n, 0, event.review_minor, event.round)
        case HeldMoneyDecided(amount_minor=n):
            return Flow("reviewed_minor", n, n, 0, -event.review_minor, event.round)
        case _:
            return None


def summary(flow: Flow, *, before: bool) -> Iterator[tuple[str, int]]:
    """What a flow gives to which column of an account's summary."""
    if before:
        yield "opening_minor", flow.available_minor
    else:
        yield flow.column, flow.amount_minor
    if flow.held_minor:
        yield "funds_before_minor" if before else "funds_moved_minor", flow.held_minor
    if flow.review_minor:
        yield "review_minor", flow.review_minor


_PLUS: Final = (
    "opening_minor",
    "deposits_minor",
    "rollbacks_minor",
    "adjustments_minor",
    "from_games_minor",
    "payouts_minor",
    "prizes_minor",
    "cancelled_minor",
    "voided_minor",
    "resettled_minor",
    "reviewed_minor",
)

SUMMARY: Final = (
    minor("opening_minor", "Beginning"),
    minor("deposits_minor", "Deposits"),
    minor("withdrawals_minor", "Withdrawals"),
    minor("rollbacks_minor", "Rolled back"),
    minor("adjustments_minor", "Adjusted"),
    minor("to_games_minor", "To games"),
    minor("from_games_minor", "From games"),
    minor("payouts_minor", "Payouts"),
    minor("prizes_minor", "Prizes"),
    minor("cancelled_minor", "Cancelled"),
    minor("voided_minor", "Voided"),
    minor("resettled_minor", "Resettled"),
    minor("reviewed_minor", "Reviewed"),
    summed(Unit.MINOR, "closing_minor", "End", _PLUS, ("withdrawals_minor", "to_games_minor")),
    minor("funds_before_minor", "On game, beginning"),
    minor("funds_moved_minor", "Moved", working=True),
    summed(Unit.MINOR, "funds_on_game_minor", "On game, end", ("funds_before_minor", "funds_moved_minor")),
    minor("review_minor", "Under review"),
)
"""The columns of an account's summary: the beginning balance, what moved it and why, and the funds on game."""
