"""The lines of a player's account, and what each event makes of them (S0-42, R3, R5).

A ROUND line stands where its seat is settled and stays when the round is voided: it is shown as voided, and the
VOID line beside it says what was given back or taken. Neither is a win.
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from domain.frozen import dataclass
from domain.seats.events import PrizeDecided, SeatResettled, SeatSettled, SeatVoided, Stage
from domain.views.model import Fact
from domain.wallets.events import Adjusted, Deposited, TransactionReversed, Withdrawn

Ending = SeatSettled | PrizeDecided | SeatVoided | SeatResettled
"""Events of a seat that make a line."""


class HistoryKind(StrEnum):
    """What a line of the account history tells of."""

    DEPOSIT = "DEPOSIT"
    WITHDRAWAL = "WITHDRAWAL"
    ROUND = "ROUND"
    VOID = "VOID"
    RESETTLEMENT = "RESETTLEMENT"
    ADJUSTMENT = "ADJUSTMENT"
    ROLLBACK = "ROLLBACK"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the account. `amount_minor` is what it changed: +deposit, -withdrawal, the net of a round, and of a
    void what it did to a net that stood already, so that lines add up to the balance.

    `bet_minor` and `payout_minor` (prizes included) are those of a ROUND, `refund_minor` is what a VOID gave back
    (below zero: took); zero elsewhere.
    `available_after_minor` is None for lines of a round, whose balance lies with the part in the round.
    """

    position: int
    at: str
    kind: HistoryKind
    currency: str
    amount_minor: int
    bet_minor: int
    payout_minor: int
    refund_minor: int
    available_after_minor: int | None
    transaction_id: str | None
    round: str | None
    game_number: str | None
    table: str | None
    ruleset: str | None


@dataclass(frozen=True, slots=True)
class Played:
    """The round that a line tells of."""

    round: str
    game_number: str
    table: str
    ruleset: str
    currency: str


def cashier_line(fact: Fact, event: Deposited | Withdrawn) -> Line:
    """A deposit, or a withdrawal."""
    if isinstance(event, Deposited):
        return _of_wallet(fact, HistoryKind.DEPOSIT, event, event.amount_minor)
    return _of_wallet(fact, HistoryKind.WITHDRAWAL, event, -event.amount_minor)


def staff_line(fact: Fact, event: Adjusted | TransactionReversed) -> Line:
    """A correction, or a rollback: neither is a deposit, a withdrawal or a win."""
    kind = HistoryKind.ADJUSTMENT if isinstance(event, Adjusted) else HistoryKind.ROLLBACK
    return _of_wallet(fact, kind, event, event.amount_minor)


def review_line(fact: Fact, amount_minor: int, played: Played) -> Line:
    """What the end of a review took beyond what was held."""
    return _of_round(fact, HistoryKind.VOID, played, (amount_minor, 0, 0, 0))


def round_line(fact: Fact, event: Ending, played: Played) -> Line:
    """A settlement, a prize that was verified after it, a void, or a resettlement."""
    kind, refund, bet, payout = HistoryKind.ROUND, 0, 0, 0
    match event:
        case SeatSettled():
            amount, bet, payout = event.net_minor, event.staked_minor, event.returned_minor
        case PrizeDecided():
            amount = payout = event.amount_minor
        case SeatResettled():
            kind, amount = HistoryKind.RESETTLEMENT, -event.taken_minor
        case SeatVoided():
            kind = HistoryKind.VOID
            amount, refund = _given_back(event)
        case _:
            assert_never(event)
    return _of_round(fact, kind, played, (amount, bet, payout, refund))


def _of_wallet(
    fact: Fact, kind: HistoryKind, event: Deposited | Withdrawn | Adjusted | TransactionReversed, amount_minor: int
) -> Line:
    reference = None if isinstance(event, Adjusted) else event.transaction_id
    return Line(
        position=fact.position,
        at=fact.at,
        kind=kind,
        currency=event.currency,
        amount_minor=amount_minor,
        bet_minor=0,
        payout_minor=0,
        refund_minor=0,
        available_after_minor=event.available_after_minor,
        transaction_id=reference,
        round=None,
        game_number=None,
        table=None,
        ruleset=None,
    )


def _of_round(fact: Fact, kind: HistoryKind, played: Played, minors: tuple[int, int, int, int]) -> Line:
    """`minors`: what the line changed, the bet, the payout, the refund."""
    amount, bet, payout, refund = minors
    return Line(
        position=fact.position,
        at=fact.at,
        kind=kind,
        currency=played.currency,
        amount_minor=amount,
        bet_minor=bet,
        payout_minor=payout,
        refund_minor=refund,
        available_after_minor=None,
        transaction_id=None,
        round=played.round,
        game_number=played.game_number,
        table=played.table,
        ruleset=played.ruleset,
    )


def _given_back(event: SeatVoided) -> tuple[int, int]:
    """What a void changed for good, and what it gave back: before the settlement the stakes had not been lost yet."""
    if event.stage is Stage.BEFORE_SETTLEMENT:
        return 0, event.refund_minor
    return -event.taken_minor, -event.taken_minor
