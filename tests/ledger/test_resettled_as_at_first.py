"""A resettlement with nothing between leaves every account as if the round had been settled so at first; and what
other rounds did between stands (docs/ledger.md, Void and resettle).
"""

from __future__ import annotations

import asyncio
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.money import MICRO, Rate
from domain.pools import MultiWinnerPolicy, PrizeFunding
from tests.domain.showdowns import EURO, LAND
from tests.support.cards import DEALERS, KINDS, ROYAL, hand
from tests.support.casino import CURRENCY, Casino, Play

Under = dict[str, object]
Kinds = tuple[str, ...]
PLAYERS = ("ann", "bob", "cas")
three_kinds = st.tuples(*[st.sampled_from(KINDS)] * 3)
terms = st.fixed_dictionaries(
    {
        "seed_minor": st.sampled_from([0, 30, 100_000]),
        "reset_minor": st.sampled_from([0, 20, 70_000]),
        "ceiling_minor": st.sampled_from([100_000, 100_050, 10**9]),
        "reserve_ppm": st.sampled_from([0, 123_457, 500_000]),
        "fixed_prize_funding": st.sampled_from(PrizeFunding),
        "multi_winner_policy": st.sampled_from(MultiWinnerPolicy),
        "handpay_threshold_minor": st.sampled_from([None, 0, 5_000]),
    }
)
waiting = st.sampled_from([None, {"reset_minor": 11, "multi_winner_policy": MultiWinnerPolicy.FULL_TO_EACH}])
calls = st.tuples(*[st.booleans()] * 3)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([EURO, LAND]),
    st.tuples(terms, waiting),
    calls,
    st.lists(three_kinds, min_size=3, max_size=3),
    st.lists(st.sampled_from(DEALERS), min_size=2, max_size=2),
)
def test_with_nothing_between_every_account_is_as_if_settled_so_at_first(
    ruleset: str, under: tuple[Under, Under | None], called: tuple[bool, ...], hands: list[Kinds], dealers: list[str]
) -> None:
    async def play() -> None:
        before, wrong, right = (seated(dict(zip(PLAYERS, kinds, strict=True)), called) for kinds in hands)
        async with Casino() as misled, Casino() as straight:
            for casino in (misled, straight):
                await opened(casino, ruleset, under[0])
                await casino.played("t", before)
                if under[1] is not None:
                    await casino.change("gold", **under[1])
            misread = await misled.played("t", wrong, dealers[0])
            await straight.played("t", right, dealers[1])
            await misled.resettle(misread, {play.seat: play.cards for play in right.values()}, dealers[1])
            assert accounts(misled) == accounts(straight)
            if under[1] is not None and ROYAL in hands[1] and ROYAL not in hands[2]:
                return  # what waited came into force with the misread royal, and stays so
            for casino in (misled, straight):
                await casino.played("t", before)
            assert accounts(misled) == accounts(straight), "the parameters in force are the same too"

    asyncio.run(play())


async def opened(casino: Casino, ruleset: str, under: Under) -> None:
    await casino.jackpot("gold", ruleset, **under)
    await casino.table("t", ruleset, jackpot="gold")
    for player in PLAYERS:
        await casino.player(player, CURRENCY[ruleset], deposit=100_000)


def seated(kinds: dict[str, str], called: tuple[bool, ...]) -> dict[str, Play]:
    return {
        player: Play(nth, hand(kind, nth), call=called[nth - 1]) for nth, (player, kind) in enumerate(kinds.items(), 1)
    }


def accounts(casino: Casino) -> dict[tuple[str, str], int]:
    """The standing accounts; the prize of a resettlement has another name."""
    return {
        (currency, re.sub(r"id-\d+|r\d+$", "", name) if name.startswith("pay/") else name): micro
        for (currency, name), micro in casino.books.standing().items()
    }


async def test_what_other_rounds_won_between_stands_and_the_pool_bears_the_difference(casino: Casino) -> None:
    """The meter that the first showdown found is gone by now: the house puts in what today's pool has not got."""
    await opened(casino, EURO, {"seed_minor": 100_000, "reset_minor": 0})
    missed = await casino.played("t", {"ann": Play(call=False)})
    await casino.played("t", {"bob": Play(2, hand(ROYAL, 2), call=False)})
    await casino.resettle(missed, {1: hand(ROYAL)})
    assert casino.books.balance("av/ann") == (100_000 - 1_050 + 100_020) * MICRO
    assert casino.books.balance("m/gold") == 0
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == -100_020 * MICRO


async def test_a_resettled_award_gives_back_the_shortfall_that_it_caused(casino: Casino) -> None:
    await opened(casino, EURO, {"seed_minor": 0, "reset_minor": 0})
    untouched = casino.books.standing()
    first = await casino.played("t", {"ann": Play(call=False)})
    royal = await casino.played("t", {"bob": Play(2, hand(ROYAL, 2), call=False)})
    await casino.void(first)
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == -20 * MICRO
    await casino.resettle(royal, {2: hand(ROYAL, 2)})
    assert casino.books.balance("FUND/gold/VOID_SHORTFALL") == -20 * MICRO
    await casino.void(royal)
    assert casino.books.standing() == untouched


async def test_parameters_that_waited_take_force_with_the_100_percent_award_of_a_resettlement(casino: Casino) -> None:
    await opened(casino, EURO, {})
    await casino.change("gold", reset_minor=7_000, increment=Rate(600_000))
    round_id = await casino.played("t", {"ann": Play(call=False)})
    await casino.resettle(round_id, {1: hand(ROYAL)})
    assert casino.books.balance("m/gold") == 7_000 * MICRO
    await casino.played("t", {"ann": Play(call=False)})
    assert casino.books.balance("m/gold") == (7_000 + 30) * MICRO


async def test_a_resettlement_that_takes_the_100_percent_award_away_does_not_bring_old_parameters_back(
    casino: Casino,
) -> None:
    await opened(casino, EURO, {})
    await casino.change("gold", increment=Rate(600_000))
    round_id = await casino.played("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    await casino.resettle(round_id, {1: hand("HIGH_CARD")})
    assert casino.books.balance("m/gold") == 100_020 * MICRO
    await casino.played("t", {"ann": Play(call=False)})
    assert casino.books.balance("m/gold") == (100_020 + 30) * MICRO
