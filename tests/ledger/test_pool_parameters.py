"""Parameters of a pool that change: at once, or with the next 100 % award (R7; docs/ledger.md, Pools)."""

from __future__ import annotations

from typing import Any

import pytest

from domain.errors import Invalid, NotFound
from domain.jackpots.decider import Pool
from domain.money import MICRO, Rate
from domain.pools import MultiWinnerPolicy, PrizeFunding
from tests.domain.showdowns import EURO, LAND
from tests.ledger.prizes import folding, opened
from tests.support.cards import FLUSH, ROYAL, STRAIGHT_FLUSH, hand
from tests.support.casino import Casino, Play
from tests.support.entries import posted, table

ROYAL_PLAY = {"ann": Play(cards=hand(ROYAL), call=False)}


def pool(casino: Casino) -> Pool:
    found = casino.books.state("jackpot", "gold")
    assert isinstance(found, Pool)
    return found


async def test_rates_reset_value_and_policy_wait_for_the_next_100_percent_award_which_already_uses_them(
    casino: Casino,
) -> None:
    await opened(casino, EURO)
    answer = await casino.change(
        "gold", reset_minor=7_000, increment=Rate(600_000), reserve=Rate(200_000),
        multi_winner_policy=MultiWinnerPolicy.EQUAL_SPLIT,
    )  # fmt: skip
    assert (answer["terms"]["reset"], answer["terms"]["increment_rate"]) == (100_000, "0.40")
    assert (answer["waiting"]["reset"], answer["waiting"]["increment_rate"]) == (7_000, "0.60")
    await casino.played("t", {"bob": Play(2, call=False)})
    assert casino.books.balance("m/gold") == 100_020 * MICRO, "the old rate until then"
    await casino.played("t", ROYAL_PLAY)
    assert posted(casino)[1] == table("""
        m/gold              +7_000
        FUND/gold/RESET     -7_000
    """)
    assert pool(casino).waiting is None
    await casino.played("t", {"bob": Play(2, call=False)})
    assert casino.books.balance("m/gold") == 7_030 * MICRO
    assert casino.books.balance("res/gold") == 10 * MICRO


@pytest.mark.parametrize("threshold", [None, 0])
async def test_a_void_or_refusal_of_that_award_does_not_bring_the_old_ones_back(
    casino: Casino, threshold: int | None
) -> None:
    await opened(casino, EURO, handpay_threshold_minor=threshold)
    await casino.change("gold", increment=Rate(600_000))
    round_id = await casino.played("t", ROYAL_PLAY)
    if threshold is None:
        await casino.void(round_id)
    else:
        await casino.refuse("gold", f"{round_id}:1")
    before = casino.books.balance("m/gold")
    await casino.played("t", {"bob": Play(2, call=False)})
    assert casino.books.balance("m/gold") == before + 30 * MICRO


async def test_a_tenth_of_the_meter_does_not_bring_them_into_force(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=None)
    await casino.change("gold", increment=Rate(600_000))
    await casino.played("t", {"ann": Play(cards=hand(STRAIGHT_FLUSH), call=False)})
    assert pool(casino).waiting is not None


async def test_the_second_royal_of_a_round_finds_the_new_reset_value(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=None)
    await casino.change("gold", reset_minor=7_000)
    await casino.played("t", folding(ann=ROYAL, bob=ROYAL))
    assert casino.books.balance("av/ann") == (10_000 - 1_100 + 100_080) * MICRO
    assert casino.books.balance("m/gold") == 7_000 * MICRO


async def test_a_sharing_policy_that_waited_serves_the_winners_after_the_first_reset(casino: Casino) -> None:
    """One royal takes the meter, the two others halve what it restarts at."""
    await opened(casino, EURO)
    await casino.change("gold", reset_minor=7_001, multi_winner_policy=MultiWinnerPolicy.EQUAL_SPLIT)
    round_id = await casino.played("t", folding(ann=ROYAL, bob=ROYAL, cas=ROYAL))
    prizes = {player: casino.seat(round_id, player).prize_minor for player in ("ann", "bob", "cas")}
    assert prizes == {"cas": 100_060, "bob": 3_500, "ann": 3_500}, "this game pays from the highest seat on"
    await casino.void(round_id, wagers=(casino.seat(round_id, "ann").wagers[1].wager,))
    await casino.void(round_id)
    assert casino.books.balance("m/gold") == 100_000 * MICRO


