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
from typing import Any, Final

from domain.flows import Line, postings
from domain.frozen import dataclass
from domain.jackpots.events import Contributed, PoolCarried, PoolOpened
from domain.jackpots.parameters import PoolFound
from domain.money import MICRO
from domain.rounds.events import ShowdownHeld
from domain.tables import TableCarried, TableOpened
from domain.wallets.events import (
    Adjusted,
    BalanceWentNegative,
    FundsHeld,
    HeldMoneyDecided,
    Move,
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

AccountKey = tuple[str, str, str]
"""Operator, currency, account."""


@dataclass(frozen=True, slots=True)
class Breach:
    """A law that does not hold from `position` on."""

    position: int
    law: str


@dataclass(slots=True)
class _Entry:
    name: tuple[str, int] | None = None
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

    def take(self, one: Recorded) -> None:
        """The next event."""
        operator, kind, own_id = one.stream.split("/", 2)
        if (named := OWN_ID[kind](one.event)) != own_id:
            self._breach(one.position, f"the event of {kind} {named} stands in the stream {one.stream}")
        for position, reason in self._belonging.take(one):
            self._breach(position, reason)
        name = (one.meta.causation, one.entry)
        if name != self._entry.name:
            self._close_entry()
            self._entry.name = name
        self._entry.position = one.position
        for line in postings(one.event):
            self._post(operator, line)
        if isinstance(one.event, Move):
            self._check_wallet(operator, one)
        elif isinstance(one.event, BalanceWentNegative):
            self._negative.pop((operator, one.event.currency, f"av/{one.event.player}"), None)
        elif isinstance(one.event, PoolMove):
            self._check_pool(operator, one)
        elif isinstance(one.event, ShowdownHeld) and one.event.found is not None:
            self._check_found(operator, one, one.event.found)
        if (fault := self._carried.take(one)) is not None:
            self._breach(one.position, fault)

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

    def _post(self, operator: str, line: Line) -> None:
        self._entry.sums[operator, line.currency] += line.amount_micro
        self.balances[operator, line.currency, line.account] += line.amount_micro
        if line.account.startswith("pay/"):
            self._entry.unpaid.add((operator, line.currency, line.account))

    def _close_entry(self) -> None:
        if self._entry.name is None:
            return
        self.entries += 1
        for (operator, currency), micro in self._entry.sums.items():
            if micro:
                at = f"entry {self._entry.name[1]} of command {self._entry.name[0]}"
                self._breach(self._entry.position, f"{operator}: {at} sums to {micro} micro-units of {currency}")
        for (_, _, account), position in self._negative.items():
            self._breach(position, f"{account} fell below zero without its significant event")
        for key in self._entry.unpaid:
            if self.balances[key] < 0:
                self._breach(self._entry.position, f"more than was awarded is paid from {key[2]}")
        self._negative.clear()
        self._entry.unpaid.clear()
        self._entry.sums.clear()

    def _check_wallet(self, operator: str, one: Recorded) -> None:
        event = one.event
        if not isinstance(event, Move):
            return
        tells = {"av": event.available_after_minor, "held": event.held_after_minor}
        if isinstance(event, OutcomeReversed | HeldMoneyDecided):
            tells["review"] = event.review_after_minor
        for account, told in tells.items():
            found = self.balances[operator, event.currency, f"{account}/{event.player}"]
            if found != told * MICRO:
                law = f"{account}/{event.player} is {found} micro-units, its event says {told} minor units"
                self._breach(one.position, law)
            if told < 0 and account != "av":
                self._breach(one.position, f"{account}/{event.player} is below zero")
        if event.available_after_minor < 0:
            self._check_negative(operator, one)

    def _check_negative(self, operator: str, one: Recorded) -> None:
        """Below zero only by a claw-back or an adjustment, with its significant event; a deposit may leave it there."""
        event = one.event
        if isinstance(event, OutcomeReversed | HeldMoneyDecided | Adjusted) and event.amount_minor < 0:
            self._negative[operator, event.currency, f"av/{event.player}"] = one.position
        elif isinstance(event, FundsHeld | Withdrawn):
            self._breach(one.position, f"av/{event.player} is below zero after {type(event).__name__}")

    def _check_pool(self, operator: str, one: Recorded) -> None:
        event = one.event
        if not isinstance(event, PoolMove):
            return
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

    def _check_found(self, operator: str, one: Recorded, found: PoolFound) -> None:
        """Prizes are worked out on what the showdown says it found: that is what the pool held."""
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
