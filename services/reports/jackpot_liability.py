"""Jackpot liability: what each pool holds and owes, how it came there, its parameters and its awards (R4, R6, R16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final

from domain.frozen import dataclass
from domain.jackpots.events import PoolOpened, PoolReset, PoolTerms, RoundResettled
from domain.jackpots.upkeep import PoolDisabled, PoolEnabled, TermsChanged
from domain.money import MICRO
from domain.returns import HANDS_OF_FIVE
from domain.views.model import time_text
from services.ports import Told
from services.reports.columns import count, micro, minor, ppm, summed, text
from services.reports.games import rates_text
from services.reports.pool_moves import TERM_NAMES, TERMS, move_of, terms_of
from services.reports.prizes import VERIFIED, Change, Prizes
from services.reports.scope import Scope, When
from services.reports.tables import Kind, Layout, Part, Unit

POOLS: Final = "pools"
PARAMETERS: Final = "parameters"
AWARDS: Final = "awards"

ROYALS: Final = 4
"""Hands that win the whole meter, of all hands of five: the same in every game."""

_NUMBERS: Final = ("seed_minor", "reset_minor", "ceiling_minor", "increment_ppm", "reserve_ppm")


@dataclass(frozen=True, slots=True)
class _JackpotLiability:
    scope: Scope
    prizes: Prizes = field(default_factory=Prizes)
    terms: dict[str, PoolTerms] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)

    def parts(self, told: Told) -> Iterator[Part]:
        """What an event does to a pool's accounts, parameters and awards."""
        event, is_before = told.one.event, self.scope.when(told) is When.BEFORE
        for change in self.prizes.take(event):
            if self.scope.takes(change.prize.currency):
                yield from self._award(told, change, is_before=is_before)
        moved = move_of(event)
        if moved is not None and self.scope.takes(moved[1]):
            pool, currency, move = moved
            row = (currency, pool)
            for name, amount in terms_of(event):
                yield Part(POOLS, row, "opening_micro" if is_before else name, amount)
            yield Part(POOLS, row, "meter_micro", move.meter_micro)
            yield Part(POOLS, row, "reserve_micro", move.reserve_micro)
            yield Part(POOLS, row, "overflow_micro", move.overflow_micro)
        yield from self._parameters(told)

    def _award(self, told: Told, change: Change, *, is_before: bool) -> Iterator[Part]:
        prize, row = change.prize, (change.prize.currency, change.prize.jackpot)
        is_open = change.sign if prize.pending else 0
        if change.status == VERIFIED:
            is_open = -1
        if is_open:
            yield Part(POOLS, row, "pending_micro", is_open * prize.prize_minor * MICRO)
        if is_before:
            return
        if change.sign:
            yield Part(POOLS, row, "hits", change.sign)
        key = (*row, prize.award)
        if prize.award not in self.shown:
            self.shown.add(prize.award)
            for column, value in _about(change):
                yield Part(AWARDS, key, column, value)
            yield Part(AWARDS, key, "hit_micro", prize.hit_micro)
            yield Part(AWARDS, key, "prize_minor", prize.prize_minor)
            yield Part(AWARDS, key, "pool_micro", prize.pool_micro)
        yield Part(AWARDS, key, "status", change.status)
        yield Part(AWARDS, key, "at", time_text(self.scope.at(told)))
        yield Part(AWARDS, key, "by", _confirmed_by(told))

    def _parameters(self, told: Told) -> Iterator[Part]:
        event = told.one.event
        match event:
            case PoolOpened() | PoolReset() | TermsChanged() | RoundResettled():
                terms = event.terms
            case PoolDisabled() | PoolEnabled() if event.jackpot in self.terms:
                row = (self.terms[event.jackpot].currency, event.jackpot)
                if self.scope.takes(row[0]):
                    yield Part(PARAMETERS, row, "status", "DISABLED" if isinstance(event, PoolDisabled) else "ENABLED")
                return
            case _:
                return
        known = self.terms.get(terms.jackpot)
        self.terms[terms.jackpot] = terms
        if not self.scope.takes(terms.currency):
            return
        row = (terms.currency, terms.jackpot)
        if isinstance(event, PoolOpened):
            yield Part(PARAMETERS, row, "status", "ENABLED")
            yield Part(PARAMETERS, row, "started", time_text(self.scope.at(told)))
        for name in _NUMBERS:
            more = getattr(terms, name) - (getattr(known, name) if known else 0)
            if more:
                yield Part(PARAMETERS, row, name, more)
        for name, value in _words(terms, event.waiting if isinstance(event, TermsChanged) else None):
            yield Part(PARAMETERS, row, name, value)


