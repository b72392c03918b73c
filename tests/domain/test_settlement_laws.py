"""Laws of settlement over any deal and any stakes."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domain.cards import DECK
from domain.hands import rank_five
from domain.rules import RuleSet
from domain.settlement import Decision, Outcome, SeatResult, Stakes, compare, settle_seat
from domain.variants import RULESETS

rulesets = st.sampled_from(list(RULESETS.values()))
deals = st.lists(st.sampled_from(DECK), min_size=10, max_size=10, unique=True)
stakes = st.builds(Stakes, st.integers(1, 10**12), st.integers(0, 10**12), st.integers(0, 1))
decisions = st.sampled_from(list(Decision))


def settled(rules: RuleSet, deal: list[str], on_spots: Stakes, decision: Decision) -> SeatResult:
    return settle_seat(rules, deal[:5], deal[5:], on_spots, decision)


@given(rulesets, deals, stakes, decisions)
def test_payouts_grow_with_the_stakes_exactly(
    rules: RuleSet, deal: list[str], on_spots: Stakes, decision: Decision
) -> None:
    once = settled(rules, deal, on_spots, decision)
    doubled = Stakes(2 * on_spots.ante_minor, 2 * on_spots.five_plus_one_minor, on_spots.progressive_minor)
    twice = settled(rules, deal, doubled, decision)
    assert twice.ante_payout_minor == 2 * once.ante_payout_minor
    assert twice.call_payout_minor == 2 * once.call_payout_minor
    assert twice.five_plus_one_payout_minor == 2 * once.five_plus_one_payout_minor
    assert (twice.outcome, twice.prize) == (once.outcome, once.prize)


@given(rulesets, deals, stakes)
def test_a_call_stakes_three_antes_and_a_fold_one(rules: RuleSet, deal: list[str], on_spots: Stakes) -> None:
    side = on_spots.five_plus_one_minor + on_spots.progressive_minor
    assert settled(rules, deal, on_spots, Decision.CALL).staked_minor == 3 * on_spots.ante_minor + side
    assert settled(rules, deal, on_spots, Decision.FOLD).staked_minor == on_spots.ante_minor + side


@given(rulesets, deals, stakes)
def test_side_wagers_never_depend_on_the_decision(rules: RuleSet, deal: list[str], on_spots: Stakes) -> None:
    call, fold = (settled(rules, deal, on_spots, decision) for decision in (Decision.CALL, Decision.FOLD))
    assert (call.five_plus_one_payout_minor, call.prize) == (fold.five_plus_one_payout_minor, fold.prize)


@given(rulesets, deals)
def test_of_two_qualified_hands_what_one_wins_the_other_loses(rules: RuleSet, deal: list[str]) -> None:
    one, other = rank_five(deal[:5]), rank_five(deal[5:])
    if rules.qualifies(one) and rules.qualifies(other):
        mirrored = {Outcome.WIN: Outcome.LOSE, Outcome.LOSE: Outcome.WIN, Outcome.PUSH: Outcome.PUSH}
        assert compare(rules, other, one) is mirrored[compare(rules, one, other)]


@given(rulesets, deals, stakes)
def test_no_wager_ever_pays_less_than_nothing(rules: RuleSet, deal: list[str], on_spots: Stakes) -> None:
    result = settled(rules, deal, on_spots, Decision.CALL)
    assert min(result.ante_payout_minor, result.call_payout_minor, result.five_plus_one_payout_minor) >= 0


@given(rulesets, deals, stakes, st.randoms())
def test_the_order_of_a_players_cards_means_nothing(
    rules: RuleSet, deal: list[str], on_spots: Stakes, any_order: Random
) -> None:
    shuffled = any_order.sample(deal[:5], 5)
    assert settled(rules, shuffled + deal[5:], on_spots, Decision.CALL) == settled(rules, deal, on_spots, Decision.CALL)
