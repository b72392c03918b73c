"""Histories of a player: the lines of the account, and the rounds played with every detail (S0-42, R3, R5, R25).

    line/{player}   {position}   a line of the account history, newest last; never changed once written
    play/{player}   {position}   a round that the player took part in, at the position of the first wager
    seat/{round}    {player}     that part in full, and the balance after each of its lines; the round's seats, too
    transaction     {id}         a deposit or withdrawal by the operator's reference

What a line tells is `domain.views.account_lines`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, assert_never

from domain.changing import replace
from domain.frozen import dataclass
from domain.seats.events import (
    ActionUndone,
    PrizeDecided,
    ReviewResolved,
    SeatDecided,
    SeatEvent,
    SeatPassed,
    SeatResettled,
    SeatSettled,
    SeatVoided,
    WagerPlaced,
    WagersRejected,
)
from domain.transactions import TransactionRolledBack, TransactionTombstoned
from domain.views.account_lines import HistoryKind, Line, Played, cashier_line, review_line, round_line, staff_line
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
    SeatPassed,
    SeatResettled,
)
OfCashier = Deposited | Withdrawn | Adjusted | TransactionReversed | TransactionRolledBack | TransactionTombstoned
_OF_TRANSACTIONS: Final = (Deposited, Withdrawn, TransactionRolledBack, TransactionTombstoned)
OfRound = FundsHeld | FundsReleased | StakesSettled | PrizePaid | OutcomeReversed


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
    """A player's part in a round. `balances` has one element for each line of it in the account history; `line_entry`
    names the entry of the last one: the wallet's events of the same entry tell its balance, later ones do not.
    """

    play: Play
    game_number: str
    table: str
    ruleset: str
    currency: str
    at: str
    position: int
    available_minor: int | None
    balances: tuple[LineBalance, ...]
    line_entry: str | None = None

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


def seat_group(round_id: str) -> str:
    """The group of a round's players."""
    return f"seat/{round_id}"


def played_key(player: str, round_id: str) -> RowKey:
    """Where a player's part in a round lies."""
    return RowKey(seat_group(round_id), player)


def transaction_key(transaction_id: str) -> RowKey:
    """Where a deposit or withdrawal lies."""
    return RowKey("transaction", transaction_id)


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    found = _LOOKS.get(type(fact.event))
    return () if found is None else found[0](fact.event)


def _fold(rows: _Rows, fact: Fact) -> _Rows:
    found = _LOOKS.get(type(fact.event))
    return {} if found is None else found[1](rows, fact, fact.event)


def _none(_: Any) -> tuple[RowKey, ...]:
    return ()


def _transaction(event: Deposited | Withdrawn | TransactionRolledBack | TransactionTombstoned) -> tuple[RowKey, ...]:
    return (transaction_key(event.transaction_id),)


def _part(event: SeatEvent | OfRound | HeldMoneyDecided) -> tuple[RowKey, ...]:
    return (played_key(event.player, event.round),)


def _cashier(rows: _Rows, fact: Fact, event: OfCashier) -> _Rows:
    match event:
        case TransactionTombstoned():
            return {transaction_key(event.transaction_id): Transaction(None, None, rolled_back=True)}
        case TransactionRolledBack():
            key = transaction_key(event.transaction_id)
            known = rows.get(key)
            return {key: replace(known, rolled_back=True)} if isinstance(known, Transaction) else {}
        case Adjusted() | TransactionReversed():
            return {RowKey(line_group(event.player), fact.place): staff_line(fact, event)}
        case Deposited() | Withdrawn():
            line, key = cashier_line(fact, event), transaction_key(event.transaction_id)
            known = rows.get(key) or Transaction(event.player, line)
            return {RowKey(line_group(event.player), fact.place): line, key: known}
        case _:
            assert_never(event)


def _money(rows: _Rows, fact: Fact, event: OfRound) -> _Rows:
    ((key, played),) = rows.items()
    return {key: _with_balance(played, fact, event.available_after_minor)} if isinstance(played, PlayedRound) else {}