def _about(change: Change) -> Iterator[tuple[str, str]]:
    prize = change.prize
    yield "round", prize.round
    yield "player", prize.player
    yield "seat", "" if prize.seat is None else str(prize.seat)
    yield "category", prize.category


def _words(terms: PoolTerms, waiting: PoolTerms | None) -> Iterator[tuple[str, str]]:
    threshold = terms.handpay_threshold_minor
    yield "ruleset", terms.ruleset
    yield "odds", f"1 in {HANDS_OF_FIVE // ROYALS:,}"
    yield "hand_pay", "never" if threshold is None else f"above {threshold} minor units"
    yield "fixed_prizes", terms.fixed_prize_funding.value
    yield "several_winners", terms.multi_winner_policy.value
    yield "waiting", "" if waiting is None else f"{rates_text(waiting)}, reset {waiting.reset_minor} minor units"


def _confirmed_by(told: Told) -> str:
    """Who acted, and the second person where there was one (R17)."""
    approver = getattr(told.one.event, "approver", None)
    return told.one.meta.actor if approver is None else f"{told.one.meta.actor}, {approver}"


JACKPOT_LIABILITY: Final = Kind(
    name="jackpot-liability",
    title="Jackpot liability",
    about="What each pool holds and owes and how it came there, its parameters, and every award with its status.",
    tables=(
        Layout(
            POOLS,
            "Pools",
            ("currency", "jackpot"),
            (
                micro("opening_micro", "Opening"),
                *TERMS,
                summed(Unit.MICRO, "closing_micro", "Closing", ("opening_micro", *TERM_NAMES)),
                micro("meter_micro", "Meter"),
                micro("reserve_micro", "Reserve"),
                micro("overflow_micro", "Overflow"),
                micro("pending_micro", "Awarded, unpaid"),
                summed(Unit.MICRO, "liability_micro", "Liability", ("closing_micro", "pending_micro")),
                count("hits", "Hits"),
            ),
        ),
        Layout(
            PARAMETERS,
            "Parameters in force at the end",
            ("currency", "jackpot"),
            (
                text("ruleset", "Rule set"),
                text("status", "Status"),
                text("started", "Started"),
                minor("seed_minor", "Seed"),
                minor("reset_minor", "Reset"),
                minor("ceiling_minor", "Ceiling"),
                ppm("increment_ppm", "Increment"),
                ppm("reserve_ppm", "Reserve rate"),
                text("odds", "Odds of the meter"),
                text("hand_pay", "Hand-pay"),
                text("fixed_prizes", "Fixed prizes by"),
                text("several_winners", "Several winners"),
                text("waiting", "Waits for the next reset"),
            ),
        ),
        Layout(
            AWARDS,
            "Awards",
            ("currency", "jackpot", "award"),
            (
                text("at", "At"),
                text("round", "Round"),
                text("player", "Player"),
                text("seat", "Seat"),
                text("category", "Hand"),
                micro("hit_micro", "Meter at the hit"),
                minor("prize_minor", "Prize"),
                micro("pool_micro", "Paid by the pool"),
                text("status", "Status"),
                text("by", "By"),
            ),
            in_order=True,
        ),
    ),
    make=_JackpotLiability,
)
