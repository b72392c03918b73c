"""A pool from its own events alone: what explains it, what its events say is left, and where the two differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, NamedTuple

from domain.flows import Line
from domain.frozen import dataclass
from domain.jackpots.events import Awarded, Contributed, PoolTerms, RoundMirrored, RoundResettled
from domain.jackpots.identity import Mover, Term, move_of, terms_after, terms_of
from domain.jackpots.upkeep import AwardRefused, AwardVerified
from domain.money import MICRO
from domain.rounds.events import AwardRecord, Share
from services.ports import Recorded
from services.reconcile.breaks import BreakClass

OWN: Final = ("m", "res", "ovf")
"""The pool's own accounts that make up what it holds."""

ACCOUNTS: Final = (*OWN, "pay", "CON", "FUND")
"""All that is compared: beside its own, prizes not paid yet, contributions, and what the pool cost the house."""

Amounts = dict[str, int]
"""Micro-units by account, with the sign of the ledger."""


class Difference(NamedTuple):
    """Two figures of one event that should be one."""

    kind: BreakClass
    account: str
    expected: int
    found: int
    reason: str


class _Prize(NamedTuple):
    micro: int
    pending: bool


@dataclass(slots=True)
class PoolFold:
    """One pool. `terms` is what explains it so far, `told` what its last event says is left."""

    terms_in_force: PoolTerms
    terms: defaultdict[Term, int] = field(default_factory=lambda: defaultdict(int))
    told: Amounts = field(default_factory=lambda: dict.fromkeys(OWN, 0))
    other: Amounts = field(default_factory=lambda: dict.fromkeys(("pay", "CON", "FUND"), 0))
    """What the events make of the accounts beside the pool's own."""
    position: int = 0
    version: int = 0
    _prizes: dict[str, _Prize] = field(default_factory=dict)
    _bases: list[Amounts] = field(default_factory=lambda: [dict.fromkeys(OWN, 0)])
    """What was there before the next event: two answers after one whose words do not agree, until the next decides;
    none where it is not known.
    """

    @property
    def currency(self) -> str:
        """Of all its amounts."""
        return self.terms_in_force.currency

    @property
    def by_events(self) -> Amounts:
        """Every account as the pool's events have it."""
        return self.told | self.other

    @property
    def holds_micro(self) -> int:
        """Meter, reserve and overflow together, as the last event says."""
        return sum(self.told.values())

    def skip(self, one: Recorded) -> Iterator[Difference]:
        """Any event of the pool's stream, before it is taken: is it the next one?"""
        self.position, self.version = one.position, self.version + 1
        if one.version != self.version:
            reason = "events are gone from the pool's stream just before this one"
            yield Difference(BreakClass.EVENT_MISSING, "version", self.version, one.version, reason)
            self.version = one.version
            self._bases = []

    def lose(self) -> None:
        """An event of the pool's stream cannot be read: what it left is whatever the next one finds."""
        self.version += 1
        self._bases = []

    def take(self, event: Mover | AwardVerified, lines: Sequence[Line]) -> Iterator[Difference]:
        """The pool's next event, and the ledger's lines of it. Yields the first of its figures that differ."""
        pool = self.terms_in_force.jackpot
        if isinstance(event, AwardVerified):
            change = {"pay": -self._settled(event.award)}
            self._add(change)
            yield from _posted(pool, lines, change)
            return
        explained = terms_of(event)
        change = self._beside(event, explained)
        found = [*self._rates(event), *self._explained(event, explained), *self._left(event)]
        move = move_of(event)
        own = {"m": move.meter_micro, "res": move.reserve_micro, "ovf": move.overflow_micro}
        found += _posted(pool, lines, own | change)
        self._add(change)
        for term, micro in explained.items():
            self.terms[term] += micro
        self.terms_in_force = terms_after(event, self.terms_in_force) or self.terms_in_force
        yield from found[:1]

    def _add(self, change: Mapping[str, int]) -> None:
        for account, micro in change.items():
            self.other[account] += micro

    def _rates(self, event: Mover) -> Iterator[Difference]:
        if isinstance(event, Contributed):
            terms = self.terms_in_force
            for one in event.shares:
                due = one.stake_minor * (terms.increment_ppm + terms.reserve_ppm)
                if not _at_rates(one, terms):
                    given = one.increment_micro + one.reserve_micro
                    reason = f"wager {one.wager} of {one.stake_minor} at the rates in force"
                    yield Difference(BreakClass.EVENT_RATE, "CON", due, given, reason)

    def _explained(self, event: Mover, explained: Mapping[Term, int]) -> Iterator[Difference]:
        move = move_of(event)
        moved, due = move.meter_micro + move.reserve_micro + move.overflow_micro, sum(explained.values())
        if moved != due:
            reason = "meter, reserve and overflow moved by another sum than went in and out"
            yield Difference(BreakClass.EVENT_TERMS, "m+res+ovf", due, moved, reason)

    def _left(self, event: Mover) -> Iterator[Difference]:
        """Balances after the event against those before and its move."""
        move = move_of(event)
        after = {"m": move.meter_after_micro, "res": move.reserve_after_micro, "ovf": move.overflow_after_micro}
        moved = {"m": move.meter_micro, "res": move.reserve_micro, "ovf": move.overflow_micro}
        sums = [{account: base[account] + moved[account] for account in OWN} for base in self._bases]
        self.told = after
        if after in sums or not sums:
            self._bases = [after]
            return
        self._bases = [*sums, after]
        account = next(one for one in OWN if sums[0][one] != after[one])
        reason = f"account {account} after the event"
        yield Difference(BreakClass.EVENT_BALANCE, account, sums[0][account], after[account], reason)

    def _beside(self, event: Mover, explained: Mapping[Term, int]) -> Amounts:
        """How the event changes prizes not paid yet, contributions, and what the pool cost the house."""
        prizes = pending = 0
        gone, new = _awards(event)
        for award in gone:
            prize = self._prizes.pop(award, _Prize(0, pending=False))
            prizes -= prize.micro
            pending -= prize.micro if prize.pending else 0
        for one in new:
            self._prizes[one.award] = _Prize(one.prize_minor * MICRO, one.pending)
            prizes += one.prize_minor * MICRO
            pending += one.prize_minor * MICRO if one.pending else 0
        house = sum(explained.get(term, 0) for term in (Term.SEED, Term.RESETS, Term.VOID_SHORTFALL, Term.AWARDS))
        return {"pay": pending, "CON": -explained.get(Term.CONTRIBUTIONS, 0), "FUND": -house - prizes}

    def _settled(self, award: str) -> int:
        """A pending prize is paid: what it was."""
        prize = self._prizes.get(award, _Prize(0, pending=False))
        self._prizes[award] = prize._replace(pending=False)
        return prize.micro if prize.pending else 0


