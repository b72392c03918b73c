"""Faults in the rules of the game: pay tables, ties, the qualifier, side bets, cards."""

from __future__ import annotations

from tests.mutants.planted import Planted, at

RULES = "domain/test_rules.py"
SETTLEMENT = "domain/test_settlement.py"
HANDS = "domain/test_hands.py"
SEATS = "ledger/test_rows_settlement.py"
SHOES = "ledger/test_cards_of_a_round.py"

PAY_TABLES = (
    Planted(
        "a flush is paid as a straight",
        "pay table", "domain/variants/euro_progressive.py",
        "(Category.FLUSH, 6),", "(Category.FLUSH, 4),",
        at(RULES, "test_S0_20_S2_14_S3_15_S4_05_the_call_pays_by_the_table_of_its_page"),
    ),
    Planted(
        "the second column is one too high",
        "pay table", "domain/variants/euro_progressive.py",
        "(Category.FULL_HOUSE, 3),", "(Category.FULL_HOUSE, 4),",
        at(SETTLEMENT, "test_S2_13_full_house_or_better_is_paid_by_the_second_column"),
    ),
    Planted(
        "the bonus is one too high",
        "pay table", "domain/variants/live_5plus1.py",
        "(Category.THREE_OF_A_KIND, 7),", "(Category.THREE_OF_A_KIND, 8),",
        at(SETTLEMENT, "test_S0_21_the_bonus_pays_by_its_table_with_the_stake"),
    ),
    Planted(
        "ten percent became one",
        "pay table", "domain/variants/land_progressive.py",
        "(Category.STRAIGHT_FLUSH, MeterPrize(100_000)),", "(Category.STRAIGHT_FLUSH, MeterPrize(10_000)),",
        at(RULES, "test_S4_07_the_land_prizes"),
    ),
    Planted(
        "a floor lost a zero",
        "pay table", "domain/variants/dollar_jackpot.py",
        "floor_minor=1_000_000)", "floor_minor=100_000)",
        at(RULES, "test_S3_18_the_dollar_prizes_with_their_floors"),
    ),
    Planted(
        "a winning call does not return its stake",
        "pay table", "domain/settlement.py",
        "return 1 + (pays_to_one(ruleset.call_pays, category) or 0)",
        "return pays_to_one(ruleset.call_pays, category) or 0",
        at(SETTLEMENT, "test_S0_18_S2_14_S3_15_S4_05_a_win_pays_the_ante_even_and_the_call_by_table"),
    ),
)  # fmt: skip

TIES = (
    Planted(
        "a flush is compared by its highest card alone",
        "tie-break", "domain/hands.py",
        "return _hand(Category.FLUSH, ranks)", "return _hand(Category.FLUSH, (ranks[0], 0, 0, 0, 0))",
        at(HANDS, "test_bug_041_a_flush_is_compared_down_to_its_fifth_card"),
    ),
    Planted(
        "kickers do not count",
        "tie-break", "domain/hands.py",
        "telling = [rank for _, rank in grouped]",
        "telling = [rank for count, rank in grouped if count > 1 or category is Category.HIGH_CARD]",
        at(HANDS, "test_bug_043_kickers_of_equal_pairs_count"),
    ),
    Planted(
        "the wheel is ace high",
        "tie-break", "domain/hands.py",
        "return _WHEEL[1] if wheel_is_straight", "return _WHEEL[0] if wheel_is_straight",
        at(HANDS, "test_bug_039_the_ace_low_straight_counts_and_loses_to_six_high"),
    ),
    Planted(
        "the lower rank of equal counts tells first",
        "tie-break", "domain/hands.py",
        "grouped = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)",
        "grouped = sorted({(ranks.count(rank), rank) for rank in ranks}, key=lambda one: (-one[0], one[1]))",
        at(HANDS, "test_S0_14_ties_are_broken_as_the_page_says"),
    ),
    Planted(
        "a tie goes to the player",
        "tie-break", "domain/settlement.py",
        "if player > dealer:", "if player >= dealer:",
        at(SETTLEMENT, "test_S0_19_S2_15_S3_15_S4_04_a_tie_pushes_both"),
    ),
    Planted(
        "a tie goes to the dealer",
        "tie-break", "domain/settlement.py",
        "return Outcome.PUSH if player == dealer else Outcome.LOSE", "return Outcome.LOSE",
        at(SEATS, "test_push_returns_the_stakes"),
    ),
)  # fmt: skip

QUALIFIER = (
    Planted(
        "ace-queen plays",
        "qualifier", "domain/rules.py",
        '("As", "Kd", "4h", "3c", "2s")', '("As", "Qd", "4h", "3c", "2s")',
        at(RULES, "test_S0_15_S2_12_S3_14_S4_04_the_dealer_plays_with_ace_king_or_better"),
    ),
    Planted(
        "the lowest ace-king does not play",
        "qualifier", "domain/rules.py",
        "return dealer >= rank_five(self.lowest_qualifier", "return dealer > rank_five(self.lowest_qualifier",
        at(RULES, "test_S0_15_S2_12_S3_14_S4_04_the_dealer_plays_with_ace_king_or_better"),
    ),
    Planted(
        "the player has to qualify",
        "qualifier", "domain/settlement.py",
        "if not ruleset.qualifies(dealer):", "if not ruleset.qualifies(player):",
        at(SETTLEMENT, "test_C7_a_hand_higher_than_a_dealer_without_ace_king_pushes_its_call"),
    ),
    Planted(
        "a call is paid though the dealer does not play",
        "qualifier", "domain/settlement.py",
        "pays_to_one(ruleset.call_pays_unqualified, category)", "pays_to_one(ruleset.call_pays, category)",
        at(SEATS, "test_win_against_a_dealer_who_does_not_play_pays_the_ante_and_returns_the_call"),
    ),
)  # fmt: skip

