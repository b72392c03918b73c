"""The laws of the ledger, checked event by event over a whole log (docs/ledger.md, Laws).

Each event stands in its own stream; entries sum to zero per currency; what an event says is left on an account is
what the postings add up to; nothing falls below zero that may not; every pool's accounts are explained by what went
in and out; a closing entry says what the events before it add up to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import field
from operator import attrgetter
from typing import Any, Final, get_args

from domain.carrying import CARRIED_KINDS
from domain.flows import Line, postings
from domain.frozen import dataclass
from domain.jackpots.events import Contributed, PoolCarried, PoolOpened
from domain.jackpots.parameters import PoolFound
from domain.money import MICRO
from domain.rounds.events import ShowdownHeld
from domain.tables import TableCarried, TableOpened
from domain.wallets.events import (
    MOVES,
    Adjusted,
    BalanceWentNegative,
    FundsHeld,
    HeldMoneyDecided,
    OutcomeReversed,
    Withdrawn,
)
from services.belonging import Belonging
from services.carried_book import CarriedBook
from services.pool_book import PoolBook, PoolMove
from services.ports import Recorded

FAULTS_MAX: Final = 20


OWN_ID: Final[Mapping[str, Callable[[Any], str]]] = {
    "wallet": attrgetter("player"),
    "player": attrgetter("player"),
    "round": attrgetter("round"),
    "gaming": lambda _: "all",
    "chat": attrgetter("table"),
    "message": attrgetter("message"),
    "approval": attrgetter("approval"),
    "reconciliation": attrgetter("day"),
    "transaction": attrgetter("transaction_id"),
    "seat": lambda event: f"{event.round}.{event.player}",
    "table": lambda event: event.terms.table if isinstance(event, TableOpened | TableCarried) else event.table,
    "jackpot": lambda event: event.terms.jackpot if isinstance(event, PoolOpened | PoolCarried) else event.jackpot,
}
"""By kind of stream: the id of the stream that an event belongs into, as the event itself names it."""

_REVIEWED: Final = frozenset({OutcomeReversed, HeldMoneyDecided})
"""Moves that tell what is under review, too."""

AccountKey = tuple[str, str, str]
"""Operator, currency, account."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A law that does not hold from `position` on."""

    position: int
    law: str


@dataclass(slots=True)
class _Entry:
    command: str | None = None
    number: int = 0
    position: int = 0
    sums: defaultdict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    unpaid: set[AccountKey] = field(default_factory=set)