def _review_ended(rows: _Rows, fact: Fact, event: HeldMoneyDecided) -> _Rows:
    """What was held for review is decided; where that takes more from the player the account has a line of it."""
    ((key, played),) = rows.items()
    if not isinstance(played, PlayedRound):
        return {}
    if not event.amount_minor:
        return {key: replace(played, available_minor=event.available_after_minor)}
    line = review_line(fact, event.amount_minor, _of(played))
    told = _with_balance(_after(played, played.play, fact, has_line=True), fact, event.available_after_minor)
    return {key: told, RowKey(line_group(event.player), fact.place): line}


def _seat(rows: _Rows, fact: Fact, event: SeatEvent) -> _Rows:
    """The part in the round after a seat's event; the first wager and the two ends add a row each."""
    ((key, known),) = rows.items()
    before = known if isinstance(known, PlayedRound) else None
    play = play_after(before.play if before else None, event)
    match event:
        case WagerPlaced():
            if before:
                return {key: _after(before, play, fact)}
            return {key: _first(play, fact), RowKey(play_group(event.player), fact.place): PlayRef(event.round)}
        case PrizeDecided() if not event.verified:
            return {key: _after(before, play, fact)}
        case SeatSettled() | SeatVoided() | SeatResettled() | PrizeDecided():
            played = _after(before, play, fact, has_line=True)
            return {key: played, RowKey(line_group(event.player), fact.place): round_line(fact, event, _of(played))}
        case ActionUndone() | SeatPassed() | WagersRejected() | SeatDecided() | ReviewResolved():
            return {key: _after(before, play, fact)}
        case _:
            assert_never(event)


def _first(play: Play, fact: Fact) -> PlayedRound:
    opened = fact.round_opened
    return PlayedRound(
        play=play,
        game_number=opened.game_number,
        table=opened.terms.table,
        ruleset=opened.terms.ruleset,
        currency=opened.terms.currency,
        at=fact.at,
        position=fact.position,
        available_minor=None,
        balances=(),
    )


def _of(played: PlayedRound) -> Played:
    return Played(played.play.round, played.game_number, played.table, played.ruleset, played.currency)


def _after(before: PlayedRound | None, play: Play, fact: Fact, *, has_line: bool = False) -> PlayedRound:
    """The part with this play. A new line begins with the last known balance; the wallet's events of its entry set the
    true one.
    """
    if before is None:
        return _first(play, fact)
    if not has_line or before.available_minor is None:
        return replace(before, play=play)
    balances = (*before.balances, LineBalance(fact.position, before.available_minor))
    return replace(before, play=play, balances=balances, line_entry=_entry(fact))


def _with_balance(played: PlayedRound, fact: Fact, available_minor: int) -> PlayedRound:
    """The wallet's balance, and with it that of a line of the same entry."""
    if played.line_entry is None or played.line_entry != _entry(fact):
        return replace(played, available_minor=available_minor)
    last = tuple(LineBalance(one.position, available_minor) for one in played.balances[-1:])
    return replace(played, available_minor=available_minor, balances=played.balances[:-1] + last)


def _entry(fact: Fact) -> str:
    return f"{fact.command}/{fact.entry}"


_LOOKS: Final[dict[type[Any], tuple[Callable[[Any], tuple[RowKey, ...]], Callable[[_Rows, Fact, Any], _Rows]]]] = {
    **dict.fromkeys(_OF_TRANSACTIONS, (_transaction, _cashier)),
    **dict.fromkeys((Adjusted, TransactionReversed), (_none, _cashier)),
    **dict.fromkeys(SEAT_EVENTS, (_part, _seat)),
    **dict.fromkeys((FundsHeld, FundsReleased, StakesSettled, PrizePaid, OutcomeReversed), (_part, _money)),
    HeldMoneyDecided: (_part, _review_ended),
}
"""By the class of an event: which row has to be seen, and what becomes of it."""

HISTORIES: Final[Model[HistoryRow]] = Model(
    name="histories",
    kinds={"line": Line, "play": PlayRef, "seat": PlayedRound, "transaction": Transaction},
    reads=frozenset(_LOOKS),
    keys=_keys,
    fold=_fold,
    by_player=frozenset(_LOOKS) - frozenset(_OF_TRANSACTIONS),
)

__all__ = [
    "HISTORIES",
    "SEAT_EVENTS",
    "HistoryKind",
    "HistoryRow",
    "Line",
    "LineBalance",
    "PlayRef",
    "PlayedRound",
    "Transaction",
    "line_group",
    "play_group",
    "played_key",
    "seat_group",
    "transaction_key",
]
