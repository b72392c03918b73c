"""Histories of a player: the lines of the account, and the rounds played with every detail (S0-42, R3, R5, R25).

    line/{player}   {position}   a line of the account history, newest last; never changed once written
    play/{player}   {position}   a round that the player took part in, at the position of the first wager
    round/{player}  {round}      that part in full, and the balance after each of its lines
    transaction     {id}         a deposit or withdrawal by the operator's reference

A ROUND line stands where its seat is settled and stays when the round is voided: it is shown as voided, and the
VOID line beside it says what was given back or taken. Neither is a win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeGuard, assert_never

from domain.seats.events import (
    ActionUndone,
    PrizeDecided,
    ReviewResolved,
    SeatDecided,
    SeatEvent,
    SeatResettled,
    SeatSettled,
    SeatVoided,
    Stage,
    WagerPlaced,
    WagersRejected,
)
from domain.transactions import TransactionRolledBack, TransactionTombstoned
from domain.views.model import Fact, Model, RowKey
from domain.views.plays import Play, play_after
from domain.wallets.events import (
    Adjusted,
    Deposited,
    FundsHeld,
    FundsReleased,
    HeldMoneyDecided,
    OutcomeReversed,
    PrizePaid,
    StakesSettled,
    TransactionReversed,
    Withdrawn,
)

SEAT_EVENTS: Final = (
    WagerPlaced,
    ActionUndone,
    WagersRejected,
    SeatDecided,
    SeatSettled,
    PrizeDecided,
    SeatVoided,
    SeatResettled,
)
_OF_CASHIER: Final = (
    Deposited,
    Withdrawn,
    Adjusted,
    TransactionReversed,
    TransactionRolledBack,
    TransactionTombstoned,
)
_OF_ROUND: Final = (FundsHeld, FundsReleased, StakesSettled, PrizePaid, OutcomeReversed, HeldMoneyDecided)


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
class PlayRef:
    """A round that the player took part in."""

    round: str


@dataclass(frozen=True, slots=True)
class LineBalance:
    """The available money after the line at `position`."""

    position: int
    available_minor: int


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A player's part in a round. `balances` has one element for each line of it in the account history."""

    play: Play
    game_number: str
    table: str
    ruleset: str
    currency: str
    at: str
    position: int
    available_minor: int | None
    balances: tuple[LineBalance, ...]

    def balance_after(self, position: int) -> int | None:
        """The available money after the line at `position`, in minor units."""
        return next((one.available_minor for one in self.balances if one.position == position), None)


@dataclass(frozen=True, slots=True)
class Transaction:
    """A deposit or withdrawal by its reference, and whose. `player` and `line` are None for a tombstone."""

    player: str | None
    line: Line | None
    rolled_back: bool = False


HistoryRow = Line | PlayRef | PlayedRound | Transaction
_Rows = Mapping[RowKey, HistoryRow | None]


def line_group(player: str) -> str:
    """The group of a player's account lines."""
    return f"line/{player}"


def play_group(player: str) -> str:
    """The group of a player's rounds in the order of play."""
    return f"play/{player}"


def played_key(player: str, round_id: str) -> RowKey:
    """Where a player's part in a round lies."""
    return RowKey(f"round/{player}", round_id)


def transaction_key(transaction_id: str) -> RowKey:
    """Where a deposit or withdrawal lies."""
    return RowKey("transaction", transaction_id)


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    event = fact.event
    if isinstance(event, Deposited | Withdrawn | TransactionRolledBack | TransactionTombstoned):
        return (transaction_key(event.transaction_id),)
    return (played_key(event.player, event.round),) if isinstance(event, (*SEAT_EVENTS, *_OF_ROUND)) else ()


def _fold(rows: _Rows, fact: Fact) -> _Rows:
    event = fact.event
    if isinstance(event, TransactionTombstoned):
        return {transaction_key(event.transaction_id): Transaction(None, None, rolled_back=True)}
    if isinstance(event, TransactionRolledBack):
        known = rows.get(transaction_key(event.transaction_id))
        return {transaction_key(event.transaction_id): replace(known, rolled_back=True)} if _is_known(known) else {}
    if isinstance(event, Adjusted | TransactionReversed):
        return {RowKey(line_group(event.player), fact.place): _staff_line(fact, event)}
    if isinstance(event, Deposited | Withdrawn):
        line = _cashier_line(fact, event)
        by_reference = transaction_key(event.transaction_id)
        return {
            RowKey(line_group(event.player), fact.place): line,
            by_reference: rows.get(by_reference) or Transaction(event.player, line),
        }
    if isinstance(event, HeldMoneyDecided):
        return _review_ended(rows, fact, event)
    if isinstance(event, SEAT_EVENTS):
        return _seat(rows, fact, event)
    if isinstance(event, _OF_ROUND):
        key = played_key(event.player, event.round)
        played = rows.get(key)
        if isinstance(played, PlayedRound):
            return {key: _with_balance(played, event.available_after_minor)}
    return {}


def _is_known(row: HistoryRow | None) -> TypeGuard[Transaction]:
    return isinstance(row, Transaction)


