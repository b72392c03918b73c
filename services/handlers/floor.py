"""The floor: jackpots and tables are opened here."""

from __future__ import annotations

from domain import chat, tables
from domain.errors import CurrencyMismatch, Invalid, NotFound
from domain.jackpots import decider as jackpots
from domain.jackpots.commands import OpenPool
from domain.money import AMOUNT_MINOR_MAX
from domain.rules import BelowMinPolicy, ChatPolicy, HandMode, RuleSet, TimeoutPolicy, ruleset_hash
from domain.tables import CallReserve, CardSource, Pace, TableTerms
from domain.variants import ruleset
from services.answers import JackpotAnswer, TableAnswer
from services.commands import OpenJackpot, OpenTable
from services.desk import Desk, Facts

WINDOW_SECONDS = 15
"""Default length of the betting window (C16)."""


def open_jackpot(desk: Desk, command: OpenJackpot) -> JackpotAnswer:
    """Start a pool at its seed, which the house pays (S3-19)."""
    terms = command.terms
    rules = ruleset(terms.ruleset)
    if rules.progressive is not None and rules.progressive.handpay_threshold_required and not command.handpay_stated:
        raise Invalid(f"{rules.name} needs handpay_threshold stated, null counts", field="handpay_threshold")
    events = jackpots.decide(OpenPool(terms), desk.find_pool(terms.jackpot))
    desk.post((desk.pool_at(terms.jackpot), events))
    return JackpotAnswer(
        terms.jackpot, terms.ruleset, terms.currency, terms.seed_minor, terms.reset_minor, terms.seed_minor
    )


def open_table(desk: Desk, command: OpenTable) -> TableAnswer:
    """Put a table into the lobby (S0-24, S2-03)."""
    rules = ruleset(command.ruleset)
    terms = _terms(command, rules)
    _check_terms(terms, rules)
    if terms.jackpot is not None:
        _check_pool(desk, terms)
    order = tables.OpenTable(terms, alone=not command.multi_game)
    events = tables.decide(order, desk.find_table(command.table))
    facts: list[Facts] = [(desk.table_at(command.table), events)]
    mode = ChatPolicy(command.chat or rules.chat)
    if command.chat is not None:
        wanted = chat.SetMode(command.table, mode, rules.chat, None)
        facts.append((desk.chat_at(command.table), chat.decide(wanted)))
    desk.post(*facts)
    return _answer(terms, command.multi_game, mode)


def _answer(terms: TableTerms, multi_game: bool, mode: ChatPolicy) -> TableAnswer:
    return TableAnswer(
        terms.table,
        terms.ruleset,
        terms.ruleset_hash,
        terms.currency,
        terms.ante_min_minor,
        terms.ante_max_minor,
        terms.jackpot,
        terms.card_source.value,
        terms.pace.value,
        terms.below_min_policy,
        terms.timeout_policy,
        terms.call_reserve.value,
        terms.decision_seconds,
        multi_game,
        mode.value,
    )


def _terms(command: OpenTable, rules: RuleSet) -> TableTerms:
    """The command with the page's defaults in place of what it leaves open."""
    pace = Pace(command.pace)
    decision_default = WINDOW_SECONDS if pace is Pace.AUTO else 0
    decision = decision_default if command.decision_seconds is None else command.decision_seconds
    side_max = command.ante_max_minor if command.side_max_minor is None else command.side_max_minor
    return TableTerms(
        table=command.table,
        ruleset=rules.name,
        ruleset_hash=ruleset_hash(rules),
        currency=command.currency,
        ante_min_minor=command.ante_min_minor,
        ante_max_minor=command.ante_max_minor,
        side_min_minor=1 if command.side_min_minor is None else command.side_min_minor,
        side_max_minor=side_max,
        total_max_minor=command.total_max_minor,
        jackpot=command.jackpot,
        card_source=CardSource(command.card_source),
        pace=pace,
        call_reserve=CallReserve(command.call_reserve),
        below_min_policy=BelowMinPolicy(command.below_min_policy or rules.below_min_policy).value,
        timeout_policy=TimeoutPolicy(command.timeout_policy or rules.timeout_policy).value,
        betting_seconds=command.betting_seconds,
        closing_soon_seconds=command.closing_soon_seconds,
        decision_seconds=decision,
        pause_seconds=command.pause_seconds,
        abandon_seconds=command.abandon_seconds,
    )


def _check_terms(terms: TableTerms, rules: RuleSet) -> None:
    if rules.currency is not None and terms.currency != rules.currency:
        raise CurrencyMismatch(f"{rules.name} is played in {rules.currency}", field="currency")
    if terms.ante_min_minor > terms.ante_max_minor:
        raise Invalid("ante_min is at most ante_max", field="ante_min")
    if _largest_payout_minor(terms, rules) > AMOUNT_MINOR_MAX:
        raise Invalid(f"a win at ante_max and side_max may be at most {AMOUNT_MINOR_MAX}", field="ante_max")
    if terms.side_min_minor > terms.side_max_minor:
        raise Invalid("side_min is at most side_max", field="side_min")
    if terms.call_reserve is CallReserve.NONE and terms.timeout_policy == TimeoutPolicy.BET_IF_PAIR_OR_BETTER.value:
        raise Invalid("without a call reserve nobody can bet for an absent player (C15)", field="call_reserve")
    _check_windows(terms)
    if terms.jackpot is not None and (rules.hand_mode is HandMode.SHARED or rules.progressive is None):
        raise Invalid(f"{rules.name} has no progressive wager, its tables carry no jackpot", field="jackpot")


def _check_windows(terms: TableTerms) -> None:
    """Where timers end the windows a round is given up later than any of them ends, or players would lose the time
    that they were promised. CLOSING_SOON lies within the betting. At a MANUAL table calls end them.
    """
    longest = max(terms.betting_seconds, terms.decision_seconds)
    if terms.pace is Pace.AUTO and terms.abandon_seconds <= longest:
        raise Invalid(
            f"abandon_seconds is longer than every window, here than {longest} seconds", field="abandon_seconds"
        )


def _largest_payout_minor(terms: TableTerms, rules: RuleSet) -> int:
    """What the best hand brings back at the limits of the spots: an amount like any other, so that no balance that a
    round makes leaves what every client can count (bug row 27). Prizes of a pool have limits of their own.
    """
    call = max(pays for _, pays in (*rules.call_pays, *rules.call_pays_unqualified))
    side = max((1 + pays for _, pays in rules.side_pays), default=0)
    return terms.ante_max_minor * (2 + rules.call_multiple * (1 + call)) + terms.side_max_minor * side


def _check_pool(desk: Desk, terms: TableTerms) -> None:
    """A pool serves tables of one rule set and one currency (C33)."""
    pool = desk.find_pool(terms.jackpot or "")
    if pool is None:
        raise NotFound("no such jackpot", field="jackpot")
    if pool.terms.currency != terms.currency:
        raise CurrencyMismatch(f"the jackpot is in {pool.terms.currency}", field="jackpot")
    if pool.terms.ruleset != terms.ruleset:
        raise Invalid(f"the jackpot serves {pool.terms.ruleset}", field="jackpot")
