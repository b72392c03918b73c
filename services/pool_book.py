"""A pool's identity, event by event: what explains meter + reserve + overflow (docs/ledger.md, Laws)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import assert_never

from domain.jackpots.events import Awarded, Contributed, PoolOpened, PoolReset, PoolTerms, RoundMirrored, RoundResettled
from domain.jackpots.upkeep import AwardRefused, Corrected, TermsChanged, TransferredIn, TransferredOut
from domain.money import MICRO

PoolMove = (
    PoolOpened
    | Contributed
    | Awarded
    | PoolReset
    | RoundMirrored
    | RoundResettled
    | Corrected
    | TransferredOut
    | TransferredIn
    | TermsChanged
    | AwardRefused
)
"""Events that move a pool's own accounts."""


RoundMove = Contributed | Awarded | PoolReset | RoundMirrored | RoundResettled | AwardRefused
"""Those that one round causes."""


@dataclass(slots=True)
class _Part:
    """What one round did to the pool and has not been mirrored yet, in micro-units."""

    contributed: int = 0
    paid: int = 0
    reset: int = 0

    @property
    def overdrawn(self) -> bool:
        """Whether more was mirrored than was done."""
        return min(self.contributed, self.paid, self.reset) < 0


@dataclass(slots=True)
class PoolBook:
    """What explains m + res + ovf, in micro-units; the terms; and what each round did."""

    terms: PoolTerms
    explained_micro: int = 0
    rounds: defaultdict[str, _Part] = field(default_factory=lambda: defaultdict(_Part))

    def explain(self, event: PoolMove) -> str | None:
        """Seed + house part of resets + contributions + corrections + transfers + shortfalls - pool-paid awards, each
        net of its mirrors. Returns what is wrong when more is mirrored than was done.
        """
        match event:
            case PoolOpened():
                self.explained_micro += event.terms.seed_minor * MICRO
            case Corrected() | TransferredIn():
                self.explained_micro += event.amount_micro
            case TransferredOut():
                self.explained_micro -= event.amount_micro
            case TermsChanged():
                self.terms = event.terms
            case Contributed() | Awarded() | PoolReset() | RoundMirrored() | RoundResettled() | AwardRefused():
                return self._of_round(event)
            case _:
                assert_never(event)
        return None

    def _of_round(self, event: RoundMove) -> str | None:
        part = self.rounds[event.round]
        before = part.contributed - part.paid + part.reset
        match event:
            case Contributed():
                part.contributed += event.increment_micro + event.reserve_micro
            case Awarded():
                part.paid += event.pool_micro
            case PoolReset():
                self.terms = event.terms
                part.reset += event.reset_micro - event.from_reserve_micro
            case RoundMirrored():
                part.contributed -= event.contribution_micro
                part.paid -= event.awards_back_micro
                part.reset -= event.resets_back_micro
            case RoundResettled():
                self.terms = event.terms
                part.paid += event.awards_micro - event.awards_back_micro
                part.reset += event.resets_micro - event.resets_back_micro
            case AwardRefused():
                part.paid -= event.awards_back_micro
                part.reset -= event.resets_back_micro
            case _:
                assert_never(event)
        self.explained_micro += part.contributed - part.paid + part.reset - before
        if isinstance(event, RoundMirrored | RoundResettled | AwardRefused):
            self.explained_micro += event.shortfall_meter_micro + event.shortfall_reserve_micro
        return f"more of round {event.round} is mirrored than it did" if part.overdrawn else None

    def rates_hold(self, event: Contributed) -> bool:
        """Whether each share is its stake at the rates in force."""
        return all(
            one.increment_micro == one.stake_minor * self.terms.increment_ppm
            and one.reserve_micro == one.stake_minor * self.terms.reserve_ppm
            for one in event.shares
        )