SIDE_BETS = (
    Planted(
        "side bets fall with a fold",
        "side bet after a fold", "domain/settlement.py",
        "side_stands = called or ruleset.side_bets_survive_fold", "side_stands = called",
        at(SETTLEMENT, "test_S0_08_S0_11_the_bonus_counts_the_dealers_first_card_whatever_is_decided"),
    ),
    Planted(
        "a rule set lets them fall",
        "side bet after a fold", "domain/variants/land_progressive.py",
        "side_bets_survive_fold=True,", "side_bets_survive_fold=False,",
        at(RULES, "test_C3_side_bets_survive_a_fold_in_all_four"),
    ),
    Planted(
        "a folded hand has no prize",
        "side bet after a fold", "services/handlers/results.py",
        "        if prize is not None:\n", "        if prize is not None and seat.decision is Decision.CALL:\n",
        at("ledger/test_rows_awards.py", "test_fixed_prize_by_the_house"),
    ),
    Planted(
        "the house keeps the bonus of a folded hand",
        "side bet after a fold", "services/handlers/results.py",
        "WagerKind.SIDE: shown.side_back,", "WagerKind.SIDE: shown.side_back if called else 0,",
        at(SHOES, "test_S0_11_the_bonus_of_a_folded_hand_is_paid"),
    ),
)  # fmt: skip

CARDS = (
    Planted(
        "the live dealer's last card is up",
        "up-card", "domain/variants/live_5plus1.py",
        "dealer_upcard_index=0,", "dealer_upcard_index=4,",
        at(RULES, "test_C2_the_dealers_first_card_is_up_on_000_and_the_last_elsewhere"),
    ),
    Planted(
        "the bonus counts the dealer's last card",
        "up-card", "domain/settlement.py",
        "dealer_cards[ruleset.dealer_upcard_index])", "dealer_cards[-1])",
        at(SETTLEMENT, "test_S0_08_S0_11_the_bonus_counts_the_dealers_first_card_whatever_is_decided"),
    ),
    Planted(
        "the deal shows a card that is to stay down",
        "up-card", "services/handlers/dealing.py",
        "up_card = dealer_cards(deck, count)[rules.dealer_upcard_index]", "up_card = dealer_cards(deck, count)[0]",
        at(SHOES, "test_S2_09_a_shoe_shows_the_dealers_last_card_and_no_other"),
    ),
    Planted(
        "an absent player's pair folds",
        "time-out policy", "domain/settlement.py",
        "category.at_least(Category.PAIR)", "category.at_least(Category.TWO_PAIR)",
        at(SETTLEMENT, "test_S0_38_S2_10_S2_11_C14_C15_the_decision_for_an_absent_player"),
    ),
    Planted(
        "the euro table folds for an absent player",
        "time-out policy", "domain/variants/euro_progressive.py",
        "timeout_policy=TimeoutPolicy.BET_IF_PAIR_OR_BETTER,", "timeout_policy=TimeoutPolicy.FOLD,",
        at(RULES, "test_C14_only_the_euro_rules_call_for_an_absent_player"),
    ),
    Planted(
        "the rule set's policy wins over the table's",
        "time-out policy", "services/handlers/absent.py",
        "policy = TimeoutPolicy(round_.terms.timeout_policy)",
        "policy = rules.timeout_policy",
        at(SHOES, "test_C14_the_tables_own_policy_decides_for_an_absent_player"),
    ),
    Planted(
        "any deck opens any commitment",
        "commitment", "domain/dealing.py",
        "return hmac.compare_digest(commitment(cards, salt), text)", "return True",
        at("domain/test_dealing_commitment.py", "test_a_deck_with_two_cards_exchanged_does_not_open_it"),
    ),
    Planted(
        "a deck is dealt whatever was promised",
        "commitment", "services/opening.py",
        "if not check_commitment(round_.commitment, deck.cards, deck.salt):", "if round_.commitment is None:",
        at(SHOES, "test_S0_03_a_deck_that_was_not_the_promised_one_is_not_dealt"),
    ),
    Planted(
        "the salt is not hashed",
        "commitment", "domain/dealing.py",
        "parts = [DECK_FORMAT.encode(), _salt_bytes(salt), *(", "parts = [DECK_FORMAT.encode(), *(",
        at("domain/test_dealing_commitment.py", "test_another_salt_does_not_open_it"),
    ),
)  # fmt: skip

FAULTS = PAY_TABLES + TIES + QUALIFIER + SIDE_BETS + CARDS
