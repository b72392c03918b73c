"""Faults in the house: keys, phases, refusals, seats, currencies, the hash chain."""

from __future__ import annotations

from tests.mutants.planted import Planted, at

KEYS = "services/test_house_keys.py"
BUNDLES = "services/test_bundles.py"
PHASES = "ledger/test_refusals_of_phases.py"
WAGERS = "ledger/test_refusals_of_wagers.py"
CASHIER = "ledger/test_refusals_at_the_cashier.py"
CHAIN = "adapters/test_chain.py"
CLOSING = "services/test_closing_entries.py"

IDEMPOTENCY = (
    Planted(
        "keys of the same batch are not looked at",
        "idempotency", "services/batch.py",
        "record = self.records.get(key) or self.turn.records.get(key)", "record = self.turn.records.get(key)",
        at(KEYS, "test_the_same_key_twice_in_one_batch_has_one_effect_and_both_get_the_same_bytes"),
    ),
    Planted(
        "keys of earlier batches are not looked at",
        "idempotency", "services/batch.py",
        "record = self.records.get(key) or self.turn.records.get(key)", "record = self.records.get(key)",
        at(KEYS, "test_the_same_key_later_gets_the_first_answer_byte_by_byte_and_nothing_happens"),
    ),
    Planted(
        "a key serves any request",
        "idempotency", "services/batch.py",
        "if record.fingerprint != fingerprint:", "if not record.fingerprint:",
        at(KEYS, "test_the_same_key_with_another_body_is_a_mismatch_and_the_first_answer_stays"),
    ),
    Planted(
        "the operator's transaction id is not recorded",
        "idempotency", "services/batch.py",
        "if key not in self.turn.records and key not in self.records:",
        "if key[1] != TRANSACTION and key not in self.turn.records and key not in self.records:",
        at(KEYS, "test_the_same_transaction_under_another_key_answers_200_with_the_first_answer"),
    ),
    Planted(
        "a refusal burns its key",
        "idempotency", "services/batch.py",
        "            return refusal\n",
        '            self._remember(order, KeyRecord(("", "", ""), b"", 409, b"{}", self.turn.head))\n'
        "            return refusal\n",
        at(KEYS, "test_a_refusal_burns_nothing_and_the_same_key_may_succeed_later"),
    ),
    Planted(
        "a refused bundle burns the keys of what came before",
        "idempotency", "services/atomic.py",
        "for key in list(batch.records)[records:]:", "for key in list(batch.records)[:0]:",
        at(BUNDLES, "test_one_refused_order_refuses_all_names_itself_and_burns_no_key"),
    ),
)  # fmt: skip

PHASE_CHECKS = (
    Planted(
        "bets come in after the close",
        "phase check", "domain/rounds/phases.py",
        "BETTING: Final = frozenset({Phase.BETTING_OPEN, Phase.CLOSING_SOON})",
        "BETTING: Final = frozenset({Phase.BETTING_OPEN, Phase.CLOSING_SOON, Phase.BETTING_CLOSED})",
        at(PHASES, "test_S0_10_no_wager_moves_once_betting_is_closed"),
    ),
    Planted(
        "any phase will do",
        "phase check", "domain/rounds/phases.py",
        "    if state.phase not in phases:\n", "    if state.phase not in phases and not phases:\n",
        at(PHASES, "test_what_comes_in_the_wrong_phase_is_refused"),
    ),
    Planted(
        "cards can be dealt again",
        "phase check", "domain/rounds/decider.py",
        "            check_phase(known, Phase.BETTING_CLOSED)\n",
        "            check_phase(known, Phase.BETTING_CLOSED, Phase.DECIDING)\n",
        at("domain/test_round_phases.py"),
    ),
    Planted(
        "a round decides before the cards lie",
        "phase check", "domain/rounds/decider.py",
        "            check_phase(known, Phase.DECIDING)\n",
        "            check_phase(known, Phase.DECIDING, Phase.BETTING_CLOSED)\n",
        at("domain/test_round_phases.py"),
    ),
    Planted(
        "a player decides twice",
        "phase check", "domain/seats/decider.py",
        "if state.decision is not None:", "if state.decision is Decision.FOLD:",
        at(PHASES, "test_S0_06_who_has_decided_decides_no_more"),
    ),
    Planted(
        "the showdown does not wait for the deadline",
        "phase check", "services/handlers/absent.py",
        "and desk.now < round_.deadline:", "and desk.now < round_.deadline and not playing:",
        at(PHASES, "test_S0_07_there_is_no_showdown_while_a_seat_may_still_decide"),
    ),
    Planted(
        "a table opens a second round",
        "phase check", "domain/tables.py",
        "if state.open_round is not None:", "if state.open_round == round_id:",
        at(PHASES, "test_S0_40_a_table_has_one_round_at_a_time"),
    ),
)  # fmt: skip

