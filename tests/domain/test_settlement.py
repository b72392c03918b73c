"""Settlement of seats against the game pages, row by row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.hands import Category
from domain.rules import FixedPrize, MeterPrize, RuleSet, TimeoutPolicy
from domain.settlement import Decision, Outcome, Stakes, decide_for_absent, settle, settle_seat, show
from domain.variants import RULESETS, ruleset
from tests.domain.showdowns import DEALER_ACE_KING, DEALER_ACE_QUEEN, DOLLAR, EURO, HANDS, LAND, LIVE, called, cards

ANTE = 100
CALL = 200

CALL_PAYS = {
    LIVE: [100, 50, 25, 10, 7, 5, 3, 2, 1, 1],
    EURO: [200, 50, 20, 10, 6, 4, 3, 2, 1, 1],
    DOLLAR: [200, 50, 20, 7, 5, 4, 3, 2, 1, 1],
    LAND: [100, 50, 20, 7, 5, 4, 3, 2, 1, 1],
}
WINS = [
    (name, hand, pays) for name, column in CALL_PAYS.items() for hand, pays in zip(HANDS.values(), column, strict=True)
]


@pytest.mark.parametrize(("name", "player", "pays"), WINS)
def test_S0_18_S2_14_S3_15_S4_05_a_win_pays_the_ante_even_and_the_call_by_table(
    name: str, player: str, pays: int
) -> None:
    result = called(name, player, DEALER_ACE_KING, ANTE)
    assert result.outcome is Outcome.WIN
    assert (result.ante_payout_minor, result.call_payout_minor) == (2 * ANTE, CALL * (1 + pays))
    assert result.staked_minor == ANTE + CALL


@pytest.mark.parametrize("name", [LIVE, DOLLAR, LAND])
@pytest.mark.parametrize("player", HANDS.values())
def test_S0_16_S3_14_S4_04_without_a_qualified_dealer_the_ante_wins_and_the_call_pushes(name: str, player: str) -> None:
    result = called(name, player, DEALER_ACE_QUEEN, ANTE)
    assert result.outcome is Outcome.DEALER_NOT_QUALIFIED
    assert (result.ante_payout_minor, result.call_payout_minor) == (2 * ANTE, CALL)


@pytest.mark.parametrize(("player", "pays"), list(zip(HANDS.values(), [100, 25, 5, 3, 0, 0, 0, 0, 0, 0], strict=True)))
def test_S2_13_full_house_or_better_is_paid_by_the_second_column(player: str, pays: int) -> None:
    result = called(EURO, player, DEALER_ACE_QUEEN, ANTE)
    assert result.outcome is Outcome.DEALER_NOT_QUALIFIED
    assert (result.ante_payout_minor, result.call_payout_minor) == (2 * ANTE, CALL * (1 + pays))


@pytest.mark.parametrize("name", RULESETS)
def test_S0_17_S2_15_S3_15_a_better_dealer_takes_ante_and_call(name: str) -> None:
    result = called(name, "Ac Kd Qh 9s 5d", "2s 2c 3h 4d 6s")
    assert result.outcome is Outcome.LOSE
    assert (result.ante_payout_minor, result.call_payout_minor, result.staked_minor) == (0, 0, 300)


@pytest.mark.parametrize("name", RULESETS)
def test_S0_19_S2_15_S3_15_S4_04_a_tie_pushes_both(name: str) -> None:
    result = called(name, "Ac Kd Qh 9s 5d", "Ad Kh Qs 9c 5h")
    assert result.outcome is Outcome.PUSH
    assert (result.ante_payout_minor, result.call_payout_minor) == (100, 200)


@pytest.mark.parametrize("name", RULESETS)
def test_C7_a_hand_higher_than_a_dealer_without_ace_king_pushes_its_call(name: str) -> None:
    result = called(name, "3h 3d Js 8c 5d", DEALER_ACE_QUEEN)
    assert result.outcome is Outcome.DEALER_NOT_QUALIFIED
    assert result.call_payout_minor == 200


@pytest.mark.parametrize("name", RULESETS)
def test_S3_14_a_hand_lower_than_a_dealer_without_ace_king_wins_its_ante(name: str) -> None:
    result = called(name, "7h 5d 4s 3c 2d", DEALER_ACE_QUEEN)
    assert result.outcome is Outcome.DEALER_NOT_QUALIFIED
    assert (result.ante_payout_minor, result.call_payout_minor) == (200, 200)


@pytest.mark.parametrize("name", RULESETS)
def test_C4_C5_a_high_card_that_wins_is_paid_one_to_one(name: str) -> None:
    result = called(name, "Ah Kh Qc 9s 5d", DEALER_ACE_KING)
    assert result.outcome is Outcome.WIN
    assert result.call_payout_minor == 400


def test_S3_16_the_page_example_wins_on_its_second_kicker() -> None:
    assert called(DOLLAR, "Jh Jd Ts 8c 4d", "Js Jc Th 6d 5c").outcome is Outcome.WIN


@pytest.mark.parametrize("name", RULESETS)
def test_S0_06_S2_18_S3_12_S4_03_a_fold_loses_the_ante_and_no_more(name: str) -> None:
    royal = cards(HANDS[Category.ROYAL_FLUSH])
    result = settle_seat(ruleset(name), royal, cards(DEALER_ACE_KING), Stakes(ANTE), Decision.FOLD)
    assert result.outcome is Outcome.FOLD
    assert (result.staked_minor, result.call_stake_minor) == (ANTE, 0)
    assert (result.ante_payout_minor, result.call_payout_minor) == (0, 0)


@pytest.mark.parametrize("decision", Decision)
def test_S0_08_S0_11_the_bonus_counts_the_dealers_first_card_whatever_is_decided(decision: Decision) -> None:
    stakes = Stakes(ANTE, five_plus_one_minor=50)
    with_up_card = settle_seat(ruleset(LIVE), cards("9c 9d 4h 4s 2d"), cards("9h As Kc 5c 6c"), stakes, decision)
    with_last = settle_seat(ruleset(LIVE), cards("9c 9d 4h 4s 2d"), cards("As Kc 5c 6c 9h"), stakes, decision)
    assert with_up_card.five_plus_one_payout_minor == 50 * 21
    assert with_last.five_plus_one_payout_minor == 0


@pytest.mark.parametrize(
    ("player", "back"), list(zip(HANDS.values(), [1001, 201, 101, 21, 16, 11, 8, 0, 0, 0], strict=True))
)
def test_S0_21_the_bonus_pays_by_its_table_with_the_stake(player: str, back: int) -> None:
    stakes = Stakes(ANTE, five_plus_one_minor=7)
    result = settle_seat(ruleset(LIVE), cards(player), cards("2h Kc 4c 2s 4d"), stakes, Decision.CALL)
    assert result.five_plus_one_payout_minor == 7 * back
    assert result.staked_minor == 307


@pytest.mark.parametrize(
    ("player", "up_card", "back"),
    [
        ("Ah Ad 6c 6s 3h", "3d", 0),
        ("Kh 9h 6h 3h 2s", "Jh", 16),
        ("4h 5h 6h 7h 8d", "Kh", 16),
        ("2h 3h 4h 5h 7h", "6h", 201),
    ],
)
def test_bug_046_bug_047_the_bonus_of_six_cards(player: str, up_card: str, back: int) -> None:
    dealer = (up_card, *cards("As Kc Qd Tc 8c"))[:5]
    result = settle_seat(ruleset(LIVE), cards(player), dealer, Stakes(1, five_plus_one_minor=1), Decision.CALL)
    assert result.five_plus_one_payout_minor == back


@pytest.mark.parametrize("name", [EURO, DOLLAR, LAND])
@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("dealer", [DEALER_ACE_KING, DEALER_ACE_QUEEN, "5s 5c 5h 4d 4c"])
def test_S2_07_S2_16_S4_07_C25_the_progressive_looks_at_the_player_alone(
    name: str, decision: Decision, dealer: str
) -> None:
    prizes = ruleset(name).progressive
    assert prizes is not None
    stakes = Stakes(ANTE, progressive_minor=prizes.stake_minor)
    result = settle_seat(ruleset(name), cards(HANDS[Category.FLUSH]), cards(dealer), stakes, decision)
    assert result.prize == dict(prizes.prizes)[Category.FLUSH]
    assert isinstance(result.prize, FixedPrize)


@pytest.mark.parametrize("name", [EURO, DOLLAR, LAND])
def test_S2_06_without_the_wager_there_is_no_prize(name: str) -> None:
    assert called(name, HANDS[Category.ROYAL_FLUSH], DEALER_ACE_KING).prize is None


@pytest.mark.parametrize("name", [EURO, DOLLAR, LAND])
def test_S2_21_S3_18_S4_07_a_royal_is_entitled_to_the_whole_meter(name: str) -> None:
    stakes = Stakes(ANTE, progressive_minor=1)
    royal = cards(HANDS[Category.ROYAL_FLUSH])
    prize = settle_seat(ruleset(name), royal, cards(DEALER_ACE_KING), stakes, Decision.CALL).prize
    assert isinstance(prize, MeterPrize)
    assert prize.takes_all


def test_C3_a_rule_set_may_let_side_bets_fall_with_a_fold() -> None:
    def strict(name: str) -> RuleSet:
        return replace(ruleset(name), side_bets_survive_fold=False)

    player, dealer = cards(HANDS[Category.FLUSH]), cards(DEALER_ACE_KING)
    bonus = settle_seat(strict(LIVE), player, dealer, Stakes(ANTE, five_plus_one_minor=50), Decision.FOLD)
    progressive = settle_seat(strict(LAND), player, dealer, Stakes(ANTE, progressive_minor=100), Decision.FOLD)
    assert (bonus.five_plus_one_payout_minor, bonus.staked_minor) == (0, 150)
    assert (progressive.prize, progressive.staked_minor) == (None, 200)
    stays = settle_seat(strict(LAND), player, dealer, Stakes(ANTE, progressive_minor=100), Decision.CALL)
    assert stays.prize == FixedPrize(5_000)


@pytest.mark.parametrize("category", list(Category))
@pytest.mark.parametrize("name", RULESETS)
def test_S0_38_S2_10_S2_11_C14_C15_the_decision_for_an_absent_player(name: str, category: Category) -> None:
    rules = ruleset(name)
    decision = decide_for_absent(rules.timeout_policy, rules, cards(HANDS[category]))
    calls = name == EURO and category is not Category.HIGH_CARD
    assert decision is (Decision.CALL if calls else Decision.FOLD)


def test_C14_a_table_may_choose_the_other_policy() -> None:
    pair = cards(HANDS[Category.PAIR])
    assert decide_for_absent(TimeoutPolicy.FOLD, ruleset(EURO), pair) is Decision.FOLD
    assert decide_for_absent(TimeoutPolicy.BET_IF_PAIR_OR_BETTER, ruleset(LIVE), pair) is Decision.CALL


def test_S0_02_one_comparison_serves_any_number_of_seats_of_a_shared_hand() -> None:
    rules = ruleset(LIVE)
    player, dealer = cards(HANDS[Category.TWO_PAIR]), cards(DEALER_ACE_KING)
    once = show(rules, player, dealer)
    for ante in range(1, 200):
        for decision in Decision:
            stakes = Stakes(ante, five_plus_one_minor=ante + 1)
            assert settle(rules, once, stakes, decision) == settle_seat(rules, player, dealer, stakes, decision)


def test_a_seat_whose_ante_was_voided_still_settles_its_side_wager() -> None:
    stakes = Stakes(0, five_plus_one_minor=10)
    result = settle_seat(ruleset(LIVE), cards(HANDS[Category.FLUSH]), cards(DEALER_ACE_KING), stakes, Decision.CALL)
    assert (result.staked_minor, result.call_stake_minor) == (10, 0)
    assert (result.ante_payout_minor, result.call_payout_minor, result.five_plus_one_payout_minor) == (0, 0, 160)
