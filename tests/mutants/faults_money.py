"""Faults in the money: postings, pools, awards, holds, voids."""

from __future__ import annotations

from tests.mutants.planted import Planted, at

BETTING = "ledger/test_rows_betting.py"
SEATS = "ledger/test_rows_settlement.py"
AWARDS = "ledger/test_rows_awards.py"
SHARED = "ledger/test_rows_shared_awards.py"
VOIDS = "ledger/test_rows_void.py"
TWICE = "ledger/test_void_once.py"
SHORT = "ledger/test_void_shortfall.py"
POOLS = "domain/test_pools.py"

SIGNS = (
    Planted(
        "a deposit takes from the player",
        "sign of a posting", "domain/flows.py",
        '(("cash", -event.amount_minor), (f"av/{event.player}", event.amount_minor))',
        '(("cash", event.amount_minor), (f"av/{event.player}", -event.amount_minor))',
        at(BETTING, "test_deposit"),
    ),
    Planted(
        "a hold gives to the player",
        "sign of a posting", "domain/flows.py",
        'f"av/{event.player}", f"held/{event.player}", event.amount_minor)',
        'f"held/{event.player}", f"av/{event.player}", event.amount_minor)',
        at(BETTING, "test_wager_accepted_holds_three_antes_and_the_side_stake"),
    ),
    Planted(
        "revenue is what the player wins",
        "sign of a posting", "domain/flows.py",
        "(one.kind, one.stake_minor - one.payout_minor)", "(one.kind, one.payout_minor - one.stake_minor)",
        at(SEATS, "test_lose_takes_ante_and_call_into_revenue"),
    ),
    Planted(
        "a void books the revenue once more",
        "sign of a posting", "domain/flows.py",
        "one.payout_minor - one.stake_minor", "one.stake_minor - one.payout_minor",
        at(VOIDS, "test_void_after_settlement_claw_back_of_a_lost_round"),
    ),
    Planted(
        "what the house bears of a void is a gain",
        "sign of a posting", "domain/flows.py",
        'one.payout_minor - one.stake_minor\n'
        '            yield f"LOSS/{event.loss_kind.value}", -event.loss_minor',
        'one.payout_minor - one.stake_minor\n'
        '            yield f"LOSS/{event.loss_kind.value}", event.loss_minor',
        at(VOIDS, "test_void_after_settlement_house_absorbs_what_is_not_available"),
    ),
    Planted(
        "a contribution raises what the house has earned",
        "sign of a posting", "domain/flows.py",
        '[(f"CON/{event.jackpot}", -given)]', '[(f"CON/{event.jackpot}", given)]',
        at(BETTING, "test_betting_closed_leaves_the_stakes_and_contributes"),
    ),
    Planted(
        "a cancelled prize is owed twice",
        "sign of a posting", "domain/flows.py",
        '                (_pay(event.jackpot, player, award), -minor * MICRO) for',
        '                (_pay(event.jackpot, player, award), minor * MICRO) for',
        at(VOIDS, "test_void_with_a_pending_prize_cancels_it_and_the_player_never_owes_it"),
    ),
)  # fmt: skip

FRACTIONS = (
    Planted(
        "an award throws the fraction away",
        "fraction of a meter", "domain/pools.py",
        "Balances(balances.meter_micro - pool_minor * MICRO,",
        "Balances((whole_minor(balances.meter_micro) - pool_minor) * MICRO,",
        at(POOLS, "test_R9_an_award_takes_whole_minor_units_and_leaves_the_fraction"),
    ),
    Planted(
        "a tenth is rounded to the nearest",
        "fraction of a meter", "domain/pools.py",
        "return meter_micro * share_ppm // (MICRO * MICRO)",
        "return (meter_micro * share_ppm + MICRO * MICRO // 2) // (MICRO * MICRO)",
        at(POOLS, "test_R9_an_award_takes_whole_minor_units_and_leaves_the_fraction"),
    ),
    Planted(
        "a reset forgets what was left",
        "fraction of a meter", "domain/pools.py",
        "balances.meter_micro + reset_minor * MICRO,", "reset_minor * MICRO,",
        at(SHARED, "test_equal_split_of_100_percent_shared_by_3_winners_leaves_the_rest_on_the_meter"),
    ),
    Planted(
        "a reset takes a part of a unit from the reserve",
        "fraction of a meter", "domain/pools.py",
        "min(whole_minor(balances.reserve_micro), reset_minor)",
        "min(-(-balances.reserve_micro // MICRO), reset_minor)",
        at(POOLS, "test_the_reserve_pays_whole_units_of_a_reset_and_the_house_the_rest"),
    ),
    Planted(
        "a contribution is rounded to a hundredth of a unit",
        "fraction of a meter", "services/handlers/betting.py",
        "stake_minor * terms.increment_ppm,", "stake_minor * terms.increment_ppm // 10_000 * 10_000,",
        at(BETTING, "test_betting_closed_at_the_ceiling_lets_the_rest_flow_over"),
    ),
)  # fmt: skip

