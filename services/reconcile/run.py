"""One pass over an operator's log: every pool and gaming day three ways, and what does not agree (R16 to R18)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date
from typing import Final, get_args

from domain.changing import replace
from domain.flows import postings
from domain.frozen import dataclass
from domain.ids import stream_kind
from domain.jackpots.events import PoolOpened
from domain.jackpots.identity import Mover, Term
from domain.jackpots.upkeep import AwardVerified
from services.calendar import gaming_day
from services.ports import Told
from services.reconcile.asked import Question, StoredModel, Unread
from services.reconcile.book import Book
from services.reconcile.breaks import Break, BreakClass, broken
from services.reconcile.cashier import Cashier
from services.reconcile.days import Bounds, PoolDay, bounds
from services.reconcile.pools import ACCOUNTS, OWN, Amounts, Difference, PoolFold, account_of
from services.reconcile.stakes import Stakes, Unlike
from services.reconcile.totals import sealed_breaks

MOVERS: Final = (*get_args(Mover), AwardVerified)


@dataclass(frozen=True, slots=True)
class Run:
    """What a run found. `position` is the last event that it read, `closings` the last event of each day."""

    question: Question
    position: int
    days: tuple[PoolDay, ...]
    breaks: tuple[Break, ...]
    cashier: Cashier
    book: Book
    closings: Mapping[date, int]

    @property
    def asked_days(self) -> tuple[PoolDay, ...]:
        """The pools' days that were asked about."""
        question = self.question
        return tuple(one for one in self.days if question.has(one.day) and question.pool in (None, one.pool))

    @property
    def asked_breaks(self) -> tuple[Break, ...]:
        """The breaks of those days."""
        question = self.question
        mine = [one for one in self.breaks if question.has(one.day)]
        return tuple(one for one in mine if question.pool in (None, one.about.split(" ", 1)[0]))


def reconcile(
    question: Question,
    log: Iterable[Told | Unread],
    model: StoredModel | None,
    progress: Callable[[int], None] = lambda _: None,
) -> Run:
    """Read the operator's events in order. `model` None: the read model is not looked at."""
    run, book, cashier = _Pass(question, model), Book(question.zone), Cashier()
    for number, told in enumerate(log):
        if isinstance(told, Unread):
            run.pass_over(told)
            continue
        run.take(told)
        book.take(told)
        cashier.take(told)
        if number % 1_000 == 0:
            progress(told.one.position)
    run.finish()
    breaks = (*run.breaks, *sealed_breaks(book, run.days, run.closings))
    return Run(question, run.position, tuple(run.days), breaks, cashier, book, run.closings)


