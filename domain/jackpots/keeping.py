"""How a pool decides what staff asks of it. See `domain.jackpots.upkeep`."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from domain.changing import replace
from domain.errors import CurrencyMismatch, Invalid, WrongPhase
from domain.jackpots.events import Move, PoolTerms, moved
from domain.jackpots.terms import checked_terms
from domain.jackpots.upkeep import (
    AwardVerified,
    ChangeTerms,
    Correct,
    Corrected,
    Disable,
    Enable,
    PoolAccount,
    PoolDisabled,
    PoolEnabled,
    TermsChanged,
    TransferIn,
    TransferOut,
    TransferredIn,
    TransferredOut,
    UpkeepCommand,
    UpkeepEvent,
    VerifyAward,
)
from domain.money import MICRO
from domain.pools import Balances, refuse_oversized, split

if TYPE_CHECKING:
    from domain.jackpots.decider import Pool


def keep(command: UpkeepCommand, state: Pool) -> UpkeepEvent:
    """The event that `command` causes, or a Refusal."""
    terms = state.terms
    match command:
        case Correct(account, amount, reason, approver):
            move = changed(state, account, amount, "amount_micro")
            return Corrected(terms.jackpot, terms.currency, account, amount, reason, approver, move)
        case TransferOut():
            return _transfer_out(command, state)
        case TransferIn(source, amount, reason, approver):
            move = changed(state, PoolAccount.METER, amount, "amount_micro")
            return TransferredIn(terms.jackpot, terms.currency, source, amount, reason, approver, move)
        case ChangeTerms(wanted, reason):
            return _change_terms(state, wanted, reason)
        case Disable(reason):
            if state.disabled:
                raise WrongPhase("the jackpot is disabled already", field="id")
            return PoolDisabled(terms.jackpot, reason)
        case Enable(reason):
            if not state.disabled:
                raise WrongPhase("the jackpot is not disabled", field="id")
            return PoolEnabled(terms.jackpot, reason)
        case VerifyAward(award, round_id, player, prize, reason, approver):
            return AwardVerified(terms.jackpot, award, round_id, player, terms.currency, prize, reason, approver)
        case _:
            assert_never(command)


def changed(state: Pool, account: PoolAccount, amount_micro: int, field: str) -> Move:
    """The move of one account by a signed amount; Invalid when it would fall below zero or grow too large."""
    if amount_micro == 0:
        raise Invalid("an amount is not zero", field=field)
    before = state.balances
    match account:
        case PoolAccount.METER:
            after = replace(before, meter_micro=before.meter_micro + amount_micro)
        case PoolAccount.RESERVE:
            after = replace(before, reserve_micro=before.reserve_micro + amount_micro)
        case PoolAccount.OVERFLOW:
            after = replace(before, overflow_micro=before.overflow_micro + amount_micro)
        case _:
            assert_never(account)
    if min(after.meter_micro, after.reserve_micro, after.overflow_micro) < 0:
        raise Invalid("an account of a jackpot does not fall below zero", field=field)
    after = split(after, state.ceiling_micro)
    refuse_oversized(after)
    return moved(before, after)


def _transfer_out(command: TransferOut, state: Pool) -> TransferredOut:
    terms = state.terms
    if command.to == terms.jackpot:
        raise Invalid("a transfer goes to another jackpot", field="to")
    if command.to_currency != terms.currency:
        raise CurrencyMismatch(f"the other jackpot is in {command.to_currency}", field="to")
    if command.amount_micro <= 0:
        raise Invalid("a transfer is above zero", field="amount_micro")
    move = changed(state, command.account, -command.amount_micro, "amount_micro")
    return TransferredOut(
        terms.jackpot,
        terms.currency,
        command.to,
        command.account,
        command.amount_micro,
        command.reason,
        command.approver,
        move,
    )


def _change_terms(state: Pool, wanted: PoolTerms, reason: str) -> TermsChanged:
    """Ceiling, funding and threshold change at once; rates, reset value and policy wait for the next 100 % award.

    A ceiling is never below the meter; a raised one lets overflow in at once (R7; docs/ledger.md, Pools).
    """
    now = replace(
        state.terms,
        ceiling_minor=wanted.ceiling_minor,
        fixed_prize_funding=wanted.fixed_prize_funding,
        handpay_threshold_minor=wanted.handpay_threshold_minor,
    )
    checked_terms(replace(wanted, seed_minor=min(wanted.seed_minor, wanted.ceiling_minor)))
    if wanted.ceiling_minor * MICRO < state.balances.meter_micro:
        raise Invalid("a ceiling is not below the meter", field="ceiling")
    if wanted.ceiling_minor < state.terms.reset_minor:
        raise Invalid("a ceiling is not below the reset value in force", field="ceiling")
    if now == state.terms and wanted == (state.waiting or state.terms):
        raise Invalid("nothing changes", field="jackpot")
    waiting = None if wanted == now else wanted
    after = split(state.balances, wanted.ceiling_minor * MICRO)
    return TermsChanged(now.jackpot, now.currency, now, waiting, reason, moved(state.balances, after))


def after_move(move: Move) -> Balances:
    """The balances that a move leaves."""
    return Balances(move.meter_after_micro, move.reserve_after_micro, move.overflow_after_micro)
