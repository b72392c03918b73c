"""What the demo reckons by itself: choices, awards in turn, books, and how it shows amounts."""

from __future__ import annotations

import asyncio
from xml.etree import ElementTree

import pytest

from api.demo.books import Account, Books, PoolBook, Prize, Tally
from api.demo.choices import Choices
from api.demo.drawing import drawing
from api.demo.faults import DemoFailed, together
from api.demo.games import POOLS, PoolPlan
from api.demo.money import MICRO, meter, money
from api.demo.render import sparkline
from api.demo.scenes_awards import DOLLAR_SCRIPT, EURO_SCRIPT, LAND_SCRIPT, Script, Turn, reckoned
from api.demo.scenes_voids import VOID_SCRIPT
from api.demo.strategy import decision_for
from domain.hands import rank_five
from domain.pools import Balances, percentage_prize, reset
from domain.rules import MeterPrize, prize_for
from domain.variants import ruleset

CEILING_MICRO = 9 * 10**9 * MICRO


def test_the_same_seed_and_name_choose_the_same_and_others_do_not() -> None:
    def row(seed: int, name: str) -> list[int]:
        choices = Choices(seed, name)
        return [choices.below(1000) for _ in range(20)]

    assert row(7, "a") == row(7, "a")
    assert row(7, "a") != row(7, "b")
    assert row(7, "a") != row(8, "a")


def test_choices_stay_within_their_bounds_and_reach_them() -> None:
    choices = Choices(1, "bounds")
    assert {choices.between(3, 5) for _ in range(200)} == {3, 4, 5}
    assert sorted(choices.some_of("abc", 9)) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("cards", "choice"),
    [
        ("As Kd 4h 3c 2s", "call"),
        ("As Qd 4h 3c 2s", "fold"),
        ("2s 2d 4h 3c 7s", "call"),
        ("Kd Qh Jc Ts 8s", "fold"),
        ("5d 4h 3c 2s Ad", "call"),
    ],
)
def test_a_player_raises_with_a_pair_or_better_or_ace_king(cards: str, choice: str) -> None:
    five = cards.split()
    assert decision_for(rank_five(five).category.value, five) == choice


@pytest.mark.parametrize("script", [EURO_SCRIPT, DOLLAR_SCRIPT, LAND_SCRIPT, VOID_SCRIPT], ids=lambda one: one.table)
def test_a_script_uses_each_card_once_and_names_its_winners(script: Script) -> None:
    cards = " ".join([*script.hands.values(), script.dealer]).split()
    assert len(set(cards)) == len(cards) == 5 * (len(script.hands) + 1)
    for seat, hand in script.winners:
        assert rank_five(script.hands[seat].split()).category.value == hand


@pytest.mark.parametrize("plan", POOLS, ids=lambda one: one.name)
@pytest.mark.parametrize("meter_micro", [0, 1, 999_999, 123_456_789 * MICRO + 500_001, 9_999_999 * MICRO])
def test_awards_in_turn_are_those_of_the_pool(plan: PoolPlan, meter_micro: int) -> None:
    # given hands of which the pool pays a part of its meter, in an order that resets in between
    rules = ruleset(plan.game.ruleset)
    hands = [rank_five(cards.split()) for cards in ("5h 6h 7h 8h 9h", "As Ks Qs Js Ts", "5c 6c 7c 8c 9c")]
    paid = [(one, prize) for one in hands if isinstance(prize := prize_for(rules, one.category), MeterPrize)]
    # when the pool pays them
    pool, turns = Balances(meter_micro), []
    for _, prize in paid:
        award = percentage_prize(pool, prize, CEILING_MICRO)
        turns.append(Turn(award.prize_minor, award.house_minor))
        pool = award.after
        if prize.share_ppm == MICRO:
            pool = reset(pool, plan.reset, CEILING_MICRO).after
    # then the demo reckons the same
    assert reckoned(meter_micro, [hand.category.value for hand, _ in paid], plan) == (turns, pool.meter_micro)


@pytest.mark.parametrize(("available", "held"), [(1001, 0), (999, 0), (1000, 1)])
def test_a_cent_of_difference_in_a_balance_ends_the_demo(available: int, held: int) -> None:
    books = Books(accounts={"ann": Account("ann", "EUR", 1000)})
    books.compare("ann", 1000, 0)
    with pytest.raises(DemoFailed, match="player ann"):
        books.compare("ann", available, held)


def test_a_voided_round_leaves_the_sums_and_stays_counted() -> None:
    all_rounds, voided = Tally(3, 10, 1000, 900, 50), Tally(1, 4, 300, 600, 50)
    all_rounds.add(voided)
    all_rounds.add(voided, -1)
    assert all_rounds == Tally(4, 10, 1000, 900, 50)


def test_the_first_fault_of_many_stops_the_others() -> None:
    stopped: list[str] = []

    async def waiting(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.append(name)

    async def failing() -> None:
        await asyncio.sleep(0)
        raise DemoFailed("first")

    with pytest.raises(DemoFailed, match="first"):
        asyncio.run(together([waiting("a"), failing(), waiting("b")]))
    assert sorted(stopped) == ["a", "b"]


@pytest.mark.parametrize(
    ("minor", "text"), [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (123456789, "1,234,567.89"), (-100, "-1.00")]
)
def test_amounts_are_shown_without_rounding(minor: int, text: str) -> None:
    assert money(minor) == text
    assert money(minor, "EUR") == f"{text} EUR"


def test_a_meter_shows_whole_minor_units() -> None:
    assert meter(12_345_999_999) == "123.45"


def test_a_sparkline_shows_lowest_and_highest() -> None:
    assert sparkline([MICRO, 2 * MICRO, 8 * MICRO], 3) == "▁▂█"
    assert sparkline([5], 4) == "▁▁▁▁"


def test_the_drawing_is_an_svg_with_a_panel_for_each_pool() -> None:
    pool = PoolBook("p", "euro-progressive-v1", "EUR", 100, 100)
    pool.saw(9, 250 * MICRO)
    pool.saw(3, 100 * MICRO)
    pool.prizes.append(Prize("p", "r", "ann", "ROYAL_FLUSH", 12345))
    tree = ElementTree.fromstring(drawing([pool, pool]))
    texts = ["".join(one.itertext()) for one in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert sum("euro-progressive-v1" in text for text in texts) == 2
    assert any("royal flush 123.45" in text for text in texts)
    assert len(list(tree.iter("{http://www.w3.org/2000/svg}path"))) == 2
