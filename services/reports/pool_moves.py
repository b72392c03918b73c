"""What each event of a pool did to it, by the terms of its identity (docs/ledger.md, Laws; R6, R16, R18).

    m + res + ovf = seed + resets (house's part) + contributions + corrections + transfers + shortfalls - paid

each net of its mirrors. The three accounts themselves are in the event's move, so the two are held against each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from domain.jackpots.events import (
    Awarded,
    Contributed,
    Move,
    PoolOpened,
    PoolReset,
    RoundMirrored,
    RoundResettled,
)
from domain.jackpots.upkeep import AwardRefused, Corrected, TermsChanged, TransferredIn, TransferredOut
from domain.money import MICRO
from domain.streams import Event
from services.reports.columns import micro

PoolMove = (
    PoolOpened
    | Contributed
    | Awarded
    | PoolReset
    | RoundMirrored
    | RoundResettled
    | AwardRefused
    | Corrected
    | TransferredIn
    | TransferredOut
    | TermsChanged
)

TERMS: Final = (
    micro("seed_micro", "Seed"),
    micro("contribution_micro", "Contributions"),
    micro("reset_micro", "Resets by the house"),
    micro("correction_micro", "Corrections"),
    micro("transfer_micro", "Transfers"),
    micro("shortfall_micro", "Shortfalls"),
    micro("paid_micro", "Paid by the pool"),
)
"""The columns of the terms; `paid_micro` is below zero."""

TERM_NAMES: Final = tuple(one.name for one in TERMS)


def move_of(event: Event) -> tuple[str, str, Move] | None:
    """Pool, currency and move of an event that touches a pool; None of any other."""
    if isinstance(event, PoolOpened):
        return event.terms.jackpot, event.terms.currency, event.move
    return (event.jackpot, event.currency, event.move) if isinstance(event, PoolMove) else None


def terms_of(event: Event) -> Iterator[tuple[str, int]]:
    """What the event adds to which term."""
    match event:
        case PoolOpened():
            yield "seed_micro", event.terms.seed_minor * MICRO
        case Contributed():
            yield "contribution_micro", event.increment_micro + event.reserve_micro
        case Awarded():
            yield "paid_micro", -event.pool_micro
        case PoolReset():
            yield "reset_micro", event.reset_micro - event.from_reserve_micro
        case RoundMirrored():
            yield "contribution_micro", -event.contribution_micro
            yield from _mirrored(event)
        case RoundResettled():
            yield "paid_micro", -event.awards_micro
            yield "reset_micro", event.resets_micro
            yield from _mirrored(event)
        case AwardRefused():
            yield from _mirrored(event)
        case Corrected():
            yield "correction_micro", event.amount_micro
        case TransferredIn():
            yield "transfer_micro", event.amount_micro
        case TransferredOut():
            yield "transfer_micro", -event.amount_micro
        case _:
            pass


def _mirrored(event: RoundMirrored | RoundResettled | AwardRefused) -> Iterator[tuple[str, int]]:
    yield "paid_micro", event.awards_back_micro
    yield "reset_micro", -event.resets_back_micro
    yield "shortfall_micro", event.shortfall_meter_micro + event.shortfall_reserve_micro
