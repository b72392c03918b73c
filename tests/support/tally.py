"""What stands of each round at its pool, kept from what happened to wagers and awards; no mirror is read for it.

A contribution stands while its wager does, an award while nobody voided, refused or resettled it. Of shared awards
the pool paid the first k parts while k stand, and their one reset stands while any of them does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from domain.jackpots.decider import Pool
from domain.jackpots.events import Awarded, Contributed, FundKind, PoolReset
from domain.jackpots.upkeep import Corrected, TransferredIn, TransferredOut
from domain.money import MICRO
from domain.rounds.events import (
    AwardDecided,
    AwardRecord,
    CardsCorrected,
    ResetRecord,
    RoundCancelled,
    RoundVoided,
    WagersVoided,
)
from domain.seats.events import LossKind, ReviewResolved, SeatResettled, SeatVoided
from domain.streams import Event, State
from domain.wallets.events import Adjusted, VoidPolicy


@dataclass(slots=True)
class RoundBook:
    """One round at its pool, in micro-units; a reset lies under its award, or under the category of shared ones."""

    jackpot: str
    rate_ppm: int
    given: dict[str, int]
    awards: dict[str, Awarded | AwardRecord] = field(default_factory=dict)
    verified: set[str] = field(default_factory=set)
    parts: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    resets: dict[str, int] = field(default_factory=dict)

    def add(self, award: Awarded | AwardRecord) -> None:
        self.awards[award.award] = award
        self.parts[_key(award)].append(award.pool_micro)

    def restart(self, reset: PoolReset | ResetRecord, house_micro: int) -> None:
        self.resets[_key(self.awards[reset.award])] = house_micro

    def strike(self, wagers: Iterable[str], awards: Iterable[str]) -> None:
        for wager in wagers:
            self.given.pop(wager, None)
        for name in awards:
            del self.awards[name]

    def strike_all(self) -> None:
        self.strike(list(self.given), list(self.awards))

    @property
    def standing(self) -> dict[str, list[Awarded | AwardRecord]]:
        """The awards by what they share."""
        found: defaultdict[str, list[Awarded | AwardRecord]] = defaultdict(list)
        for award in self.awards.values():
            found[_key(award)].append(award)
        return found

    @property
    def paid(self) -> int:
        """What the pool paid of the awards."""
        return sum(sum(self.parts[key][: len(awards)]) for key, awards in self.standing.items())

    @property
    def reset(self) -> int:
        """What the house put into restarts."""
        return sum(micro for key, micro in self.resets.items() if key in self.standing)

    def topped(self, fund: FundKind) -> int:
        """What the house paid of the awards of a kind."""
        cost = 0
        for key, awards in self.standing.items():
            if awards[0].fund == fund.value:
                cost += sum(one.prize_minor * MICRO for one in awards) - sum(self.parts[key][: len(awards)])
        return cost

    @property
    def unpaid(self) -> Mapping[str, int]:
        """Awards that wait, by account."""
        return {
            f"pay/{self.jackpot}/{one.player}/{one.award}": one.prize_minor * MICRO
            for one in self.awards.values()
            if one.pending and one.award not in self.verified
        }


def _key(award: Awarded | AwardRecord) -> str:
    return award.category if award.shared else award.award


class Tally:
    """Everything that explains pools, ADJ and LOSS."""

    def __init__(self) -> None:
        self.rounds: dict[str, RoundBook] = {}
        self.brought: defaultdict[str, int] = defaultdict(int)
        self.adjusted = 0
        self.lost = 0

    def of(self, jackpot: str) -> list[RoundBook]:
        """The rounds at a pool."""
        return [one for one in self.rounds.values() if one.jackpot == jackpot]

    def take(self, event: Event, after: State) -> None:
        """The next event, and the state that it left its stream in."""
        match event:
            case Contributed():
                assert isinstance(after, Pool)
                rate = after.terms.increment_ppm + after.terms.reserve_ppm
                given = {one.wager: one.increment_micro + one.reserve_micro for one in event.shares}
                self.rounds[event.round] = RoundBook(event.jackpot, rate, given)
            case Awarded():
                self.rounds[event.round].add(event)
            case PoolReset():
                self.rounds[event.round].restart(event, event.reset_micro - event.from_reserve_micro)
            case Corrected() | TransferredIn() | TransferredOut():
                self._staff(event)
            case Adjusted():
                self.adjusted += event.amount_minor * MICRO
            case SeatVoided() | SeatResettled() if event.loss_kind is LossKind.FINAL:
                self.lost += (event.owed_minor - event.taken_minor) * MICRO
            case ReviewResolved() if event.policy is VoidPolicy.HOUSE_ABSORBS:
                self.lost += (event.owed_minor - event.taken_minor) * MICRO
            case _:
                self._round(event)

    def _staff(self, event: Corrected | TransferredIn | TransferredOut) -> None:
        signed = -event.amount_micro if isinstance(event, TransferredOut) else event.amount_micro
        self.brought[event.jackpot] += signed
        if isinstance(event, Corrected):
            self.adjusted += signed

    def _round(self, event: Event) -> None:
        book = self.rounds.get(getattr(event, "round", ""))
        if book is None:
            return
        match event:
            case WagersVoided():
                book.strike(event.wagers, event.awards)
            case RoundVoided() | RoundCancelled():
                book.strike_all()
            case AwardDecided(_, award, True):
                book.verified.add(award)
            case AwardDecided(_, award, False):
                book.strike((), (award,))
            case CardsCorrected():
                fresh = RoundBook(book.jackpot, book.rate_ppm, book.given)
                for one in event.awards:
                    fresh.add(one)
                for reset in event.resets:
                    fresh.restart(reset, reset.reset_micro - reset.reserve_micro)
                self.rounds[event.round] = fresh
            case _:
                pass
