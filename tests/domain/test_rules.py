"""The four published rule sets against the game pages, row by row."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from domain.errors import Invalid
from domain.hands import Category
from domain.money import Rate
from domain.rules import (
    AnteRange,
    BelowMinPolicy,
    ChatPolicy,
    FixedPrize,
    HandMode,
    MeterPrize,
    PaymentOrder,
    PayTable,
    Prize,
    ProgressiveRules,
    PublishedReturn,
    RuleSet,
    SideKind,
    SideTiming,
    TimeoutPolicy,
    pays_to_one,
    prize_for,
    published,
    ruleset_hash,
)
from domain.variants import RULESETS, ruleset
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE, hand

HASHES = {
    LIVE: "4df5378e327d69d2ad4190e4a41f630d9f52d031baf0140831f86e72ff4524e5",
    EURO: "e7f4fee8270a393958ef67efab3db88d3c668a498c03af95f7988465d8edd780",
    DOLLAR: "7f646ca96b671f323825ff543c6a2df30162225eb4a36835344f3e3dfa8a976d",
    LAND: "b029233c5f8a8f63e4739b609ba6bd23b04734a6389339b040d9ec6507ffaafa",
}


def column(table: PayTable) -> list[int | None]:
    """What a table pays, best hand first, None where it pays nothing."""
    return [pays_to_one(table, category) for category in reversed(Category)]


def progressive(name: str) -> ProgressiveRules:
    rules = ruleset(name).progressive
    assert rules is not None
    return rules


def test_a_published_rule_set_never_changes() -> None:
    assert {name: ruleset_hash(one) for name, one in RULESETS.items()} == HASHES


def test_every_choice_of_a_rule_set_is_in_its_hash() -> None:
    other: dict[str, object] = {
        "name": "other-v1",
        "source": "another page",
        "hand_mode": HandMode.PER_SEAT,
        "seats": 9,
        "currency": "EUR",
        "dealer_upcard_index": 3,
        "call_multiple": 3,
        "lowest_qualifier": ("As", "Qd", "4h", "3c", "2s"),
        "wheel_is_straight": False,
        "call_pays": ((Category.PAIR, 1),),
        "call_pays_unqualified": ((Category.PAIR, 1),),
        "side_kind": SideKind.PROGRESSIVE,
        "side_timing": SideTiming.WITH_ANTE,
        "side_pays": ((Category.PAIR, 1),),
        "side_bets_survive_fold": False,
        "progressive": ProgressiveRules(1, (), Rate(1)),
        "payment_order": PaymentOrder.DESCENDING,
        "below_min_policy": BelowMinPolicy.RAISE_TO_MIN,
        "timeout_policy": TimeoutPolicy.BET_IF_PAIR_OR_BETTER,
        "chat": ChatPolicy.OFF,
        "ante_ranges": (AnteRange(1, 2),),
        "ante_most_third_of_balance": True,
        "deal_or_pass_seconds": 1,
        "returns": (),
    }
    live = ruleset(LIVE)
    assert set(other) == {field.name for field in fields(RuleSet)}
    hashes = {ruleset_hash(replace(live, **{name: value})) for name, value in other.items()}  # type: ignore[arg-type]  # each value is of its field's type
    assert len(hashes | {ruleset_hash(live)}) == len(other) + 1


def test_every_choice_of_a_progressive_is_in_the_hash() -> None:
    base = ProgressiveRules(50, ((Category.FLUSH, FixedPrize(1)),), Rate(1))
    prizes: list[Prize] = [FixedPrize(2), MeterPrize(1), MeterPrize(2), MeterPrize(1, floor_minor=1)]
    variants = [
        base,
        replace(base, stake_minor=51),
        *(replace(base, prizes=((Category.FLUSH, prize),)) for prize in prizes),
        replace(base, preset_increment_rate=Rate(2)),
        replace(base, start_minor=1),
        replace(base, handpay_threshold_required=True),
    ]
    hashes = {ruleset_hash(replace(ruleset(LAND), progressive=one)) for one in variants}
    assert len(hashes) == len(variants)


@pytest.mark.parametrize("name", RULESETS)
def test_a_published_rule_set_survives_json(name: str) -> None:
    assert json.loads(json.dumps(published(ruleset(name)))) == published(ruleset(name))


@pytest.mark.parametrize("name", ["", "live-5plus1-v2", "LIVE-5PLUS1-V1", "\ud800", "x" * 10_000])
def test_an_unknown_rule_set_is_refused_by_its_field(name: str) -> None:
    with pytest.raises(Invalid, match="unknown") as refused:
        ruleset(name)
    assert refused.value.field == "ruleset"
    assert len(refused.value.detail) < 200


@pytest.mark.parametrize(
    ("row", "name", "pays"),
    [
        ("S0-20", LIVE, [100, 50, 25, 10, 7, 5, 3, 2, 1, 1]),
        ("S2-14", EURO, [200, 50, 20, 10, 6, 4, 3, 2, 1, 1]),
        ("S3-15", DOLLAR, [200, 50, 20, 7, 5, 4, 3, 2, 1, 1]),
        ("S4-05", LAND, [100, 50, 20, 7, 5, 4, 3, 2, 1, 1]),
    ],
)
def test_S0_20_S2_14_S3_15_S4_05_the_call_pays_by_the_table_of_its_page(row: str, name: str, pays: list[int]) -> None:
    assert column(ruleset(name).call_pays) == pays, row


def test_S0_21_the_bonus_pays_from_three_of_a_kind() -> None:
    assert column(ruleset(LIVE).side_pays) == [1000, 200, 100, 20, 15, 10, 7, None, None, None]


def test_S2_13_only_the_euro_rules_have_a_second_column() -> None:
    assert column(ruleset(EURO).call_pays_unqualified) == [100, 25, 5, 3, *[None] * 6]
    for name in (LIVE, DOLLAR, LAND):
        assert column(ruleset(name).call_pays_unqualified) == [None] * 10


def test_S0_02_S2_01_S3_02_seats_and_hand_modes() -> None:
    assert {name: (one.hand_mode.value, one.seats) for name, one in RULESETS.items()} == {
        LIVE: ("SHARED", None),
        EURO: ("PER_SEAT", 4),
        DOLLAR: ("PER_SEAT", 5),
        LAND: ("PER_SEAT", 7),
    }


def test_C2_the_dealers_first_card_is_up_on_000_and_the_last_elsewhere() -> None:
    assert [one.dealer_upcard_index for one in RULESETS.values()] == [0, 4, 4, 4]


def test_S0_06_S2_04_S3_12_S4_03_a_call_is_twice_the_ante_everywhere() -> None:
    assert {one.call_multiple for one in RULESETS.values()} == {2}


def test_C6_the_wheel_is_a_straight_in_all_four() -> None:
    assert all(one.wheel_is_straight for one in RULESETS.values())


def test_C3_side_bets_survive_a_fold_in_all_four() -> None:
    assert all(one.side_bets_survive_fold for one in RULESETS.values())


def test_C33_currencies_are_those_of_the_pages() -> None:
    assert [one.currency for one in RULESETS.values()] == [None, "EUR", "USD", "USD"]


def test_S2_05_S3_09_S4_06_the_progressive_wager_has_one_price() -> None:
    assert ruleset(LIVE).progressive is None
    assert [progressive(name).stake_minor for name in (EURO, DOLLAR, LAND)] == [50, 100, 100]


def test_S0_09_S2_05_S3_09_S4_06_when_a_side_wager_may_come() -> None:
    assert [one.side_timing for one in RULESETS.values()] == [
        SideTiming.WITH_OR_AFTER_ANTE,
        SideTiming.WITH_ANTE,
        SideTiming.BEFORE_OR_AFTER_ANTE,
        SideTiming.WITH_ANTE,
    ]


def test_S2_21_the_euro_prizes() -> None:
    prizes = [prize_for(ruleset(EURO), category) for category in reversed(Category)]
    fixed = [FixedPrize(amount) for amount in (125_000, 25_000, 2_500, 1_500, 300, 200)]
    assert prizes == [MeterPrize(1_000_000), *fixed, None, None, None]


def test_S3_18_the_dollar_prizes_with_their_floors() -> None:
    prizes = [prize_for(ruleset(DOLLAR), category) for category in reversed(Category)]
    assert prizes == [
        MeterPrize(1_000_000, floor_minor=10_000_000),
        MeterPrize(100_000, floor_minor=1_000_000),
        *(FixedPrize(amount) for amount in (50_000, 10_000, 5_000)),
        *[None] * 5,
    ]


def test_S4_07_the_land_prizes() -> None:
    prizes = [prize_for(ruleset(LAND), category) for category in reversed(Category)]
    fixed = [FixedPrize(amount) for amount in (10_000, 7_500, 5_000)]
    assert prizes == [MeterPrize(1_000_000), MeterPrize(100_000), *fixed, *[None] * 5]


@pytest.mark.parametrize("category", list(Category))
def test_the_live_rules_have_no_prize(category: Category) -> None:
    assert prize_for(ruleset(LIVE), category) is None


def test_C20_the_presets_of_the_increment_rate_are_ours() -> None:
    assert [progressive(name).preset_increment_rate for name in (EURO, DOLLAR, LAND)] == [
        Rate(400_000),
        Rate(300_000),
        Rate(700_000),
    ]


def test_S3_19_the_dollar_jackpot_starts_at_100000_and_the_others_do_not_say() -> None:
    assert [progressive(name).start_minor for name in (EURO, DOLLAR, LAND)] == [None, 10_000_000, None]


def test_S4_08_only_the_land_rules_ask_for_a_hand_pay_threshold() -> None:
    assert [progressive(name).handpay_threshold_required for name in (EURO, DOLLAR, LAND)] == [False, False, True]


def test_S2_20_only_the_euro_rules_pay_from_right_to_left() -> None:
    assert [one.payment_order.value for one in RULESETS.values()] == ["ASCENDING", "DESCENDING", *["ASCENDING"] * 2]


def test_C10_only_the_dollar_rules_raise_an_ante_to_the_minimum() -> None:
    raising = [name for name, one in RULESETS.items() if one.below_min_policy is BelowMinPolicy.RAISE_TO_MIN]
    assert raising == [DOLLAR]


def test_C14_only_the_euro_rules_call_for_an_absent_player() -> None:
    calling = [name for name, one in RULESETS.items() if one.timeout_policy is TimeoutPolicy.BET_IF_PAIR_OR_BETTER]
    assert calling == [EURO]


def test_S2_03_S3_03_the_ante_limits_that_pages_state() -> None:
    assert ruleset(EURO).ante_ranges == (AnteRange(50, 1_000), AnteRange(1_000, 10_000))
    assert ruleset(DOLLAR).ante_ranges == (AnteRange(500, 30_000),)
    assert [one.ante_most_third_of_balance for one in RULESETS.values()] == [False, False, True, False]


def test_S3_06_the_dollar_rules_give_15_seconds_to_deal_or_pass() -> None:
    assert [one.deal_or_pass_seconds for one in RULESETS.values()] == [None, None, 15, None]


def test_C30_chat_is_closed_to_players_where_hands_may_not_be_talked_about() -> None:
    assert [one.chat.value for one in RULESETS.values()] == ["ON", "SYSTEM_ONLY", "ON", "OFF"]


def test_S0_23_C31_the_published_returns_name_their_base() -> None:
    assert ruleset(LIVE).returns == (
        PublishedReturn(9630, "ante"),
        PublishedReturn(9819, "total wager"),
        PublishedReturn(9144, "5+1 bonus"),
    )
    assert {one.returns for name, one in RULESETS.items() if name != LIVE} == {()}


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize(
    ("dealer", "plays"),
    [
        ("As Kd 4h 3c 2s", True),
        ("Ac Kc 4h 3h 2h", True),
        ("As Qd Jh Tc 9s", False),
        ("Ks Qd Jh Tc 8s", False),
        ("2s 2d 3h 4c 5s", True),
        ("5s 4d 3h 2c As", True),
    ],
)
def test_S0_15_S2_12_S3_14_S4_04_the_dealer_plays_with_ace_king_or_better(name: str, dealer: str, plays: bool) -> None:
    assert ruleset(name).qualifies(hand(dealer)) is plays


def test_S3_01_003_pays_calls_as_atlantic_city_does_but_for_the_royal_flush() -> None:
    """004, a house that follows the same rules, pays it 100 to 1."""
    dollar, land = dict(RULESETS["dollar-jackpot-v1"].call_pays), dict(RULESETS["land-progressive-v1"].call_pays)
    assert {hand: (dollar[hand], land[hand]) for hand in dollar if dollar[hand] != land[hand]} == {
        Category.ROYAL_FLUSH: (200, 100)
    }