ORDER = (
    Planted(
        "seats are paid from left to right everywhere",
        "order of awards", "services/handlers/results.py",
        "return ordered[::-1] if rules.payment_order is PaymentOrder.DESCENDING else ordered", "return ordered",
        at(SHARED, "test_sequential_winners_each_find_what_their_turn_leaves"),
    ),
    Planted(
        "seats are paid by the players' names",
        "order of awards", "services/handlers/results.py",
        "key=lambda one: (one.seat or 0, one.player))", "key=lambda one: (one.player, one.seat or 0))",
        at("ledger/test_cards_of_a_round.py", "test_S4_09_seats_are_paid_by_their_number_whoever_sits_there"),
    ),
    Planted(
        "the euro rules pay from left to right",
        "order of awards", "domain/variants/euro_progressive.py",
        "payment_order=PaymentOrder.DESCENDING,", "payment_order=PaymentOrder.ASCENDING,",
        at("domain/test_rules.py", "test_S2_20_only_the_euro_rules_pay_from_right_to_left"),
    ),
    Planted(
        "each winner finds the meter as the first did",
        "order of awards", "domain/jackpots/awarding.py",
        "        self.balances = award.after", "        pass",
        at(SHARED, "test_sequential_winners_each_find_what_their_turn_leaves"),
    ),
    Planted(
        "the last in the order is paid first",
        "order of awards", "domain/jackpots/awarding.py",
        "    for claim in claims:\n", "    for claim in claims[::-1]:\n",
        at(SHARED, "test_sequential_winners_each_find_what_their_turn_leaves"),
    ),
)  # fmt: skip

POOL = (
    Planted(
        "the meter passes its ceiling",
        "ceiling", "domain/pools.py",
        "meter = min(both, ceiling_micro)", "meter = both",
        at(BETTING, "test_betting_closed_at_the_ceiling_lets_the_rest_flow_over"),
    ),
    Planted(
        "the overflow stays where it is",
        "ceiling", "domain/pools.py",
        "both = balances.meter_micro + balances.overflow_micro\n    meter = min(both, ceiling_micro)",
        "both = balances.meter_micro + balances.overflow_micro\n    meter = min(balances.meter_micro, ceiling_micro)",
        at(AWARDS, "test_the_overflow_fills_the_meter_after_an_award_and_the_reset_flows_over"),
    ),
    Planted(
        "the threshold itself waits for two persons",
        "hand-pay", "domain/jackpots/awarding.py",
        "award.prize_minor > threshold,", "award.prize_minor >= threshold,",
        at(AWARDS, "test_hand_pay_at_the_threshold_is_paid_at_once"),
    ),
    Planted(
        "contributions are taken with the wager",
        "contribution", "services/handlers/spots.py",
        "    return _placed(desk, placed, ",
        '    from services.handlers.betting import accrue\n'
        '    accrue(desk, terms, round_.round, desk.seats(round_.round))\n'
        '    return _placed(desk, placed, ',
        at(BETTING, "test_wager_accepted_holds_three_antes_and_the_side_stake"),
    ),
    Planted(
        "a shortfall is never given back",
        "shortfall", "domain/jackpots/mirror.py",
        "if pair[0] <= shortfall.version:", "if pair[0] > shortfall.version:",
        at(VOIDS, "test_a_later_mirror_of_an_older_award_gives_the_shortfall_back_first"),
    ),
    Planted(
        "a newer award gives a shortfall back",
        "shortfall", "domain/jackpots/mirror.py",
        "if pair[0] <= shortfall.version:", "if pair[0] >= 0:",
        at(SHORT, "test_an_award_newer_than_a_shortfall_brings_back_the_whole_meter_that_it_took"),
    ),
    Planted(
        "a pool goes below zero",
        "shortfall", "domain/jackpots/mirror.py",
        "meter_short, reserve_short = max(-meter, 0), max(-rest, 0)", "meter_short, reserve_short = 0, 0",
        at(VOIDS, "test_a_mirror_that_a_pool_cannot_bear_is_borne_by_the_house"),
    ),
)  # fmt: skip

