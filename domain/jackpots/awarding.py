"""The prizes of one round, in order (docs/architecture.md, Jackpots; S2-20, S2-21, S3-18, S4-07, S4-09)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.jackpots.commands import Claim
from domain.jackpots.events import Awarded, FundKind, PoolEvent, PoolReset, PoolTerms, moved
from domain.money import MICRO
from domain.pools import (
    Award,
    Balances,
    MultiWinnerPolicy,
    fixed_prize,
    percentage_prize,
    reset,
    shared_awards,
)
from domain.rules import FixedPrize, MeterPrize


@dataclass(slots=True)
class _Desk:
    """The pool while one round's prizes are worked out, one after the other."""

    terms: PoolTerms
    round: str
    balances: Balances
    events: list[PoolEvent]
    waiting: PoolTerms | None

    @property
    def ceiling_micro(self) -> int:
        return self.terms.ceiling_minor * MICRO

    def add(self, claim: Claim, award: Award) -> None:
        """Record one award at this place of the pool's stream."""
        threshold = self.terms.handpay_threshold_minor
        fixed = isinstance(claim.prize, FixedPrize)
        event = Awarded(
            jackpot=self.terms.jackpot,
            award=claim.award,
            round=self.round,
            player=claim.player,
            seat=claim.seat,
            wager=claim.wager,
            currency=self.terms.currency,
            category=claim.category,
            prize_minor=award.prize_minor,
            pool_micro=award.pool_minor * MICRO,
            fund=FundKind.FIXED_PRIZE if fixed else FundKind.TOP_UP,
            meter_before_micro=self.balances.meter_micro,
            pending=threshold is not None and award.prize_minor > threshold,
            shared=not fixed and self.terms.multi_winner_policy is not MultiWinnerPolicy.SEQUENTIAL,
            move=moved(self.balances, award.after),
        )
        self.events.append(event)
        self.balances = award.after

    def restart(self, claim: Claim) -> None:
        """Refill the meter after a 100 % award: reserve first, the house the rest.

        Changed parameters take force with this reset, which already uses them (R7; docs/ledger.md, Pools).
        """
        self.terms, self.waiting = self.waiting or self.terms, None
        done = reset(self.balances, self.terms.reset_minor, self.ceiling_micro)
        event = PoolReset(
            self.terms.jackpot,
            claim.award,
            self.round,
            self.terms.currency,
            self.terms.reset_minor * MICRO,
            done.reserve_minor * MICRO,
            self.terms,
            moved(self.balances, done.after),
        )
        self.events.append(event)
        self.balances = done.after


def award_events(
    terms: PoolTerms, balances: Balances, round_id: str, claims: Sequence[Claim], waiting: PoolTerms | None = None
) -> tuple[PoolEvent, ...]:
    """Awards and resets of one round. Under a sharing policy a category is paid whole at its first winner's turn.

    A policy that waited is in force for the winners after the reset that it came with.
    """
    desk = _Desk(terms, round_id, balances, [], waiting)
    paid: set[str] = set()
    for claim in claims:
        if claim.award in paid:
            continue
        winners = [claim]
        if isinstance(claim.prize, FixedPrize):
            prize, funding = claim.prize.amount_minor, desk.terms.fixed_prize_funding
            desk.add(claim, fixed_prize(desk.balances, prize, funding, desk.ceiling_micro))
        elif desk.terms.multi_winner_policy is MultiWinnerPolicy.SEQUENTIAL:
            desk.add(claim, percentage_prize(desk.balances, claim.prize, desk.ceiling_micro))
            if claim.prize.takes_all:
                desk.restart(claim)
        else:
            winners = [one for one in claims if one.category == claim.category and one.award not in paid]
            _share(desk, claim.prize, winners)
        paid.update(one.award for one in winners)
    return tuple(desk.events)


def _share(desk: _Desk, prize: MeterPrize, winners: Sequence[Claim]) -> None:
    policy = desk.terms.multi_winner_policy
    if policy is MultiWinnerPolicy.SEQUENTIAL:
        raise AssertionError("sequential winners have a prize of their own")
    awards = shared_awards(desk.balances, prize, policy, len(winners), desk.ceiling_micro)
    for claim, award in zip(winners, awards, strict=True):
        desk.add(claim, award)
    if prize.takes_all:
        desk.restart(winners[-1])
