"""The terms that explain what a pool holds, event by event (docs/ledger.md, Laws, 3): opening + terms = closing.

    m + res + ovf = seed + house part of resets + contributions + corrections + transfers + shortfalls - awards

Each term is net of its mirrors. They are read from what an event says was given, paid and put in; what it says of the
accounts themselves (`move`) is not looked at, so that the two can be held against each other.
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from domain.jackpots.events import (
    Awarded,
    Contributed,
    Move,
    PoolOpened,
    PoolReset,
    PoolTerms,
    RoundMirrored,
    RoundResettled,
)
from domain.jackpots.upkeep import AwardRefused, Corrected, TermsChanged, TransferredIn, TransferredOut
from domain.money import MICRO


class Term(StrEnum):
    """What a pool's money came from, or went to."""

    SEED = "SEED"
    RESETS = "RESETS"
    CONTRIBUTIONS = "CONTRIBUTIONS"
    CORRECTIONS = "CORRECTIONS"
    TRANSFERS = "TRANSFERS"
    VOID_SHORTFALL = "VOID_SHORTFALL"
    AWARDS = "AWARDS"


Mover = (
    PoolOpened
    | Contributed
    | Awarded
    | PoolReset
    | RoundMirrored
    | RoundResettled
    | Corrected
    | TransferredOut
    | TransferredIn
    | TermsChanged
    | AwardRefused
)
"""Events that carry a move of a pool's three accounts."""

Terms = dict[Term, int]
"""Signed micro-units by term; above zero raises what the pool holds."""


def terms_of(event: Mover) -> Terms:
    """What the event says went in or out of the pool, term by term."""
    match event:
        case PoolOpened():
            return {Term.SEED: event.terms.seed_minor * MICRO}
        case Contributed():
            return {Term.CONTRIBUTIONS: sum(one.increment_micro + one.reserve_micro for one in event.shares)}
        case Awarded():
            return {Term.AWARDS: -event.pool_micro}
        case PoolReset():
            return {Term.RESETS: event.reset_micro - event.from_reserve_micro}
        case RoundMirrored():
            return {Term.CONTRIBUTIONS: -event.contribution_micro} | _back(event)
        case RoundResettled():
            back = _back(event)
            back[Term.AWARDS] -= event.awards_micro
            back[Term.RESETS] += event.resets_micro
            return back
        case AwardRefused():
            return _back(event)
        case Corrected():
            return {Term.CORRECTIONS: event.amount_micro}
        case TransferredIn():
            return {Term.TRANSFERS: event.amount_micro}
        case TransferredOut():
            return {Term.TRANSFERS: -event.amount_micro}
        case TermsChanged():
            return {}
        case _:
            assert_never(event)


def _back(event: RoundMirrored | RoundResettled | AwardRefused) -> Terms:
    return {
        Term.AWARDS: event.awards_back_micro,
        Term.RESETS: -event.resets_back_micro,
        Term.VOID_SHORTFALL: event.shortfall_meter_micro + event.shortfall_reserve_micro,
    }


def terms_after(event: Mover, before: PoolTerms | None) -> PoolTerms | None:
    """The parameters in force after the event."""
    match event:
        case PoolOpened() | TermsChanged() | PoolReset() | RoundResettled():
            return event.terms
        case _:
            return before


def move_of(event: Mover) -> Move:
    """What it says of the three accounts."""
    return event.move