HOLDS = (
    Planted(
        "the call is not held",
        "hold", "domain/seats/wagering.py",
        "return 3 if terms.call_reserve is CallReserve.FULL else 1", "return 1",
        at(BETTING, "test_wager_accepted_holds_three_antes_and_the_side_stake"),
    ),
    Planted(
        "a rejected wager's money stays on game",
        "hold", "domain/seats/decider.py",
        "RejectReason.BELOW_MINIMUM, state.wagers, state.held_minor)", "RejectReason.BELOW_MINIMUM, state.wagers, 0)",
        at(BETTING, "test_reject_at_close_releases_ante_reserve_and_side_stake"),
    ),
    Planted(
        "a fold gives the ante back too",
        "hold", "domain/seats/decider.py",
        "release = ante * (ante_units(command.terms) - 1)", "release = ante * ante_units(command.terms)",
        at(BETTING, "test_fold_releases_the_reserve"),
    ),
    Planted(
        "a hold may be one unit more than there is",
        "hold", "domain/wallets/decider.py",
        "if amount_minor > state.available_minor:", "if amount_minor > state.available_minor + 1:",
        at(BETTING, "test_call_without_a_call_reserve_that_is_not_covered_is_refused_and_the_player_may_fold"),
    ),
)  # fmt: skip

VOIDING = (
    Planted(
        "a void round can be voided",
        "void done twice", "domain/rounds/voiding.py",
        'if state.phase in {Phase.VOIDED, Phase.CANCELLED}:\n'
        '        raise AlreadyVoided("every stake',
        'if state.phase is Phase.CANCELLED:\n'
        '        raise AlreadyVoided("every stake',
        at(TWICE, "test_C19_a_second_void_is_refused"),
    ),
    Planted(
        "a cancelled round can be voided",
        "void done twice", "domain/rounds/voiding.py",
        'if state.phase in {Phase.VOIDED, Phase.CANCELLED}:\n'
        '        raise AlreadyVoided("every stake',
        'if state.phase is Phase.VOIDED:\n'
        '        raise AlreadyVoided("every stake',
        at(TWICE, "test_C19_a_cancelled_round_cannot_be_voided"),
    ),
    Planted(
        "a void seat can be voided",
        "void done twice", "domain/seats/voiding.py",
        "    if state.voided:\n", "    if state.voided and not state.settled:\n",
        at(TWICE, "test_C19_a_seat_is_voided_once"),
    ),
    Planted(
        "a void does not remember itself",
        "void done twice", "domain/rounds/state.py",
        "replace(state, phase=Phase.VOIDED,", "replace(state, phase=state.phase,",
        at(TWICE, "test_C19_a_second_void_is_refused"),
    ),
    Planted(
        "a dry run is done",
        "void done twice", "services/batch.py",
        "isinstance(answer, VoidAnswer) and answer.dry_run:", "isinstance(answer, VoidAnswer) and not answer.round:",
        at(TWICE, "test_a_dry_run_shows_the_void_and_changes_nothing"),
    ),
    Planted(
        "nobody is told of a debt",
        "negative balance", "domain/wallets/decider.py",
        "if available_minor < 0 and change_minor < 0:", "if available_minor < 0 and change_minor > 0:",
        at(VOIDS, "test_void_after_settlement_claw_back_of_spent_winnings_leaves_a_debt_and_says_so"),
    ),
)  # fmt: skip

FAULTS = SIGNS + FRACTIONS + ORDER + POOL + HOLDS + VOIDING
