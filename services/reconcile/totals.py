"""Control totals of a day, as they are signed, and their hash."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import date, datetime
from hashlib import sha256

from domain.jackpots.identity import Term
from domain.reconciliations import PoolTotals
from services.reconcile.book import Book
from services.reconcile.breaks import Break, BreakClass, broken
from services.reconcile.days import PoolDay, bounds


def totals_of(day: PoolDay) -> PoolTotals:
    """A pool's day in figures."""
    terms, closing = day.terms, day.events
    return PoolTotals(
        jackpot=day.pool,
        currency=day.currency,
        opening_micro=day.opening_micro,
        seed_micro=terms.get(Term.SEED, 0),
        resets_micro=terms.get(Term.RESETS, 0),
        contributions_micro=terms.get(Term.CONTRIBUTIONS, 0),
        corrections_micro=terms.get(Term.CORRECTIONS, 0),
        transfers_micro=terms.get(Term.TRANSFERS, 0),
        shortfall_micro=terms.get(Term.VOID_SHORTFALL, 0),
        awards_micro=terms.get(Term.AWARDS, 0),
        meter_micro=closing["m"],
        reserve_micro=closing["res"],
        overflow_micro=closing["ovf"],
        pay_micro=closing["pay"],
        con_micro=closing["CON"],
        fund_micro=closing["FUND"],
    )


def state_hash(day: str, log_position: int, totals: Sequence[PoolTotals]) -> str:
    """SHA-256 over day, position and all totals as JSON: keys in order, no blanks, amounts as decimal strings."""
    listed = [{name: str(value) for name, value in asdict(one).items()} for one in totals]
    told = {"day": day, "log_position": str(log_position), "pools": sorted(listed, key=lambda one: one["jackpot"])}
    return sha256(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def sealed_breaks(book: Book, days: Iterable[PoolDay], closings: Mapping[date, int]) -> Iterator[Break]:
    """Sealed days whose figures are now others: each figure by name."""
    now = {(one.day, one.pool): totals_of(one) for one in days}
    for day, known in sorted(book.days.items()):
        if known.sealed is None:
            continue
        signed, position = {one.jackpot: one for one in known.sealed.totals}, known.sealed.log_position
        since = bounds(day, book.zone).end
        if closings.get(day, 0) != position:
            yield broken(
                BreakClass.SEALED, day, "day log_position", since, "the day's last event is another than when sealed",
                position=position, expected=position, found=closings.get(day, 0),
            )  # fmt: skip
        for pool in sorted(signed.keys() | {name for of, name in now if of == day}):
            yield from _unlike(day, signed.get(pool), now.get((day, pool)), position, since)


def _unlike(
    day: date, signed: PoolTotals | None, found: PoolTotals | None, position: int, since: datetime
) -> Iterator[Break]:
    pool = "".join({one.jackpot for one in (signed, found) if one is not None})
    for field in fields(PoolTotals)[1:]:
        expected = "" if signed is None else getattr(signed, field.name)
        is_now = "" if found is None else getattr(found, field.name)
        if expected != is_now:
            yield broken(
                BreakClass.SEALED, day, f"{pool} {field.name}", since, "the figure is not the one that was signed",
                position=position, expected=expected, found=is_now,
            )  # fmt: skip