class Laws:
    """Take every event of a log in order, then `finish`; `breaches` says what does not hold."""

    def __init__(self) -> None:
        self.balances: defaultdict[AccountKey, int] = defaultdict(int)
        self.breaches: list[Breach] = []
        self.entries = 0
        self._entry = _Entry()
        self._pools: dict[tuple[str, str], PoolBook] = {}
        self._negative: dict[AccountKey, int] = {}
        self._carried = CarriedBook()
        self._belonging = Belonging()
        self._checks: dict[type[Any], Callable[[str, Recorded], None]] = {
            **dict.fromkeys(MOVES, self._check_wallet),
            **dict.fromkeys(get_args(PoolMove), self._check_pool),
            BalanceWentNegative: self._told_negative,
            ShowdownHeld: self._check_found,
        }
        """By an event's class: what is held against the balances that its lines leave."""

    def take(self, one: Recorded) -> None:
        """The next event."""
        event, position = one.event, one.position
        operator, kind, own_id = one.stream.split("/", 2)
        if (named := OWN_ID[kind](event)) != own_id:
            self._breach(position, f"the event of {kind} {named} stands in the stream {one.stream}")
        for at, reason in self._belonging.take(one, operator, kind):
            self._breach(at, reason)
        entry, command = self._entry, one.meta.causation
        if one.entry != entry.number or command != entry.command:
            self._close_entry()
            entry.command, entry.number = command, one.entry
        entry.position = position
        if lines := postings(event):
            self._post(operator, lines)
        if (check := self._checks.get(type(event))) is not None:
            check(operator, one)
        if kind in CARRIED_KINDS and (fault := self._carried.take(one, kind)) is not None:
            self._breach(position, fault)

    def finish(self) -> list[Breach]:
        """After the last event: what does not hold."""
        self._close_entry()
        for position, reason in self._belonging.finish():
            self._breach(position, reason)
        sums: defaultdict[tuple[str, str], int] = defaultdict(int)
        for (operator, currency, _), micro in self.balances.items():
            sums[operator, currency] += micro
        for (operator, currency), micro in sums.items():
            if micro:
                self._breach(self._entry.position, f"{operator}, {currency}: all accounts sum to {micro} micro-units")
        return self.breaches

    def _post(self, operator: str, lines: tuple[Line, ...]) -> None:
        balances, entry = self.balances, self._entry
        for account, currency, amount_micro in lines:
            entry.sums[operator, currency] += amount_micro
            balances[operator, currency, account] += amount_micro
            if account.startswith("pay/"):
                entry.unpaid.add((operator, currency, account))

    def _close_entry(self) -> None:
        entry = self._entry
        if entry.command is None:
            return
        self.entries += 1
        if entry.sums:
            for (operator, currency), micro in entry.sums.items():
                if micro:
                    at = f"entry {entry.number} of command {entry.command}"
                    self._breach(entry.position, f"{operator}: {at} sums to {micro} micro-units of {currency}")
            entry.sums.clear()
        if self._negative:
            for (_, _, account), position in self._negative.items():
                self._breach(position, f"{account} fell below zero without its significant event")
            self._negative.clear()
        if entry.unpaid:
            for key in entry.unpaid:
                if self.balances[key] < 0:
                    self._breach(entry.position, f"more than was awarded is paid from {key[2]}")
            entry.unpaid.clear()

    def _check_wallet(self, operator: str, one: Recorded) -> None:
        event: Any = one.event
        player, currency, balances = event.player, event.currency, self.balances
        available, held = event.available_after_minor, event.held_after_minor
        if (
            balances[operator, currency, f"av/{player}"] != available * MICRO
            or balances[operator, currency, f"held/{player}"] != held * MICRO
            or held < 0
            or type(event) in _REVIEWED
        ):
            self._compare_wallet(operator, one)
        if available < 0:
            self._check_negative(operator, one)

    def _compare_wallet(self, operator: str, one: Recorded) -> None:
        """Account by account, where one differs or there is a third."""
        event: Any = one.event
        tells = {"av": event.available_after_minor, "held": event.held_after_minor}
        if type(event) in _REVIEWED:
            tells["review"] = event.review_after_minor
        for account, told in tells.items():
            found = self.balances[operator, event.currency, f"{account}/{event.player}"]
            if found != told * MICRO:
                law = f"{account}/{event.player} is {found} micro-units, its event says {told} minor units"
                self._breach(one.position, law)
            if told < 0 and account != "av":
                self._breach(one.position, f"{account}/{event.player} is below zero")

    def _told_negative(self, operator: str, one: Recorded) -> None:
        event: Any = one.event
        self._negative.pop((operator, event.currency, f"av/{event.player}"), None)

    def _check_negative(self, operator: str, one: Recorded) -> None:
        """Below zero only by a claw-back or an adjustment, with its significant event; a deposit may leave it there."""
        event = one.event
        if isinstance(event, OutcomeReversed | HeldMoneyDecided | Adjusted) and event.amount_minor < 0:
            self._negative[operator, event.currency, f"av/{event.player}"] = one.position
        elif isinstance(event, FundsHeld | Withdrawn):
            self._breach(one.position, f"av/{event.player} is below zero after {type(event).__name__}")

    def _check_pool(self, operator: str, one: Recorded) -> None:
        event: Any = one.event
        pool = event.terms.jackpot if isinstance(event, PoolOpened) else event.jackpot
        if isinstance(event, PoolOpened):
            self._pools[operator, pool] = PoolBook(event.terms)
        book = self._pools[operator, pool]
        currency = book.terms.currency
        if isinstance(event, Contributed) and not book.rates_hold(event):
            self._breach(one.position, f"pool {pool}: a share is not its stake at the rates in force")
        if (fault := book.explain(event)) is not None:
            self._breach(one.position, f"pool {pool}: {fault}")
        ceiling_micro = book.terms.ceiling_minor * MICRO
        held = {name: self.balances[operator, currency, f"{name}/{pool}"] for name in ("m", "res", "ovf")}
        move = event.move
        told = {"m": move.meter_after_micro, "res": move.reserve_after_micro, "ovf": move.overflow_after_micro}
        if held != told:
            self._breach(one.position, f"pool {pool} holds {held}, its event says {told}")
        if sum(held.values()) != book.explained_micro:
            self._breach(one.position, f"pool {pool} holds {sum(held.values())}, {book.explained_micro} are explained")
        if min(held.values()) < 0:
            self._breach(one.position, f"an account of pool {pool} is below zero: {held}")
        if held["m"] > ceiling_micro or (held["ovf"] and held["m"] < ceiling_micro):
            self._breach(one.position, f"pool {pool}: meter and overflow are not split at the ceiling: {held}")

    def _check_found(self, operator: str, one: Recorded) -> None:
        """Prizes are worked out on what the showdown says it found: that is what the pool held."""
        event: Any = one.event
        found: PoolFound | None = event.found
        if found is None:
            return
        pool, currency = found.terms.jackpot, found.terms.currency
        held = tuple(self.balances[operator, currency, f"{name}/{pool}"] for name in ("m", "res", "ovf"))
        told = found.meter_micro, found.reserve_micro, found.overflow_micro
        if held != told:
            self._breach(one.position, f"pool {pool} holds {held}, its showdown has found {told}")
        book = self._pools.get((operator, pool))
        if book is None or book.terms != found.terms:
            self._breach(one.position, f"pool {pool} has other parameters than its showdown has found")

    def _breach(self, position: int, law: str) -> None:
        if len(self.breaches) < FAULTS_MAX:
            self.breaches.append(Breach(position, law))