async def test_a_policy_of_turns_that_waited_serves_the_categories_after_the_reset(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=None, multi_winner_policy=MultiWinnerPolicy.FULL_TO_EACH)
    await casino.change("gold", reset_minor=50_000, multi_winner_policy=MultiWinnerPolicy.SEQUENTIAL)
    round_id = await casino.played("t", folding(ann=ROYAL, bob=STRAIGHT_FLUSH, cas=STRAIGHT_FLUSH))
    prizes = [casino.seat(round_id, player).prize_minor for player in ("ann", "bob", "cas")]
    assert prizes == [100_120, 5_000, 4_500], "each finds the meter that the one before left"


@pytest.mark.parametrize(
    ("terms", "field", "value"),
    [
        ({"fixed_prize_funding": PrizeFunding.POOL}, "fixed_prize_funding", PrizeFunding.POOL),
        ({"handpay_stated": True, "handpay_threshold_minor": 5}, "handpay_threshold_minor", 5),
        ({"ceiling_minor": 100_000}, "ceiling_minor", 100_000),
    ],
)
async def test_funding_threshold_and_ceiling_are_in_force_at_once(
    casino: Casino, terms: dict[str, Any], field: str, value: object
) -> None:
    await opened(casino, EURO)
    answer = await casino.change("gold", **terms)
    assert answer["waiting"] is None
    assert getattr(pool(casino).terms, field) == value
    assert posted(casino) == []


async def test_what_is_in_force_at_once_is_so_beside_what_waits_and_stays_with_it(casino: Casino) -> None:
    await opened(casino, EURO, handpay_threshold_minor=5)
    await casino.change("gold", increment=Rate(600_000))
    await casino.change("gold", handpay_stated=True, handpay_threshold_minor=None)
    assert pool(casino).terms.handpay_threshold_minor is None
    await casino.played("t", ROYAL_PLAY)
    assert (pool(casino).terms.handpay_threshold_minor, pool(casino).terms.increment_ppm) == (None, 600_000)


async def test_a_raised_ceiling_lets_overflow_in_at_once(casino: Casino) -> None:
    await opened(casino, EURO, ceiling_minor=100_005)
    await casino.played("t", {"ann": Play(call=False)})
    await casino.change("gold", ceiling_minor=100_015)
    assert posted(casino) == [
        table("""
            ovf/gold   -10
            m/gold     +10
        """)
    ]
    await casino.change("gold", ceiling_minor=200_000)
    assert (casino.books.balance("m/gold"), casino.books.balance("ovf/gold")) == (100_020 * MICRO, 0)


async def test_a_ceiling_below_the_meter_is_invalid_and_one_at_it_is_not(casino: Casino) -> None:
    await opened(casino, EURO, reset_minor=0)
    with pytest.raises(Invalid) as refused:
        await casino.change("gold", ceiling_minor=99_999)
    assert refused.value.field == "ceiling"
    await casino.change("gold", ceiling_minor=100_000)


async def test_a_ceiling_below_the_reset_value_in_force_or_that_waits_is_invalid(casino: Casino) -> None:
    await opened(casino, EURO, seed_minor=5, reset_minor=1_000)
    await casino.change("gold", reset_minor=2_000)
    for ceiling, reset in ((999, None), (1_500, None), (1_500, 1_501)):
        with pytest.raises(Invalid) as refused:
            await casino.change("gold", ceiling_minor=ceiling, reset_minor=reset)
        assert refused.value.field in {"ceiling", "reset"}
    with pytest.raises(Invalid):
        await casino.change("gold", ceiling_minor=999, reset_minor=5)


@pytest.mark.parametrize(
    "terms", [{}, {"increment": Rate(400_000)}, {"reset_minor": -1}, {"increment": Rate(999_999), "reserve": Rate(2)}]
)
async def test_parameters_that_are_none_or_change_nothing_are_invalid(casino: Casino, terms: dict[str, Any]) -> None:
    await opened(casino, EURO)
    with pytest.raises(Invalid):
        await casino.change("gold", **terms)


async def test_what_waits_can_be_taken_back(casino: Casino) -> None:
    await opened(casino, EURO)
    await casino.change("gold", increment=Rate(600_000))
    await casino.change("gold", increment=Rate(400_000))
    assert pool(casino).waiting is None


async def test_a_pool_that_does_not_exist_has_no_parameters(casino: Casino) -> None:
    with pytest.raises(NotFound) as refused:
        await casino.change("gold", reset_minor=1)
    assert refused.value.field == "jackpot"


async def test_the_funding_of_fixed_prizes_that_changed_pays_the_next_one(casino: Casino) -> None:
    await opened(casino, EURO)
    await casino.change("gold", fixed_prize_funding=PrizeFunding.POOL)
    await casino.played("t", {"ann": Play(cards=hand(FLUSH), call=False)})
    assert posted(casino)[0] == table("""
        m/gold   -1_500
        av/ann   +1_500
    """)
