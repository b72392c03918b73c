"""Whatever is played under whatever terms, the second settlement arrives at the first one's cents, pools included."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.jackpots.events import Awarded, PoolReset
from domain.jackpots.parameters import PoolFound
from domain.money import MICRO
from domain.pools import MultiWinnerPolicy
from domain.rounds.events import RoundOpened, ShowdownHeld
from domain.seats.events import SeatDecided, SeatSettled, WagerPlaced
from domain.second_settlement import Pool, Round, Seat, settle
from services.ports import Recorded
from tests.domain.showdowns import LAND
from tests.ledger.prizes import opened
from tests.ledger.test_histories import histories
from tests.support.casino import Casino, Play
from tests.support.machine import Machine, Step, Terms
from tests.support.strategies import any_terms

rounds = st.lists(
    st.builds(
        Step,
        st.sampled_from(["play", "play", "play", "terms", "correct", "call", "partial", "restart"]),
        st.integers(0, 3), st.integers(1, 3), st.integers(0, 215),
    ),
    min_size=6, max_size=24,
)  # fmt: skip


@histories(15)
@given(any_terms, rounds)
def test_every_round_of_a_history_settles_twice_to_the_same_cent(under: Terms, history: list[Step]) -> None:
    asyncio.run(settled_twice(under, history))


async def settled_twice(under: Terms, history: Sequence[Step]) -> None:
    async with Machine(under) as machine:
        await machine.furnish()
        await machine.run(history)
        log = await machine.everything()
    rulesets = {one.event.round: one.event.terms.ruleset for one in log if isinstance(one.event, RoundOpened)}
    for one in log:
        if isinstance(one.event, ShowdownHeld):
            compare(one.event, rulesets[one.event.round], of_round(log, one.event.round))


def of_round(log: Sequence[Recorded], round_id: str) -> list[Any]:
    """The events that name a round, in the order of the log."""
    return [one.event for one in log if getattr(one.event, "round", None) == round_id]


def of_kind(events: list[Any], kind: type[Any]) -> list[Any]:
    return [one for one in events if isinstance(one, kind)]


def compare(shown: ShowdownHeld, ruleset: str, events: list[Any]) -> None:
    settled = {one.player: one for one in of_kind(events, SeatSettled)}
    decided = {one.player: one for one in of_kind(events, SeatDecided)}
    placed = {one.player: one.seat for one in of_kind(events, WagerPlaced)}
    hands = {one.seat: one.cards for one in shown.cards.seats}
    players = [player for player in shown.order if player in settled] if shown.order else list(settled)
    assert set(players) == set(settled)
    again = settle(
        ruleset,
        shown.cards.dealer,
        [
            Seat(shown.cards.shared or hands[placed[player]], stakes(settled[player]), how(decided.get(player)))
            for player in players
        ],
        as_found(shown.found) if shown.found else None,
    )
    assert (again.dealer_hand, again.qualifies) == (shown.dealer_hand, shown.qualifies)
    for player, mine in zip(players, again.seats, strict=True):
        assert seat_as_settled(settled[player]) == (
            mine.hand,
            dict(mine.payout) | ({"PROGRESSIVE": 0} if "PROGRESSIVE" in mine.payout else {}),
            mine.staked,
            mine.prize_minor,
        )
        assert mine.outcome in {settled[player].outcome, None}
    assert moves(again, players) == moves_in(events)


def stakes(settled: SeatSettled) -> dict[str, int]:
    """What lay on the spots, by kind; the second settlement works the call out itself."""
    found: defaultdict[str, int] = defaultdict(int)
    for one in settled.results:
        found[one.kind.value] += one.stake_minor
    found.pop("CALL", None)
    return dict(found)


def how(decided: SeatDecided | None) -> str:
    """A decision as the player gave it; one that the house took is worked out again."""
    if decided is None:
        return "FOLD"
    return "TIMEOUT" if decided.decided_by == "SYSTEM" else decided.decision.value


def as_found(found: PoolFound) -> Pool:
    terms, waiting = found.terms, found.waiting
    return Pool(
        found.meter_micro, terms.reset_minor, found.reserve_micro, found.overflow_micro, terms.ceiling_minor,
        terms.fixed_prize_funding.value, terms.multi_winner_policy.value,
        waiting.reset_minor if waiting else None, waiting.multi_winner_policy.value if waiting else None,
        terms.handpay_threshold_minor,
    )  # fmt: skip


def seat_as_settled(settled: SeatSettled) -> tuple[str, dict[str, int], int, int]:
    payout: defaultdict[str, int] = defaultdict(int)
    for one in settled.results:
        payout[one.kind.value] += one.payout_minor
    if "ANTE" in payout:
        payout["CALL"] += 0
    return settled.player_hand, dict(payout), settled.staked_minor, settled.prize_minor + settled.pending_minor


def moves(done: Round, players: Sequence[str]) -> list[tuple[Any, ...]]:
    return [
        (
            None if one.seat is None else players[one.seat],
            one.prize_minor * MICRO,
            one.pool_paid_minor * MICRO,
            one.pending,
            (one.meter_micro, one.reserve_micro, one.overflow_micro),
        )
        for one in done.moves
    ]


def moves_in(events: list[Any]) -> list[tuple[Any, ...]]:
    """The entries of the round's pool in the order of the log."""
    found: list[tuple[Any, ...]] = []
    for one in events:
        if not isinstance(one, Awarded | PoolReset):
            continue
        after = (one.move.meter_after_micro, one.move.reserve_after_micro, one.move.overflow_after_micro)
        if isinstance(one, Awarded):
            found.append((one.player, one.prize_minor * MICRO, one.pool_micro, one.pending, after))
        else:
            found.append((None, one.reset_micro, one.from_reserve_micro, False, after))
    return found


WINNERS = ("Ac Kc Qc Jc Tc", "9d 8d 7d 6d 5d", "Ah Kh Qh Jh Th", "9h 8h 7h 6h 5h")


@pytest.mark.parametrize("now", MultiWinnerPolicy)
@pytest.mark.parametrize("then", MultiWinnerPolicy)
async def test_R7_a_policy_that_waits_is_in_force_for_those_paid_after_the_reset(
    casino: Casino, now: MultiWinnerPolicy, then: MultiWinnerPolicy
) -> None:
    """Two royals and two straight flushes in one round, in four orders of payment."""
    await opened(casino, LAND, multi_winner_policy=now, reset_minor=70_003, reserve_ppm=123_457)
    await casino.player("dan", "USD", deposit=10_000)
    for shift in range(4):
        await casino.change("gold", reset_minor=50_000 + shift, multi_winner_policy=then if shift % 2 == 0 else now)
        plays = {
            player: Play(seat, cards=WINNERS[(seat + shift) % 4], ante=100)
            for seat, player in enumerate(("ann", "bob", "cas", "dan"), 1)
        }
        round_id = await casino.played("t", plays, "As Ks 4c 3d 2h")
        events = of_round(await casino.everything(), round_id)
        compare(next(iter(of_kind(events, ShowdownHeld))), LAND, events)
