"""Ranking of hands, row by row (S0-13, S0-14, S3-16, S4-10, C6) and against public faults of other evaluators."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from domain.hands import Category, best_of_six, rank_five
from domain.rules import RuleSet
from domain.settlement import Decision, Outcome, Stakes, settle_seat
from domain.variants import ruleset
from tests.domain.showdowns import DOLLAR, EURO, HANDS, LAND, LIVE, cards, hand


@pytest.mark.parametrize("category", list(Category))
def test_each_category_is_recognised(category: Category) -> None:
    assert hand(HANDS[category]).category is category


def test_categories_rank_in_the_order_of_the_page() -> None:
    ranked = sorted((hand(text) for text in HANDS.values()), reverse=True)
    assert [one.category for one in ranked] == list(HANDS)


def test_category_names_compare_by_rank_not_by_letters() -> None:
    assert Category.PAIR.at_least(Category.HIGH_CARD)
    assert Category.FLUSH.at_least(Category.FLUSH)
    assert not Category.TWO_PAIR.at_least(Category.THREE_OF_A_KIND)
    assert [category.order for category in Category] == list(range(10))


def test_S0_13_the_ace_ends_the_highest_and_the_lowest_straight() -> None:
    assert hand("As Kd Qc Jh Ts").category is Category.STRAIGHT
    assert hand("5s 4d 3c 2h As").category is Category.STRAIGHT
    assert hand("As Kd Qc Jh Ts") > hand("Kd Qc Jh Ts 9d") > hand("6d 5s 4d 3c 2h") > hand("5s 4d 3c 2h As")


@pytest.mark.parametrize("text", ["Qs Kd As 2c 3h", "Ks As 2d 3c 4h", "Js Qd Kc Ah 2s"])
def test_S0_13_a_straight_does_not_wrap_around_the_ace(text: str) -> None:
    assert hand(text).category is Category.HIGH_CARD


def test_S0_13_a_flush_does_not_wrap_into_a_straight_flush() -> None:
    assert hand("Qs Ks As 2s 3s").category is Category.FLUSH


@pytest.mark.parametrize("text", list(HANDS.values()))
def test_S0_13_suits_never_break_a_tie(text: str) -> None:
    others = {hand(text.translate(str.maketrans("cdhs", "".join(suits)))) for suits in permutations("cdhs")}
    assert others == {hand(text)}


@pytest.mark.parametrize("text", list(HANDS.values()))
def test_the_order_of_the_cards_means_nothing(text: str) -> None:
    assert {rank_five(order) for order in permutations(cards(text))} == {hand(text)}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("9c 9d 9h 9s 2c", "8c 8d 8h 8s Ac"),  # quads by rank
        ("9c 9d 9h 9s 3c", "9c 9d 9h 9s 2c"),
        ("9c 9d 9h 2s 2c", "8c 8d 8h As Ac"),  # full house by its three
        ("9c 9d 9h 3s 3c", "9c 9d 9h 2s 2c"),
        ("Ac Jc 9c 6c 3c", "As Js 9s 6s 2s"),  # flush card by card
        ("9c 8d 7h 6s 5c", "8d 7h 6s 5c 4d"),  # straight by its top
        ("9c 9d 9h 3s 2c", "8c 8d 8h As Kc"),  # three of a kind, then kickers
        ("9c 9d 9h As 2c", "9c 9d 9h Ks Qc"),
        ("9c 9d 9h As 3c", "9c 9d 9h As 2d"),
        ("Ac Ad 3h 3s 2c", "Kc Kd Qh Qs Jc"),  # high pair
        ("Ac Ad 4h 4s 2c", "Ah As 3h 3s Kc"),  # low pair
        ("Ac Ad 4h 4s 3c", "Ah As 4c 4d 2c"),  # kicker
        ("Tc Td 4h 3s 2c", "9c 9d Ah Ks Qc"),  # pair
        ("Tc Td Ah 3s 2c", "Th Ts Kh Qs Jc"),  # first, second, third kicker
        ("Tc Td Ah 4s 2c", "Th Ts Ad 3s 2d"),
        ("Tc Td Ah 4s 3c", "Th Ts Ad 4d 2d"),
        ("Ac Kd 9h 4s 3c", "Ah Kc 9d 4d 2d"),  # high card down to the fifth
    ],
)
def test_S0_14_ties_are_broken_as_the_page_says(better: str, worse: str) -> None:
    assert hand(better) > hand(worse)


def test_S3_16_jacks_with_ten_eight_four_beat_jacks_with_ten_six_five() -> None:
    assert hand("Jh Jd Ts 8c 4d") > hand("Js Jc Th 6d 5c")


def test_S4_10_aces_are_high_or_low_in_straights() -> None:
    assert hand("5c 4d 3h 2s Ac").category is Category.STRAIGHT
    assert hand("Ac Kd Qh Js Tc").category is Category.STRAIGHT


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Ah Kh Qh Jh Th", Category.ROYAL_FLUSH),
        ("Td 9d 8d 7d 6d", Category.STRAIGHT_FLUSH),
        ("5c 5h 5s 5d Ac", Category.FOUR_OF_A_KIND),
        ("Kc Kd Kh 4s 4c", Category.FULL_HOUSE),
        ("Kd Jd 9d 6d 3d", Category.FLUSH),
        ("5c 4d 3h 2s Ac", Category.STRAIGHT),
        ("9c 9h 9d As 8c", Category.THREE_OF_A_KIND),
        ("4c 4d Jh Js Ac", Category.TWO_PAIR),
        ("8c 4d Jh Js Ac", Category.PAIR),
        ("As Qs 9d 6s 3c", Category.HIGH_CARD),
    ],
)
def test_C32_the_ten_example_hands_of_the_brochure_rank_as_it_says(text: str, category: Category) -> None:
    assert hand(text).category is category


def test_C6_without_the_wheel_flag_a_to_five_is_ace_high() -> None:
    wheel = rank_five(cards("5c 4d 3h 2s Ac"), wheel_is_straight=False)
    suited = rank_five(cards("5c 4c 3c 2c Ac"), wheel_is_straight=False)
    six_high = rank_five(cards("6h 5c 4d 3h 2s"), wheel_is_straight=False)
    assert wheel.category is Category.HIGH_CARD
    assert rank_five(cards("Ac 6d 4c 3h 2s")) > wheel > rank_five(cards("Kc Qd Jh Ts 8c"))
    assert suited.category is Category.FLUSH
    assert six_high.category is Category.STRAIGHT


def test_bug_039_the_ace_low_straight_counts_and_loses_to_six_high() -> None:
    wheel, six_high = hand("As 2d 3c 4h 5s"), hand("2c 3d 4h 5c 6d")
    assert wheel.category is six_high.category is Category.STRAIGHT
    assert wheel < six_high
    assert hand("As 2s 3s 4s 5s") < hand("2c 3c 4c 5c 6c")


@pytest.mark.parametrize("name", [LIVE, EURO, DOLLAR, LAND])
def test_bug_039_whether_the_ace_is_low_in_straights_is_a_switch_of_each_rule_set(name: str) -> None:
    """All four say yes; that 003's page lists straights down to two to six only is told in docs/rules.md (C6)."""
    rules, wheel = ruleset(name), cards("As 2d 3c 4h 5s")

    def result(dealer: str, rules: RuleSet) -> tuple[Outcome, int]:
        found = settle_seat(rules, wheel, cards(dealer), Stakes(100), Decision.CALL)
        return found.outcome, found.call_payout_minor

    pays = dict(rules.call_pays)[Category.STRAIGHT]
    assert result("2c 3d 4s 5c 6d", rules)[0] is Outcome.LOSE
    assert result("Ac Kd 9c 8h 7d", rules) == (Outcome.WIN, 200 * (1 + pays))
    assert result("Ac Kd 9c 8h 7d", replace(rules, wheel_is_straight=False)) == (Outcome.LOSE, 0)


