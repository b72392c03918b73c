"""The audit's laws find what is wrong with reviews, debts, resettlements and what staff did to a pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from domain.jackpots.events import RoundResettled
from domain.jackpots.upkeep import AwardRefused, Corrected, TermsChanged, TransferredIn
from domain.money import MICRO
from domain.seats.events import ReviewResolved, SeatVoided
from domain.wallets.events import Adjusted, BalanceWentNegative, HeldMoneyDecided, OutcomeReversed, VoidPolicy
from services.laws import Laws
from services.ports import Recorded
from tests.domain.showdowns import LAND
from tests.ledger.prizes import opened
from tests.support.cards import FLUSH, HIGH, ROYAL, hand
from tests.support.casino import Casino, Play

Change = Callable[[Any], Any]


def breaches(log: Sequence[Recorded]) -> list[str]:
    laws = Laws()
    for one in log:
        laws.take(one)
    return [one.law for one in laws.finish()]


async def told() -> Sequence[Recorded]:
    """One of everything that undoes or corrects."""
    async with Casino() as casino:
        await opened(casino, LAND, handpay_threshold_minor=100_000)
        await casino.jackpot("silver", LAND, handpay_threshold_minor=None)
        won = {"ann": Play(1, hand(FLUSH, 1), call=False), "bob": Play(2, hand(HIGH, 2), call=False)}
        held = await casino.played("t", won)
        await casino.withdraw("ann", 13_000, "USD")
        await casino.void(held, VoidPolicy.HOLD_FOR_REVIEW)
        await casino.resolve(held, VoidPolicy.CLAW_BACK)
        again = await casino.played("t", {"bob": Play(2, hand(HIGH, 2), call=False)})
        await casino.resettle(again, {2: hand(ROYAL, 2)})
        royal = await casino.played("t", {"cas": Play(3, hand(ROYAL, 3), call=False)})
        await casino.correct("gold", 7 * MICRO)
        await casino.transfer("gold", "silver", 3 * MICRO)
        await casino.change("gold", ceiling_minor=200_000)
        await casino.refuse("gold", f"{royal}:3")
        await casino.adjust("bob", -50_000)
        return await casino.everything()


async def test_a_log_that_nobody_touched_breaks_no_law() -> None:
    assert breaches(await told()) == []


CHANGES: dict[str, tuple[type[Any], Change, str]] = {
    "review after": (OutcomeReversed, lambda one: replace(one, review_after_minor=1), "review/ann"),
    "review": (OutcomeReversed, lambda one: replace(one, review_minor=one.review_minor + 1), "sums to"),
    "review taken twice": (HeldMoneyDecided, lambda one: replace(one, review_after_minor=-1), "below zero"),
    "loss": (SeatVoided, lambda one: replace(one, loss_minor=one.loss_minor + 1), "sums to"),
    "owed": (ReviewResolved, lambda one: replace(one, owed_minor=one.owed_minor - 1), "sums to"),
    "adjustment": (Adjusted, lambda one: replace(one, amount_minor=one.amount_minor + 1), "its event says"),
    "correction": (Corrected, lambda one: replace(one, amount_micro=one.amount_micro + 1), "explained"),
    "transfer": (TransferredIn, lambda one: replace(one, amount_micro=one.amount_micro + 1), "explained"),
    "terms": (TermsChanged, lambda one: replace(one, terms=replace(one.terms, ceiling_minor=5)), "ceiling"),
    "award": (RoundResettled, lambda one: replace(one, awards_micro=one.awards_micro + 1), "explained"),
    "award back": (RoundResettled, lambda one: replace(one, awards_back_micro=one.awards_micro + 1), "more of round"),
    "refused": (AwardRefused, lambda one: replace(one, awards_back_micro=one.awards_back_micro + 1), "more of round"),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_what_was_changed_is_found(name: str) -> None:
    kind, change, law = CHANGES[name]
    log = list(await told())
    at = next(nth for nth, one in enumerate(log) if isinstance(one.event, kind))
    log[at] = replace(log[at], event=change(log[at].event))
    assert any(law in one for one in breaches(log)), breaches(log)


async def test_a_debt_without_its_significant_event_is_found() -> None:
    log = [one for one in await told() if not isinstance(one.event, BalanceWentNegative)]
    fallen = [one for one in breaches(log) if "without its significant event" in one]
    assert fallen == [
        "av/ann fell below zero without its significant event", "av/bob fell below zero without its significant event",
    ]  # fmt: skip