REFUSALS = (
    Planted(
        "a refusal leaves its events in the cache",
        "refusal", "services/desk.py",
        "        self.pending.append(Pending(stream, version, event, entry, self.meta, self.now))\n",
        "        self.pending.append(Pending(stream, version, event, entry, self.meta, self.now))\n"
        "        self._states.put(stream, self._own[stream])\n",
        at(CASHIER, "test_a_refusal_leaves_no_trace_even_where_something_was_posted_before_it"),
    ),
    Planted(
        "two players sit on one seat",
        "seat taken", "services/handlers/spots.py",
        "if other.seat == number and other.player != player and other.wagers:",
        "if other.seat == number and other.player == player and not other.wagers:",
        at(WAGERS, "test_S2_01_a_seat_that_another_holds_is_taken"),
    ),
    Planted(
        "a player sits on two seats",
        "seat taken", "domain/seats/decider.py",
        "if state is not None and state.wagers and state.seat != command.seat:",
        "if state is not None and state.wagers and command.seat is None:",
        at(WAGERS, "test_S2_01_a_player_has_one_seat_in_a_round"),
    ),
    Planted(
        "a wallet plays in any currency",
        "currency", "services/handlers/spots.py",
        "if wallet.currency != terms.currency:", "if not wallet.currency:",
        at(WAGERS, "test_C33_a_wallet_of_another_currency_does_not_play"),
    ),
    Planted(
        "any currency is paid in",
        "currency", "domain/wallets/decider.py",
        "if currency != state.currency:", "if not currency:",
        at(CASHIER, "test_S0_45_another_currency_is_refused"),
    ),
    Planted(
        "more is paid out than there is",
        "cashier", "domain/wallets/decider.py",
        '    _check_available(command.amount_minor, state, "amount")\n', "",
        at(CASHIER, "test_R1_no_more_is_paid_out_than_is_available"),
    ),
    Planted(
        "an ante of one unit above the maximum is taken",
        "limit", "domain/seats/wagering.py",
        "if ante and total > terms.ante_max_minor:", "if ante and total > terms.ante_max_minor + 1:",
        at(WAGERS, "test_S0_24_a_spot_takes_no_more_than_its_maximum"),
    ),
    Planted(
        "limits look at the last wager alone",
        "limit", "domain/seats/wagering.py",
        "    total = spots.ante_minor + ante\n    if ante and total > terms.ante_max_minor:",
        "    total = ante\n    if ante and total > terms.ante_max_minor:",
        at(WAGERS, "test_S0_24_a_spot_takes_no_more_than_its_maximum"),
    ),
)  # fmt: skip

CHAINED = (
    Planted(
        "the hash does not cover an event's name",
        "hash chain", "domain/chain.py",
        "                name_bytes,\n", "",
        at(CHAIN, "test_the_hash_is_the_one_that_anyone_computes_from_the_description"),
    ),
    Planted(
        "the hash does not cover the event before",
        "hash chain", "domain/chain.py",
        "_PREVIOUS_AND_STREAM(32, previous,", "_PREVIOUS_AND_STREAM(32, GENESIS,",
        at(CHAIN, "test_the_hash_is_the_one_that_anyone_computes_from_the_description"),
    ),
    Planted(
        "stored hashes are believed",
        "hash chain", "services/chain.py",
        "return None if found == hashed else", "return None if len(found) == len(hashed) else",
        at(CHAIN, "test_F21_a_changed_log_is_found_at_its_first_bad_position"),
    ),
    Planted(
        "a cut tail is not looked for",
        "hash chain", "services/chain.py",
        "return last if last > self._events else None", "return None",
        at(CHAIN, "test_F21_bug_087_a_cut_tail_is_found_by_the_anchor"),
    ),
    Planted(
        "an event may stand in a stream of another kind",
        "hash chain", "services/chain.py",
        'if row.name.split(".", 1)[0] != kind:', 'if not row.name.split(".", 1)[0]:',
        at(CHAIN, "test_F21_a_chain_made_anew_does_not_hide_gaps_and_strangers"),
    ),
)  # fmt: skip

CARRIED = (
    Planted(
        "a closing entry stands between the awards of a round",
        "closing entry", "services/desk.py",
        "        self._entry += 1", "        self._entry += 1\n        self.carry()",
        at(CLOSING, "test_awards_stand_in_the_pools_stream_where_the_round_says"),
    ),
    Planted(
        "a pool forgets with its closing entry what the house lent it",
        "closing entry", "domain/jackpots/decider.py",
        "now = event.shortfalls, event.waiting", "now = (), event.waiting",
        at("domain/test_carrying.py", "test_a_state_follows_from_its_closing_entry_alone"),
    ),
    Planted(
        "a closing entry is believed",
        "closing entry", "services/carried_book.py", "if told != event:", "if False:",
        at(CLOSING, "test_F21_a_closing_entry_that_says_something_else_is_found_at_its_position"),
    ),
)  # fmt: skip

FAULTS = IDEMPOTENCY + PHASE_CHECKS + REFUSALS + CHAINED + CARRIED
