"""The one table of postings: which accounts each event moves, in micro-units (docs/ledger.md, Postings).

A line raises (+) or lowers (-) what the house owes or has earned on one account. Accounts are texts:

    cash                      cashier and bank clearing
    av/{player}               a player's available money
    held/{player}             funds on game
    review/{player}           taken back by a void, until it is decided whose it is
    REV/{ruleset}/{kind}      game revenue, by rule set and kind of wager
    CON/{pool}                contributions (contra-revenue)
    FUND/{pool}/{kind}        what a pool cost the house: SEED, RESET, TOP_UP, FIXED_PRIZE, VOID_SHORTFALL
    LOSS/{kind}               what voids cost the house: REVIEW, FINAL
    ADJ                       corrections by staff
    m/{pool} res/{pool} ovf/{pool}   meter, reserve, overflow
    pay/{pool}/{player}/{award}      awarded, unpaid

The lines of the events of one entry sum to zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, NamedTuple, assert_never

from domain.jackpots.events import (
    Awarded,
    Contributed,
    FundKind,
    FundLine,
    Move,
    PoolCarried,
    PoolEvent,
    PoolOpened,
    PoolReset,
    RoundMirrored,
    RoundResettled,
)
from domain.jackpots.upkeep import (
    AwardRefused,
    AwardVerified,
    Corrected,
    PoolDisabled,
    PoolEnabled,
    TermsChanged,
    TransferredIn,
    TransferredOut,
    UpkeepEvent,
)
from domain.money import MICRO
from domain.seats.events import ReviewResolved, SeatEvent, SeatResettled, SeatSettled, SeatVoided
from domain.streams import Event
from domain.wallets.events import (
    Adjusted,
    BalanceWentNegative,
    Deposited,
    FundsHeld,
    FundsReleased,
    HeldMoneyDecided,
    OutcomeReversed,
    PrizePaid,
    StakesSettled,
    TransactionReversed,
    VoidPolicy,
    WalletCarried,
    WalletEvent,
    WalletOpened,
    Withdrawn,
)


class Line(NamedTuple):
    """One posting: `amount_micro` is signed and never zero."""

    account: str
    currency: str
    amount_micro: int


Amounts = Iterable[tuple[str, int]]
"""Accounts and signed micro-units."""


def postings(event: Event) -> tuple[Line, ...]:
    """The lines of `event`; empty where no money moves."""
    lines = _MOVERS.get(type(event))
    return () if lines is None else lines(event)


def _of_held(event: FundsHeld) -> tuple[Line, ...]:
    return _moved(event.currency, f"av/{event.player}", f"held/{event.player}", event.amount_minor)


def _of_released(event: FundsReleased) -> tuple[Line, ...]:
    return _moved(event.currency, f"held/{event.player}", f"av/{event.player}", event.amount_minor)


def _moved(currency: str, source: str, target: str, minor: int) -> tuple[Line, ...]:
    micro = minor * MICRO
    return (Line(source, currency, -micro), Line(target, currency, micro)) if micro else ()


def _of_stakes(event: StakesSettled) -> tuple[Line, ...]:
    currency, staked, payout = event.currency, event.staked_minor * MICRO, event.payout_minor * MICRO
    gone = (Line(f"held/{event.player}", currency, -staked),) if staked else ()
    return (*gone, Line(f"av/{event.player}", currency, payout)) if payout else gone


def _of_settled(event: SeatSettled) -> tuple[Line, ...]:
    """Minor units of revenue, wager by wager."""
    revenue, currency = f"REV/{event.ruleset}/", event.currency
    kept = [(one.kind, one.stake_minor - one.payout_minor) for one in event.results]
    return tuple([Line(f"{revenue}{kind}", currency, minor * MICRO) for kind, minor in kept if minor])


def _of_wallet(event: WalletEvent) -> tuple[Line, ...]:
    return _lines(event.currency, _wallet(event), MICRO)


def _of_seat(event: SeatVoided | SeatResettled | ReviewResolved) -> tuple[Line, ...]:
    return _lines(event.currency, _seat(event), MICRO)


def _of_new_pool(event: PoolOpened) -> tuple[Line, ...]:
    return _lines(event.terms.currency, _pool(event))


def _of_pool(event: Contributed | Awarded | PoolReset | RoundMirrored | RoundResettled) -> tuple[Line, ...]:
    return _lines(event.currency, _pool(event))


def _of_upkeep(
    event: Corrected | TransferredOut | TransferredIn | TermsChanged | AwardVerified | AwardRefused,
) -> tuple[Line, ...]:
    return _lines(event.currency, _upkeep(event))


def _lines(currency: str, amounts: Amounts, unit_micro: int = 1) -> tuple[Line, ...]:
    return tuple([Line(account, currency, amount * unit_micro) for account, amount in amounts if amount])


def _wallet(event: WalletEvent) -> Iterator[tuple[str, int]]:
    """Minor units on the player's accounts, and on cash for the cashier's two events."""
    match event:
        case Deposited():
            yield from (("cash", -event.amount_minor), (f"av/{event.player}", event.amount_minor))
        case Withdrawn():
            yield from ((f"av/{event.player}", -event.amount_minor), ("cash", event.amount_minor))
        case PrizePaid():
            yield f"av/{event.player}", event.amount_minor
        case OutcomeReversed():
            yield from ((f"av/{event.player}", event.amount_minor), (f"review/{event.player}", event.review_minor))
        case HeldMoneyDecided():
            yield from ((f"av/{event.player}", event.amount_minor), (f"review/{event.player}", -event.review_minor))
        case Adjusted():
            yield from ((f"av/{event.player}", event.amount_minor), ("ADJ", -event.amount_minor))
        case TransactionReversed():
            yield from ((f"av/{event.player}", event.amount_minor), ("cash", -event.amount_minor))
        case FundsHeld() | FundsReleased() | StakesSettled():
            raise AssertionError("the busiest events have functions of their own")
        case WalletOpened() | BalanceWentNegative() | WalletCarried():
            pass
        case _:
            assert_never(event)


def _seat(event: SeatEvent) -> Iterator[tuple[str, int]]:
    """A void turns the sign of what was earned, wager by wager, and bears what could not be taken."""
    match event:
        case SeatVoided():
            for one in event.results:
                yield f"REV/{event.ruleset}/{one.kind.value}", one.payout_minor - one.stake_minor
            yield f"LOSS/{event.loss_kind.value}", -event.loss_minor
        case SeatResettled():
            paid = {one.wager: one.payout_minor for one in event.before}
            for one in event.results:
                yield f"REV/{event.ruleset}/{one.kind.value}", paid[one.wager] - one.payout_minor
            yield f"LOSS/{event.loss_kind.value}", -event.loss_minor
        case ReviewResolved():
            yield "LOSS/REVIEW", event.owed_minor
            if event.policy is VoidPolicy.HOUSE_ABSORBS:
                yield "LOSS/FINAL", event.taken_minor - event.owed_minor
        case _:
            pass


def _pool(event: PoolEvent) -> Iterable[tuple[str, int]]:
    """Micro-units: the pool's own three accounts, and the house's account that stands against them."""
    match event:
        case PoolOpened():
            pool = event.terms.jackpot
            return chain(
                _move(pool, event.move), _fund(pool, [FundLine(FundKind.SEED, event.terms.seed_minor * MICRO)])
            )
        case Contributed():
            given = event.increment_micro + event.reserve_micro
            return chain(_move(event.jackpot, event.move), [(f"CON/{event.jackpot}", -given)])
        case Awarded():
            house = FundLine(event.fund, event.prize_minor * MICRO - event.pool_micro)
            pay = event.prize_minor * MICRO if event.pending else 0
            account = _pay(event.jackpot, event.player, event.award)
            return chain(_move(event.jackpot, event.move), _fund(event.jackpot, [house]), [(account, pay)])
        case PoolReset():
            house = FundLine(FundKind.RESET, event.reset_micro - event.from_reserve_micro)
            return chain(_move(event.jackpot, event.move), _fund(event.jackpot, [house]))
        case RoundResettled():
            old = [(_pay(event.jackpot, player, award), -minor * MICRO) for award, player, minor in event.cancelled]
            pending = [one for one in event.awards if one.pending]
            new = [(_pay(event.jackpot, one.player, one.award), one.prize_minor * MICRO) for one in pending]
            return chain(_move(event.jackpot, event.move), _fund(event.jackpot, event.funds), old, new)
        case RoundMirrored():
            cancelled = [
                (_pay(event.jackpot, player, award), -minor * MICRO) for award, player, minor in event.cancelled
            ]
            con = [(f"CON/{event.jackpot}", event.contribution_micro)]
            return chain(_move(event.jackpot, event.move), _fund(event.jackpot, event.funds), con, cancelled)
        case PoolCarried():
            return ()
        case _:
            assert_never(event)


def _upkeep(event: UpkeepEvent) -> Iterable[tuple[str, int]]:
    """Micro-units of what staff does: corrections against ADJ, transfers between pools, pending prizes."""
    match event:
        case Corrected():
            return chain(_move(event.jackpot, event.move), [("ADJ", -event.amount_micro)])
        case TransferredOut() | TransferredIn() | TermsChanged():
            return _move(event.jackpot, event.move)
        case AwardVerified():
            return [(_pay(event.jackpot, event.player, event.award), -event.prize_minor * MICRO)]
        case AwardRefused():
            pay = (_pay(event.jackpot, event.player, event.award), -event.prize_minor * MICRO)
            return chain(_move(event.jackpot, event.move), _fund(event.jackpot, event.funds), [pay])
        case PoolDisabled() | PoolEnabled():
            return ()
        case _:
            assert_never(event)


def _pay(pool: str, player: str, award: str) -> str:
    return f"pay/{pool}/{player}/{award}"


def _move(pool: str, move: Move) -> Amounts:
    return (
        (f"m/{pool}", move.meter_micro),
        (f"res/{pool}", move.reserve_micro),
        (f"ovf/{pool}", move.overflow_micro),
    )


def _fund(pool: str, lines: Iterable[FundLine]) -> Amounts:
    """What the house spends lowers what it has earned."""
    return [(f"FUND/{pool}/{line.kind.value}", -line.amount_micro) for line in lines]


_MOVERS: Final[dict[type[Any], Callable[[Any], tuple[Line, ...]]]] = {
    **dict.fromkeys(
        (
            Deposited,
            Withdrawn,
            PrizePaid,
            OutcomeReversed,
            HeldMoneyDecided,
            Adjusted,
            TransactionReversed,
        ),
        _of_wallet,
    ),
    FundsHeld: _of_held,
    FundsReleased: _of_released,
    StakesSettled: _of_stakes,
    SeatSettled: _of_settled,
    **dict.fromkeys((SeatVoided, SeatResettled, ReviewResolved), _of_seat),
    PoolOpened: _of_new_pool,
    **dict.fromkeys((Contributed, Awarded, PoolReset, RoundMirrored, RoundResettled), _of_pool),
    **dict.fromkeys((Corrected, TransferredOut, TransferredIn, TermsChanged, AwardVerified, AwardRefused), _of_upkeep),
}
"""Which events move money, and by which of the functions above."""