def _awards(event: Mover) -> tuple[Sequence[str], Sequence[Awarded | AwardRecord]]:
    """The awards that fall with the event, and those that it makes."""
    match event:
        case Awarded():
            return (), (event,)
        case RoundMirrored():
            return event.awards, ()
        case RoundResettled():
            return event.fallen, event.awards
        case AwardRefused():
            return (event.award,), ()
        case _:
            return (), ()


def _at_rates(one: Share, terms: PoolTerms) -> bool:
    return (one.increment_micro, one.reserve_micro) == (
        one.stake_minor * terms.increment_ppm,
        one.stake_minor * terms.reserve_ppm,
    )


def account_of(line: Line) -> tuple[str, str] | None:
    """The pool and the account, as compared here, that a line of the ledger belongs to; None for all others."""
    kind, _, rest = line.account.partition("/")
    return (rest.partition("/")[0], kind) if kind in ACCOUNTS else None


def _posted(pool: str, lines: Iterable[Line], change: Mapping[str, int]) -> Iterator[Difference]:
    """The ledger's lines of the event against what the event means."""
    found: defaultdict[str, int] = defaultdict(int)
    for line in lines:
        at = account_of(line)
        if at is not None:
            found[at[1] if at[0] == pool else line.account] += line.amount_micro
    for account in sorted(change.keys() | found.keys()):
        if found[account] != change.get(account, 0):
            reason = f"the ledger's lines on {account}"
            yield Difference(BreakClass.EVENT_POSTING, account, change.get(account, 0), found[account], reason)
