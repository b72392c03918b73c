"""What every event must belong to: its operator, its moment, its round, and the operator's own transaction id.

The chain says that nothing was changed since it was made; this says that nothing was written that the program would
never write: an event of another operator, one before the one ahead of it, money of a round that was never opened, a
deposit that no transaction id stands for, one id that moves money twice, or an approval of one's own (F21; R23;
docs/ledger.md, Laws).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import field
from datetime import datetime
from typing import Final, NamedTuple

from domain.frozen import dataclass
from domain.jackpots.upkeep import AwardRefused, AwardVerified, Corrected, TransferredIn, TransferredOut
from domain.rounds.events import CardsCorrected, RoundOpened
from domain.transactions import TransactionKind, TransactionRecorded, TransactionRolledBack
from domain.wallets.events import Adjusted, Deposited, TransactionReversed, Withdrawn
from services.ports import Meta, Recorded

_OF_ROUNDS: Final = frozenset({"round", "seat", "wallet", "jackpot"})
"""Streams whose events name a round only once it is opened; a table names it in the same breath."""


_OWN: Final = frozenset({"round", "seat"})
"""Those of them that belong to one round alone."""
_OF_TWO: Final = frozenset(
    {Adjusted, Corrected, TransferredIn, TransferredOut, AwardVerified, AwardRefused, CardsCorrected}
)
"""What another person than the one who acts has approved."""
_OF_CASHIER: Final = frozenset({Deposited, Withdrawn, TransactionReversed, TransactionRecorded, TransactionRolledBack})
"""Movements at the cashier, as the wallet and as the transaction's own stream tell them."""


class Misfit(NamedTuple):
    """An event that belongs to nothing, and why."""

    position: int
    reason: str


class _Movement(NamedTuple):
    """A movement at the cashier, as the wallet and as the transaction's own stream say it; `back`: a rollback."""

    transaction_id: str
    player: str
    currency: str
    amount_minor: int
    back: bool


@dataclass(slots=True)
class _Command:
    """What one command did: movements at the cashier, those of the wallet less those that transactions stand for; the
    rounds whose money it moved, each with the first position; and the rounds that it was about.
    """

    name: str = ""
    position: int = 0
    left: defaultdict[_Movement, int] = field(default_factory=lambda: defaultdict(int))
    moved: dict[str, int] = field(default_factory=dict)
    about: set[str] = field(default_factory=set)


class Belonging:
    """Take every event of a log in order, then `finish`. Rounds and ids are kept by a number each: there are millions.

    Nothing is said of a time that is still to come: who served with a wrong clock cannot take it back.
    """

    def __init__(self) -> None:
        self._last: datetime | None = None
        self._rounds: set[int] = set()
        self._ids: set[int] = set()
        self._command = _Command()
        self._meta: Meta | None = None
        self._opened = ("", "")
        """Operator and round of the last event whose round is known to be opened: the next is often of the same."""

    def take(self, one: Recorded, operator: str, kind: str) -> list[Misfit]:
        """The next event, of a stream of that operator and kind; what does not fit, of it and the command before it."""
        event, meta = one.event, one.meta
        cls = type(event)
        found: list[Misfit] = []
        if meta is not self._meta:  # the events of a command share it where they are read together
            self._meta = meta
            if meta.causation != self._command.name:
                found = self._closed()
                self._command.name = meta.causation
        if meta.operator != operator:
            found.append(Misfit(one.position, f"an event of {meta.operator} stands in the stream {one.stream}"))
        if one.recorded_at is not self._last:
            self._last = self._timed(one, found)
        if kind in _OF_ROUNDS:
            self._of_round(operator, kind, one, found)
        if cls in _OF_TWO and getattr(event, "approver", None) == meta.actor:
            found.append(Misfit(one.position, f"{meta.actor} has approved what {meta.actor} did"))
        if cls in _OF_CASHIER:
            self._at_cashier(operator, one, found)
        return found

    def finish(self) -> list[Misfit]:
        """After the last event."""
        return self._closed()

    def _timed(self, one: Recorded, found: list[Misfit]) -> datetime:
        last, at = self._last, one.recorded_at
        if last is not None and at < last:
            found.append(Misfit(one.position, f"it was recorded at {at}, before the one ahead of it at {last}"))
            return last
        return at

    def _of_round(self, operator: str, kind: str, one: Recorded, found: list[Misfit]) -> None:
        event = one.event
        named = getattr(event, "round", None)
        if named is None:
            return
        if kind in _OWN:
            self._command.about.add(named)
        else:
            self._command.moved.setdefault(named, one.position)
        if (operator, named) == self._opened and not isinstance(event, RoundOpened):
            return
        own = hash((operator, named))
        if isinstance(event, RoundOpened):
            if own in self._rounds:
                found.append(Misfit(one.position, f"round {named} is opened again"))
            self._rounds.add(own)
        elif own not in self._rounds:
            found.append(Misfit(one.position, f"round {named} was never opened"))
            return
        self._opened = operator, named

    def _at_cashier(self, operator: str, one: Recorded, found: list[Misfit]) -> None:
        event = one.event
        if isinstance(event, TransactionRecorded):
            own = hash((operator, event.transaction_id))
            if own in self._ids:
                found.append(Misfit(one.position, f"transaction {event.transaction_id} stands for two movements"))
            self._ids.add(own)
        for movement, sign in _movements(one):
            self._command.position = one.position
            self._command.left[movement] += sign

    def _closed(self) -> list[Misfit]:
        """What the command has left: cash that wallet and transaction do not tell alike, money of a round moved beside
        no event of that round, which who reads the round would not come upon.
        """
        done, found = self._command, list[Misfit]()
        if done.left:
            found += [
                Misfit(done.position, f"wallet and transaction {one.transaction_id} do not say the same")
                for one, count in done.left.items()
                if count
            ]
            done.left.clear()
        if done.moved:
            found += [
                Misfit(at, f"money of round {named} moves beside no event of it")
                for named, at in done.moved.items()
                if named not in done.about
            ]
            done.moved.clear()
        done.about.clear()
        return found


def _movements(one: Recorded) -> Iterator[tuple[_Movement, int]]:
    """The movement that an event tells of: +1 where the wallet moved, -1 where a transaction stands for it."""
    match one.event:
        case Deposited(player, currency, name, amount_minor):
            yield _Movement(name, player, currency, amount_minor, back=False), 1
        case Withdrawn(player, currency, name, amount_minor):
            yield _Movement(name, player, currency, -amount_minor, back=False), 1
        case TransactionReversed(player, currency, name, amount_minor):
            yield _Movement(name, player, currency, amount_minor, back=True), 1
        case TransactionRecorded(name, player, currency, kind, amount_minor):
            sign = 1 if kind is TransactionKind.DEPOSIT else -1
            yield _Movement(name, player, currency, sign * amount_minor, back=False), -1
        case TransactionRolledBack(name, player, currency, kind, amount_minor):
            sign = -1 if kind is TransactionKind.DEPOSIT else 1
            yield _Movement(name, player, currency, sign * amount_minor, back=True), -1
        case _:
            pass
