"""A run for machines and for people. Amounts of pools are micro-units, written as decimal strings for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any, Final

from domain.jackpots.identity import Term
from domain.views.model import time_text
from services.reconcile.breaks import Break
from services.reconcile.cashier import CashKind
from services.reconcile.days import PoolDay, bounds
from services.reconcile.matching import Matching
from services.reconcile.pools import ACCOUNTS, OWN
from services.reconcile.run import Run
from services.reconcile.standing import Standing
from services.reconcile.totals import state_hash, totals_of
from services.reports.printing import decimal_text

TITLES: Final[Mapping[Term, str]] = {
    Term.SEED: "seed",
    Term.RESETS: "house part of resets",
    Term.CONTRIBUTIONS: "contributions",
    Term.CORRECTIONS: "corrections",
    Term.TRANSFERS: "transfers",
    Term.VOID_SHORTFALL: "void shortfall",
    Term.AWARDS: "pool-paid awards",
}
BREAKS_SHOWN: Final = 100
"""Lines of breaks that a person is shown; machines get all."""

BREAKS_MAX: Final = 100
POOLS_MAX: Final = 50
"""How many one sheet has."""

SHEET: Final = frozenset({"id", "kind", "about", "position", "expected", "found", "reason"})
SHEET_CHARS: Final[Mapping[str, int]] = {"about": 200, "expected": 100, "found": 100, "reason": 500}
"""As long as these may be in a body."""


def as_json(
    run: Run, breaks: Sequence[Standing], heads: Mapping[int, str], matching: Matching | None
) -> dict[str, Any]:
    """The whole run. `ok`: no break is open."""
    question = run.question
    return {
        "ok": not any(one.is_open for one in breaks),
        "operator": question.operator,
        "from": question.first.isoformat(),
        "to": question.last.isoformat(),
        "zone": question.zone.key,
        "generated_at": time_text(question.now),
        "position": run.position,
        "days": [_day(run, day, heads) for day in sorted(run.closings) if question.has(day)],
        "pools": [_pool(one) for one in run.asked_days],
        "breaks": [_break(one) for one in breaks],
        "late": [
            {"position": one.position, "event": one.event, "day": one.day.isoformat(),
             "recorded_at": time_text(one.recorded_at), "effective_at": time_text(one.effective_at)}
            for one in run.book.late
        ],
        "statement": None if matching is None else _statement(matching),
    }  # fmt: skip


def sheet(run: Run, breaks: Sequence[Standing], heads: Mapping[int, str]) -> dict[str, Any]:
    """The body of `POST /v1/reconciliations` for the one day that was asked about."""
    day = run.question.first
    position = run.closings.get(day, 0)
    totals = [totals_of(one) for one in run.asked_days]
    return {
        "day": day.isoformat(),
        "log_position": position,
        "chain_head": heads.get(position, "0" * 64),
        "state_hash": state_hash(day.isoformat(), position, totals),
        "pools": [{name: str(value) for name, value in asdict(one).items()} for one in totals],
        "breaks": [
            {name: _short(name, value) for name, value in _break(one).items() if name in SHEET}
            for one in breaks
            if one.is_found
        ],
    }


def _short(name: str, value: Any) -> Any:
    return value[: SHEET_CHARS[name]] if name in SHEET_CHARS else value


def _day(run: Run, day: date, heads: Mapping[int, str]) -> dict[str, Any]:
    known, position = run.book.days.get(day), run.closings[day]
    sealed = None if known is None else known.sealed
    status = "OPEN" if known is None else "PREPARED" if sealed is None else "SEALED"
    begin, end = bounds(day, run.question.zone)[1:]
    return {
        "day": day.isoformat(),
        "begins_at": time_text(begin),
        "ends_at": time_text(end),
        "has_ended": run.question.now >= end,
        "status": status,
        "log_position": position,
        "chain_head": heads.get(position),
        "state_hash": state_hash(day.isoformat(), position, [totals_of(one) for one in run.days if one.day == day]),
        "prepared_by": None if known is None else known.prepared.prepared_by,
        "approver": None if sealed is None else sealed.approver,
    }


def _pool(day: PoolDay) -> dict[str, Any]:
    split = day.split
    return {
        "jackpot": day.pool,
        "currency": day.currency,
        "day": day.day.isoformat(),
        "holds": day.holds,
        "opening_micro": str(day.opening_micro),
        "terms": {f"{term.value.lower()}_micro": str(day.terms.get(term, 0)) for term in Term},
        "explained_micro": str(day.explained_micro),
        "closing_micro": str(day.closing_micro),
        "events": {one: str(day.events[one]) for one in ACCOUNTS},
        "ledger": {one: str(day.ledger[one]) for one in ACCOUNTS},
        "model": None if day.model is None else {one: str(day.model[one]) for one in OWN},
        "wagers": {"CON": str(day.plays_micro)},
        "contributions": {
            "total_micro": str(split.total_micro),
            "paid_micro": str(split.paid_micro),
            "displayed_micro": str(split.displayed_micro),
            "in_reserve_micro": str(split.held_micro),
        },
    }


def _break(one: Standing) -> dict[str, Any]:
    of, resolved = one.of, one.resolved
    return {
        "id": of.id,
        "kind": one.kind,
        "day": one.day.isoformat(),
        "about": of.about,
        "position": of.position if isinstance(of, Break) else of.log_position,
        "event": of.event if isinstance(of, Break) else "",
        "expected": of.expected,
        "found": of.found,
        "reason": of.reason,
        "owner": one.owner,
        "age_days": one.age_days,
        "is_found": one.is_found,
        "status": "OPEN" if resolved is None else resolved.resolution.value,
        "reference": None if resolved is None else resolved.reference,
        "note": None if resolved is None else resolved.note,
        "resolved_by": None if resolved is None else resolved.by,
    }


def _statement(matching: Matching) -> dict[str, Any]:
    return {
        "sha256": matching.sha256,
        "lines": matching.lines,
        "matched": matching.matched,
        "classes": dict(sorted(matching.classes.items())),
        "theirs": _sums(matching.theirs_minor),
        "ours": _sums(matching.ours_minor),
    }


def _sums(sums: Mapping[tuple[str, CashKind], int]) -> list[dict[str, Any]]:
    return [
        {"currency": currency, "kind": kind.value, "amount": minor} for (currency, kind), minor in sorted(sums.items())
    ]


def as_text(run: Run, breaks: Sequence[Standing], matching: Matching | None, exponents: Mapping[str, int]) -> str:
    """For a terminal."""
    question = run.question
    asked = question.first.isoformat()
    if question.last != question.first:
        asked += f" to {question.last.isoformat()}"
    lines = [f"Reconciliation of {question.operator}, {asked} ({question.zone.key}), up to position {run.position}"]
    for day in run.asked_days:
        lines += ["", *_pool_text(day, exponents.get(day.currency, 0) + 6)]
    if not run.asked_days:
        lines += ["", "No activity"]
    if matching is not None:
        found = ", ".join(f"{count} {kind}" for kind, count in sorted(matching.classes.items()))
        lines += ["", f"statement of {matching.lines} lines: {matching.matched} matched{', ' if found else ''}{found}"]
    lines += ["", *(_break_text(one) for one in breaks[:BREAKS_SHOWN])]
    if len(breaks) > BREAKS_SHOWN:
        lines.append(f"... and {len(breaks) - BREAKS_SHOWN} more; --json has them all")
    lines += [f"late: position {one.position} ({one.event}) takes effect on sealed {one.day}" for one in run.book.late]
    still = sum(one.is_open for one in breaks)
    lines.append(f"{still} breaks open" if still else "nothing is open")
    return "\n".join(lines)


def _pool_text(day: PoolDay, decimals: int) -> list[str]:
    def row(title: str, micro: int) -> str:
        return f"  {title:<24}{decimal_text(micro, decimals):>26}"

    terms = [row(TITLES[term], micro) for term, micro in day.terms.items() if micro]
    split = day.split
    ways = [f"  {'':<8}{'events':>24}{'ledger':>24}{'model':>24}"]
    for one in ACCOUNTS:
        model = "-" if day.model is None or one not in day.model else decimal_text(day.model[one], decimals)
        ways.append(
            f"  {one:<8}{decimal_text(day.events[one], decimals):>24}{decimal_text(day.ledger[one], decimals):>24}"
            f"{model:>24}"
        )
    return [
        f"{day.pool} ({day.currency}) on {day.day}: {'holds' if day.holds else 'DOES NOT HOLD'}",
        row("opening", day.opening_micro), *terms, row("closing", day.closing_micro), *ways,
        row("CON by wagers", day.plays_micro),
        row("contributions so far", split.total_micro), row("  paid", split.paid_micro),
        row("  displayed", split.displayed_micro), row("  in reserve", split.held_micro),
    ]  # fmt: skip


def _break_text(one: Standing) -> str:
    of = one.of
    position = of.position if isinstance(of, Break) else of.log_position
    at = "" if position is None else f" at position {position}"
    status = "OPEN" if one.resolved is None else one.resolved.resolution.value
    figures = f": expected {of.expected or '-'}, found {of.found or '-'}" if of.expected or of.found else ""
    whose = f", {one.owner}" if one.owner else ""
    return f"{status:<9} {of.id} {one.kind} {of.about}{at}{figures}; {of.reason} ({one.age_days} days{whose})"
