"""The operator's statement against the log: each line and each movement is matched, or is a break of one class."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import datetime

from domain.frozen import dataclass
from services.calendar import gaming_day
from services.reconcile.asked import Question
from services.reconcile.breaks import Break, BreakClass, broken
from services.reconcile.cashier import Cashier, CashKind, Ours
from services.reconcile.days import bounds
from services.reconcile.statement import Statement, StatementLine
from services.reports.printing import decimal_text


@dataclass(frozen=True, slots=True)
class Matching:
    """How many lines there were, what matched, and the control totals in minor units by currency and kind."""

    sha256: str
    lines: int
    matched: int
    classes: Mapping[str, int]
    theirs_minor: Mapping[tuple[str, CashKind], int]
    ours_minor: Mapping[tuple[str, CashKind], int]
    breaks: tuple[Break, ...]


@dataclass(slots=True)
class _Match:
    question: Question
    exponents: Mapping[str, int]
    cashier: Cashier
    statement: Statement
    seen: dict[tuple[str, CashKind], int] = field(default_factory=dict)
    """The first line of each movement."""
    matched: int = 0
    begin: datetime = field(init=False)
    end: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.begin = bounds(self.question.first, self.question.zone).begin
        self.end = bounds(self.question.last, self.question.zone).end

    def run(self) -> Iterator[Break]:
        """All breaks: bad lines, lines in their order, then what the statement lacks, in the order of the log."""
        for bad in self.statement.bad:
            yield self._break(BreakClass.BAD_LINE, f"line {bad.number}", self.begin, bad.reason, at=str(bad.number))
        rollbacks = {one.transaction_id for one in self.statement.lines if one.kind is CashKind.ROLLBACK}
        for line in self.statement.lines:
            made = self._of_line(line, rollbacks)
            if made is None:
                self.matched += 1
            else:
                yield made
        for key, moves in self.cashier.moves.items():
            for nth, ours in enumerate(moves):
                if nth and key in self.seen:
                    reason = f"position {moves[0].position} has moved it already"
                    yield self._here(BreakClass.DUPLICATE, ours, reason)
                elif key not in self.seen and self.begin <= ours.at < self.end:
                    yield self._here(BreakClass.MISSING_THERE, ours, "the statement has no such line")

    def _of_line(self, line: StatementLine, rollbacks: set[str]) -> Break | None:
        key = (line.transaction_id, line.kind)
        if (first := self.seen.setdefault(key, line.number)) != line.number:
            return self._there(BreakClass.DUPLICATE, line, None, f"line {first} has it already")
        known = self.cashier.moves.get(key)
        if not known:
            return self._unknown(line, rollbacks)
        ours = known[0]
        if line.currency != ours.currency:
            return self._there(BreakClass.WRONG_CURRENCY, line, ours, f"here it is in {ours.currency}")
        if line.amount_minor != ours.amount_minor:
            return self._there(BreakClass.DIFFERENT_AMOUNT, line, ours, "the amounts differ")
        if line.player not in (None, ours.player):
            return self._there(BreakClass.DIFFERENT_PLAYER, line, ours, f"here it is of {ours.player}")
        return self._of_another_day(line, ours)

    def _unknown(self, line: StatementLine, rollbacks: set[str]) -> Break | None:
        position = self.cashier.tombstones.get(line.transaction_id)
        if position is not None:
            if line.transaction_id in rollbacks:
                return None  # it came and was rolled back there; here the rollback came first, and nothing moved
            reason = f"here it was rolled back before it came, at position {position}: nothing moved"
            return self._there(BreakClass.MISSING_HERE, line, None, reason)
        others = [kind.value for kind in CashKind if (line.transaction_id, kind) in self.cashier.moves]
        reason = f"here this id is a {' and a '.join(others)}" if others else "nothing here has this id"
        return self._there(BreakClass.MISSING_HERE, line, None, reason)

    def _of_another_day(self, line: StatementLine, ours: Ours) -> Break | None:
        zone = self.question.zone
        day = gaming_day(ours.at, zone)
        if not self.begin <= ours.at < self.end:
            return self._there(BreakClass.WRONG_PERIOD, line, ours, f"here it is of {day}")
        if line.at is not None and gaming_day(line.at, zone) != day:
            reason = f"here it is of {day}, there of {gaming_day(line.at, zone)}"
            return self._there(BreakClass.WRONG_PERIOD, line, ours, reason)
        return None

    def _there(self, kind: BreakClass, line: StatementLine, ours: Ours | None, reason: str) -> Break:
        since = line.at or (self.begin if ours is None else ours.at)
        return self._break(
            kind,
            f"{line.transaction_id} {line.kind.value}",
            since,
            f"line {line.number}: {reason}",
            ours=ours,
            found=self._text(line.amount_minor, line.currency),
            at=str(line.number) if kind is BreakClass.DUPLICATE else "",
        )

    def _here(self, kind: BreakClass, ours: Ours, reason: str) -> Break:
        return self._break(kind, f"{ours.transaction_id} {ours.kind.value}", ours.at, reason, ours=ours)

    def _break(
        self,
        kind: BreakClass,
        about: str,
        since: datetime,
        reason: str,
        *,
        ours: Ours | None = None,
        found: str = "",
        at: str = "",
    ) -> Break:
        return broken(
            kind,
            self.question.last,
            about,
            since,
            reason,
            position=None if ours is None else ours.position,
            event="" if ours is None else ours.event,
            expected="" if ours is None else self._text(ours.amount_minor, ours.currency),
            found=found,
            at=at,
        )

    def _text(self, minor: int, currency: str) -> str:
        return f"{decimal_text(minor, self.exponents.get(currency, 0))} {currency}"


def match_statement(
    question: Question, cashier: Cashier, statement: Statement, exponents: Mapping[str, int]
) -> Matching:
    """Match by transaction id and kind; then currency, amount, player, and the gaming day."""
    match = _Match(question, exponents, cashier, statement)
    breaks = tuple(match.run())
    theirs: defaultdict[tuple[str, CashKind], int] = defaultdict(int)
    for line in statement.lines:
        theirs[line.currency, line.kind] += line.amount_minor
    ours: defaultdict[tuple[str, CashKind], int] = defaultdict(int)
    for (_, kind), moves in cashier.moves.items():
        for one in moves:
            if match.begin <= one.at < match.end:
                ours[one.currency, kind] += one.amount_minor
    classes = Counter(one.kind.value for one in breaks)
    lines = len(statement.lines) + len(statement.bad)
    return Matching(statement.sha256, lines, match.matched, classes, theirs, ours, breaks)