def test_bug_041_a_flush_is_compared_down_to_its_fifth_card() -> None:
    assert hand("Kh Jh 9h 6h 3h") > hand("Ks Js 9s 6s 2s")


def test_bug_042_a_flush_is_compared_from_the_top_not_by_a_sum() -> None:
    assert hand("3c 4c 5c Tc Kc") > hand("4d 5d 7d Td Qd")


def test_bug_043_kickers_of_equal_pairs_count() -> None:
    assert hand("5h 5s Kd 9c 7s") > hand("5d 5c Qs 9h 7d")
    assert hand("Jh Jd Ts 8c 4d") > hand("Js Jc Th 6d 5c")


def test_bug_044_two_pair_is_decided_by_the_higher_then_the_lower_pair() -> None:
    assert hand("6h 6s 5d 5c 2h") > hand("6d 6c 2s 2d Ah")


def test_bug_046_three_pairs_among_six_cards_are_two_pair() -> None:
    best = best_of_six(cards("Ah Ad 6c 6s 3h 3d"))
    assert best.category is Category.TWO_PAIR
    assert best == hand("Ah Ad 6c 6s 3h")


@pytest.mark.parametrize(
    ("six", "best"),
    [
        ("Kh 9h 6h 3h 2s Jh", "Kh Jh 9h 6h 3h"),
        ("4h 5h 6h 7h 8d Kh", "Kh 7h 6h 5h 4h"),
        ("2h 3h 4h 5h 7h 6h", "7h 6h 5h 4h 3h"),
        ("As 2d 3c 4h 5s 6c", "6c 5s 4h 3c 2d"),
        ("As 2s 3s 4s 5s 6s", "6s 5s 4s 3s 2s"),
        ("9c 9d 9h 4s 4d 4c", "9c 9d 9h 4s 4d"),
        ("Kc Kd Kh Ks 4d Ac", "Kc Kd Kh Ks Ac"),
    ],
)
def test_bug_047_the_best_five_of_six_cards_are_found(six: str, best: str) -> None:
    assert best_of_six(cards(six)) == hand(best)


def test_bug_050_a_better_hand_has_the_greater_strength_and_a_category_with_a_name() -> None:
    trips, pair = hand(HANDS[Category.THREE_OF_A_KIND]), hand(HANDS[Category.PAIR])
    assert trips > pair
    assert trips.strength > pair.strength
    assert (str(trips.category), str(pair.category)) == ("THREE_OF_A_KIND", "PAIR")