@dataclass(slots=True)
class _Pass:
    """The state of one pass over the log."""

    question: Question
    model: StoredModel | None
    pools: dict[str, PoolFold] = field(default_factory=dict)
    stakes: Stakes = field(default_factory=Stakes)
    ledger: defaultdict[str, Amounts] = field(default_factory=lambda: defaultdict(lambda: dict.fromkeys(ACCOUNTS, 0)))
    at_model: dict[str, tuple[Amounts, int]] | None = None
    """The ledger's sums of each pool and the position of its last event, where the read model has come to."""
    days: list[PoolDay] = field(default_factory=list)
    breaks: list[Break] = field(default_factory=list)
    closings: dict[date, int] = field(default_factory=dict)
    position: int = 0
    _today: Bounds | None = None
    _before: dict[str, tuple[int, Mapping[Term, int]]] = field(default_factory=dict)
    """What each pool held when the day began, and its terms until then."""
    _named: set[int] = field(default_factory=set)

    def pass_over(self, unread: Unread) -> None:
        """An event that nobody can read."""
        since = bounds(self.question.first, self.question.zone).begin if self._today is None else self._today.begin
        day = self.question.first if self._today is None else self._today.day
        about = unread.stream.split("/", 2)[-1]
        if stream_kind(unread.stream) == "jackpot" and about in self.pools:
            self.pools[about].lose()
        self._named.add(unread.position)
        kind, at = BreakClass.EVENT_UNREADABLE, unread.position
        self.breaks.append(broken(kind, day, about, since, unread.reason, position=at, event=unread.name))

    def take(self, told: Told) -> None:
        """The operator's next event."""
        one = told.one
        if self._today is None:
            self._today = bounds(gaming_day(one.recorded_at, self.question.zone), self.question.zone)
        if one.recorded_at >= self._today.end:
            self._unlike(self.stakes.settle())
            while one.recorded_at >= self._today.end:
                self._today = self._close(self._today)
        if self.at_model is None and self.model is not None and one.position > self.model.position:
            self._reach_model()
        self._unlike(self.stakes.take(told, self.pools))
        if stream_kind(one.stream) == "jackpot":
            self._of_pool(told)
        for line in postings(one.event):
            if (at := account_of(line)) is not None:
                self.ledger[at[0]][at[1]] += line.amount_micro
        self.position = one.position

    def finish(self) -> None:
        """After the last event: the days up to the last one asked about, and what only whole days can tell."""
        self._unlike(self.stakes.settle())
        if self.at_model is None:
            self._reach_model()
        while self._today is not None and (self._today.day <= self.question.last or not self.closings):
            self._today = self._close(self._today)
        if self.model is not None:
            self.breaks += self._model_breaks(self.model)
            self.days = [self._with_model(one, self.model) for one in self.days]
        self.breaks += self._totals()

    def _of_pool(self, told: Told) -> None:
        one, pool = told.one, told.one.stream.split("/", 2)[2]
        event = one.event
        if isinstance(event, PoolOpened):
            self.pools[pool] = PoolFold(event.terms)
        if pool not in self.pools:
            missing = Difference(BreakClass.EVENT_MISSING, "version", 1, one.version, "no event opens the pool")
            self._add(told, pool, missing)
            return
        fold = self.pools[pool]
        for found in fold.skip(one):
            self._add(told, pool, found)
        if isinstance(event, MOVERS):
            for found in fold.take(event, postings(event)):
                self._add(told, pool, found)

    def _unlike(self, found: Sequence[Unlike]) -> None:
        for one in found:
            if one.told.one.position not in self._named:  # such an event is named already, by what it says itself
                reason = f"round {one.round}: its standing progressive wagers at the rates in force at the close"
                made = Difference(BreakClass.CONTRIBUTION, "CON", one.expected_micro, one.found_micro, reason)
                self._add(one.told, one.pool, made)

    def _add(self, told: Told, pool: str, found: Difference) -> None:
        one = told.one
        self._named.add(one.position)
        self.breaks.append(
            broken(
                found.kind,
                gaming_day(one.recorded_at, self.question.zone),
                f"{pool} {found.account}",
                one.recorded_at,
                found.reason,
                position=one.position,
                event=told.name,
                expected=found.expected,
                found=found.found,
            )
        )

    def _close(self, today: Bounds) -> Bounds:
        """The day is over."""
        self.closings[today.day] = self.position
        for name, pool in self.pools.items():
            opening, before = self._before.get(name, (0, {}))
            made = PoolDay(
                pool=name,
                currency=pool.currency,
                day=today.day,
                opening_micro=opening,
                terms={term: pool.terms.get(term, 0) - before.get(term, 0) for term in Term},
                events=pool.by_events,
                ledger=dict(self.ledger[name]),
                model=None,
                plays_micro=-self.stakes.due[name],
                all_time=dict(pool.terms),
            )
            self.days.append(made)
            self._before[name] = pool.holds_micro, dict(pool.terms)
        return bounds(today.next, self.question.zone)

    def _reach_model(self) -> None:
        """The read model has come so far."""
        self.at_model = {name: (dict(self.ledger[name]), pool.position) for name, pool in self.pools.items()}

    def _model_breaks(self, model: StoredModel) -> Iterator[Break]:
        """Each account of each stored pool against the ledger at the model's position."""
        known = self.at_model or {}
        for name in sorted(known.keys() | model.pools.keys()):
            yield from self._of_row(name, model, known.get(name))

    def _of_row(self, name: str, model: StoredModel, known: tuple[Amounts, int] | None) -> Iterator[Break]:
        stored = model.pools.get(name)
        since, day = bounds(self.question.last, self.question.zone).begin, self.question.last
        if known is None or stored is None:
            what = "no event has opened the pool" if known is None else f"the row is missing at {model.position}"
            position = None if known is None else known[1]
            yield broken(BreakClass.MODEL, day, f"{name} row", since, what, position=position, event="jackpots")
            return
        ledger, last = known
        for account in OWN:
            if stored.amounts[account] != ledger[account]:
                lag = "" if stored.position == last else f"; it knows events up to {stored.position}"
                yield broken(
                    BreakClass.MODEL, day, f"{name} {account}", since,
                    f"the stored row at position {model.position}{lag}", position=last, event="jackpots",
                    expected=ledger[account], found=stored.amounts[account],
                )  # fmt: skip

    def _with_model(self, day: PoolDay, model: StoredModel) -> PoolDay:
        """The stored figures, less what was posted after the day; none where the model has not come to its end."""
        known, stored = (self.at_model or {}).get(day.pool), model.pools.get(day.pool)
        if known is None or stored is None or model.position < self.closings[day.day]:
            return day
        found = stored.amounts
        return replace(day, model={one: found[one] - known[0][one] + day.ledger[one] for one in OWN})

    def _totals(self) -> Iterator[Break]:
        """Days that do not hold although no event of their pool is to blame: the first of each pool."""
        blamed = {one.about.split(" ", 1)[0] for one in self.breaks}
        for day in self.days:
            if day.holds or day.pool in blamed:
                continue
            blamed.add(day.pool)
            at, expected, found = _unequal(day)
            since = bounds(day.day, self.question.zone).end
            reason = "the day's figures differ, and no event alone says why"
            yield broken(
                BreakClass.TOTAL, day.day, f"{day.pool} {at}", since, reason,
                position=self.closings[day.day], expected=expected, found=found,
            )  # fmt: skip


def _unequal(day: PoolDay) -> tuple[str, int, int]:
    """The first account of a day on which two ways differ."""
    for account in ACCOUNTS:
        if day.events[account] != day.ledger[account]:
            return account, day.events[account], day.ledger[account]
    if day.explained_micro != day.closing_micro:
        return "m+res+ovf", day.explained_micro, day.closing_micro
    return "CON", day.plays_micro, day.ledger["CON"]
