"""The table of postings looks at every event, and moves money for those alone that carry it."""

from __future__ import annotations

import pytest

from domain.flows import Line, postings
from domain.money import MICRO
from domain.seats.events import LossKind, SeatSettled, SeatVoided, Stage, WagerKind, WagerResult
from domain.streams import EVENT_TYPES, Event, evolve
from domain.wallets.events import Deposited, FundsHeld, HoldReason, StakesSettled, WalletOpened
from tests.adapters.event_samples import sample

MOVES_MONEY = {
    "Deposited", "Withdrawn", "FundsHeld", "FundsReleased", "StakesSettled", "PrizePaid", "OutcomeReversed",
    "HeldMoneyDecided", "Adjusted", "TransactionReversed", "SeatSettled", "SeatVoided", "SeatResettled",
    "ReviewResolved", "PoolOpened", "Contributed", "Awarded", "PoolReset", "RoundMirrored", "RoundResettled",
    "Corrected", "TransferredOut", "TransferredIn", "TermsChanged", "AwardVerified", "AwardRefused",
}  # fmt: skip
RESULTS = (WagerResult("w:ante", WagerKind.ANTE, 100, 200), WagerResult("w:side", WagerKind.SIDE, 30, 0))


OTHERS = [kind for kind in EVENT_TYPES if kind.__name__ not in MOVES_MONEY]


@pytest.mark.parametrize("kind", OTHERS, ids=lambda kind: kind.__name__)
def test_every_other_event_posts_nothing(kind: type[Event]) -> None:
    assert postings(sample(kind, full=True)) == ()


def test_every_event_that_moves_money_is_one_of_those_that_there_are() -> None:
    assert {kind.__name__ for kind in EVENT_TYPES} >= MOVES_MONEY


def test_a_line_of_nothing_is_left_out() -> None:
    assert postings(StakesSettled("ann", "EUR", "r", 100, 0, 0, 0)) == (Line("held/ann", "EUR", -100 * MICRO),)


@pytest.mark.parametrize(
    "event",
    [
        Deposited("ann", "EUR", "tx", 7, 7, 0),
        FundsHeld("ann", "EUR", "r", HoldReason.WAGER, 7, 0, 7),
    ],
)
def test_what_stays_within_a_wallet_and_cash_sums_to_zero_by_itself(event: Event) -> None:
    assert sum(line.amount_micro for line in postings(event)) == 0


def test_a_void_posts_the_revenue_of_the_settlement_with_its_sign_turned() -> None:
    settled = SeatSettled("r", "ann", "live", "EUR", "PAIR", "WIN", RESULTS, 0, 0, 130, 200, 70)
    voided = SeatVoided(
        "r",
        "ann",
        "live",
        "EUR",
        Stage.AFTER_SETTLEMENT,
        RESULTS,
        0,
        70,
        40,
        30,
        ("w:ante", "w:side"),
        0,
        LossKind.FINAL,
    )
    ante, side = Line("REV/live/ANTE", "EUR", -100 * MICRO), Line("REV/live/SIDE", "EUR", 30 * MICRO)
    assert postings(settled) == (ante, side)
    assert postings(voided) == (
        Line("REV/live/ANTE", "EUR", 100 * MICRO),
        Line("REV/live/SIDE", "EUR", -30 * MICRO),
        Line("LOSS/FINAL", "EUR", -30 * MICRO),
    )


def test_an_event_in_a_stream_of_no_kind_is_a_fault() -> None:
    with pytest.raises(ValueError, match="no such kind"):
        evolve("op/wardrobe/ann", None, WalletOpened("ann", "EUR"))
