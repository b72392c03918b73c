"""Faults in what is undone or put right: partial voids, reviews, resettlements, prizes that wait, pools, rollbacks."""

from __future__ import annotations

from tests.mutants.planted import Planted, at

PARTS = "ledger/test_rows_partial_void.py"
REVIEWS = "ledger/test_rows_review.py"
RESETTLED = "ledger/test_resettled_as_at_first.py"
PRIZES = "ledger/test_rows_handpay.py"
TERMS = "ledger/test_pool_parameters.py"
STAFF = "ledger/test_rows_pools.py"
CASHIER = "ledger/test_rows_cashier.py"

FAULTS = (
    Planted(
        "a voided shared award takes its own part and not that of the last",
        "partial void", "domain/rounds/awards.py",
        "ordered = sorted(members, key=lambda one: one.award in going)", "ordered = members",
        at(PRIZES, "test_refused_one_of_two_shared_prizes_gives_the_pool_what_the_second_cost"),
    ),
    Planted(
        "the reset falls with the first of shared awards",
        "partial void", "domain/rounds/awards.py", "elif heirs and of.shared:", "elif False:",
        at(PARTS, "test_of_k_shared_awards_one_gives_back_what_the_last_cost_and_the_last_the_reset"),
    ),
    Planted(
        "a call is voided without its ante",
        "partial void", "domain/seats/voiding.py", "if kinds & main:", "if False:",
        at(PARTS, "test_ante_of_a_call_goes_with_the_call"),
    ),
    Planted(
        "a partial void takes every contribution of the round",
        "partial void", "services/handlers/undoing.py",
        "shares = tuple(one for one in round_.shares if one.wager in wagers)", "shares = round_.shares",
        at(PARTS, "test_of_k_shared_awards_one_gives_back_what_the_last_cost_and_the_last_the_reset"),
    ),
    Planted(
        "a wager is voided twice",
        "void done twice", "services/handlers/voiding.py", "if left & set(seat.voided_wagers):", "if False:",
        at(PARTS, "test_a_wager_is_voided_once_and_only_where_it_stands"),
    ),
    Planted(
        "the house absorbs and the player owes all the same",
        "review", "domain/wallets/decider.py",
        "amount = -rest if command.policy is VoidPolicy.CLAW_BACK else 0", "amount = -rest",
        at(REVIEWS, "test_resolve_house_absorbs"),
    ),
    Planted(
        "a resettled award keeps the shortfall that it caused",
        "resettlement", "domain/jackpots/mirror.py",
        "if pair[0] <= shortfall.version:", "if pair[0] < shortfall.version:",
        at(RESETTLED, "test_a_resettled_award_gives_back_the_shortfall_that_it_caused"),
    ),
    Planted(
        "what waited goes on waiting after a resettled jackpot",
        "resettlement", "domain/jackpots/mirror.py",
        "terms=waiting if waiting is not None and waiting == command.applied else terms,", "terms=terms,",
        at(RESETTLED, "test_parameters_that_waited_take_force_with_the_100_percent_award_of_a_resettlement"),
    ),
    Planted(
        "an award that fell may still be verified",
        "prize that waits", "domain/rounds/state.py",
        "return replace(state, fallen_awards=(*state.fallen_awards, *awards))", "return state",
        at(PRIZES, "test_verify_or_refuse_of_an_award_whose_wager_alone_is_void_is_refused"),
    ),
    Planted(
        "a refused jackpot keeps its reset",
        "prize that waits", "services/handlers/upkeep.py",
        "going = parted(round_.awards, round_.resets, {award.award})",
        "going = parted(round_.awards, (), {award.award})",
        at(PRIZES, "test_refused_mirrors_the_award_and_its_reset"),
    ),
    Planted(
        "parameters that waited come one jackpot too late",
        "pool", "domain/jackpots/awarding.py",
        "self.terms, self.waiting = self.waiting or self.terms, None", "pass",
        at(TERMS, "test_rates_reset_value_and_policy_wait_for_the_next_100_percent_award_which_already_uses_them"),
    ),
    Planted(
        "a winner of before the reset shares once more",
        "pool", "domain/jackpots/awarding.py", "and one.award not in paid]", "]",
        at(TERMS, "test_a_sharing_policy_that_waited_serves_the_winners_after_the_first_reset"),
    ),
    Planted(
        "a reserve falls below zero by a correction",
        "pool", "domain/jackpots/keeping.py",
        "if min(after.meter_micro, after.reserve_micro, after.overflow_micro) < 0:", "if after.meter_micro < 0:",
        at(STAFF, "test_a_correction_below_zero_of_nothing_or_beyond_what_a_pool_holds_is_invalid"),
    ),
    Planted(
        "a transfer arrives where it left",
        "pool", "domain/jackpots/keeping.py",
        'move = changed(state, PoolAccount.METER, amount, "amount_micro")',
        'move = changed(state, PoolAccount.RESERVE, amount, "amount_micro")',
        at(STAFF, "test_transfer_leaves_any_account_and_arrives_on_the_meter"),
    ),
    Planted(
        "a second rollback takes the deposit once more",
        "idempotency", "domain/transactions.py",
        "if state.recorded is None or state.rolled_back:", "if state.recorded is None:",
        at(CASHIER, "test_a_second_rollback_that_no_key_remembers_says_the_same"),
    ),
)  # fmt: skip