def _staff_line(fact: Fact, event: Adjusted | TransactionReversed) -> Line:
    """A correction, or a rollback: neither is a deposit, a withdrawal or a win."""
    reference = event.transaction_id if isinstance(event, TransactionReversed) else None
    return Line(
        position=fact.position,
        at=fact.at,
        kind=HistoryKind.ADJUSTMENT if reference is None else HistoryKind.ROLLBACK,
        currency=event.currency,
        amount_minor=event.amount_minor,
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


def _review_ended(rows: _Rows, fact: Fact, event: HeldMoneyDecided) -> _Rows:
    """What was held for review is decided; where that takes more from the player the account has a line of it."""
    key = played_key(event.player, event.round)
    played = rows.get(key)
    if not isinstance(played, PlayedRound):
        return {}
    if not event.amount_minor:
        return {key: replace(played, available_minor=event.available_after_minor)}
    line = replace(
        _plain_line(fact, HistoryKind.VOID, event.currency, event.amount_minor),
        round=event.round,
        game_number=played.game_number,
        table=played.table,
        ruleset=played.ruleset,
    )
    told = _with_balance(_with_line(played, fact.position), event.available_after_minor)
    return {key: told, RowKey(line_group(event.player), fact.place): line}


def _plain_line(fact: Fact, kind: HistoryKind, currency: str, amount_minor: int) -> Line:
    return Line(fact.position, fact.at, kind, currency, amount_minor, 0, 0, 0, None, None, None, None, None, None)


def _cashier_line(fact: Fact, event: Deposited | Withdrawn) -> Line:
    comes_in = isinstance(event, Deposited)
    return Line(
        position=fact.position,
        at=fact.at,
        kind=HistoryKind.DEPOSIT if comes_in else HistoryKind.WITHDRAWAL,
        currency=event.currency,
        amount_minor=event.amount_minor if comes_in else -event.amount_minor,
        bet_minor=0,
        payout_minor=0,
        refund_minor=0,
        available_after_minor=event.available_after_minor,
        transaction_id=event.transaction_id,
        round=None,
        game_number=None,
        table=None,
        ruleset=None,
    )


def _seat(rows: _Rows, fact: Fact, event: SeatEvent) -> _Rows:
    """The part in the round after a seat's event; the first wager and the two ends add a row each."""
    key = played_key(event.player, event.round)
    known = rows.get(key)
    before = known if isinstance(known, PlayedRound) else None
    played = _played(before, fact, event)
    match event:
        case WagerPlaced():
            first = {} if before else {RowKey(play_group(event.player), fact.place): PlayRef(event.round)}
            return {key: played, **first}
        case PrizeDecided() if not event.verified:
            return {key: played}
        case SeatSettled() | SeatVoided() | SeatResettled() | PrizeDecided():
            line = _round_line(fact, event, played)
            return {key: _with_line(played, fact.position), RowKey(line_group(event.player), fact.place): line}
        case ActionUndone() | WagersRejected() | SeatDecided() | ReviewResolved():
            return {key: played}
        case _:
            assert_never(event)


def _played(before: PlayedRound | None, fact: Fact, event: SeatEvent) -> PlayedRound:
    if before is not None:
        return replace(before, play=play_after(before.play, event))
    opened = fact.round_opened
    return PlayedRound(
        play=play_after(None, event),
        game_number=opened.game_number,
        table=opened.terms.table,
        ruleset=opened.terms.ruleset,
        currency=opened.terms.currency,
        at=fact.at,
        position=fact.position,
        available_minor=None,
        balances=(),
    )


def _round_line(fact: Fact, event: Ending, played: PlayedRound) -> Line:
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
        round=event.round,
        game_number=played.game_number,
        table=played.table,
        ruleset=played.ruleset,
    )


Ending = SeatSettled | PrizeDecided | SeatVoided | SeatResettled


def _given_back(event: SeatVoided) -> tuple[int, int]:
    """What a void changed for good, and what it gave back: before the settlement the stakes had not been lost yet."""
    if event.stage is Stage.BEFORE_SETTLEMENT:
        return 0, event.refund_minor
    return -event.taken_minor, -event.taken_minor


def _with_line(played: PlayedRound, position: int) -> PlayedRound:
    """A new line begins with the last known balance; the wallet's events that follow it set the true one."""
    if played.available_minor is None:
        return played
    return replace(played, balances=(*played.balances, LineBalance(position, played.available_minor)))


def _with_balance(played: PlayedRound, available_minor: int) -> PlayedRound:
    """The wallet's balance, and with it that of the last line."""
    last = tuple(replace(one, available_minor=available_minor) for one in played.balances[-1:])
    return replace(played, available_minor=available_minor, balances=played.balances[:-1] + last)


HISTORIES: Final[Model[HistoryRow]] = Model(
    name="histories",
    kinds={"line": Line, "play": PlayRef, "round": PlayedRound, "transaction": Transaction},
    reads=frozenset({*_OF_CASHIER, *SEAT_EVENTS, *_OF_ROUND}),
    keys=_keys,
    fold=_fold,
)
