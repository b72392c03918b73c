"""One pass over the log for `studbook verify`: chain and versions, then the laws of the ledger on the same events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field
from datetime import datetime, timedelta
from typing import Final

from domain.chain import RawEvent
from domain.frozen import dataclass
from services.chain import Anchor, verify_chain
from services.laws import Breach, Laws
from services.ports import Recorded
from services.records import RecordBook

STEP: Final = 1_000
UNANCHORED_EVENTS: Final = 64
UNANCHORED_TIME: Final = timedelta(seconds=60)
"""What may lie behind the last anchor: so many events, or so much time."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold: what was checked, the first bad position, and why.

    `since`: the first position that may be bad, where only an anchor at `position` tells that something before is.
    """

    check: str
    position: int
    reason: str
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Tail:
    """Up to which position anchors vouch, and where the log ended when they were read."""

    anchored: int
    head: int


@dataclass(frozen=True, slots=True)
class Audit:
    """What one pass found."""

    events: int
    entries: int
    head_hash: str
    findings: tuple[Finding, ...]
    records: RecordBook
    """What answers there must be, to be held against those that are kept."""

    def holds(self, check: str) -> bool:
        """Whether nothing was found against `check` (`chain`, `anchors`, `events` or `ledger`)."""
        return all(one.check != check for one in self.findings)


@dataclass(slots=True)
class _Pass:
    decode: Callable[[RawEvent], Recorded]
    progress: Callable[[int], None]
    tail: Tail | None = None
    laws: Laws = field(default_factory=Laws)
    records: RecordBook = field(default_factory=RecordBook)
    unread: Finding | None = None
    times: dict[int, datetime] = field(default_factory=dict)
    whole: bool = False

    def rows(self, rows: Iterable[RawEvent]) -> Iterator[RawEvent]:
        """The rows as they come, each also decoded and taken into the books."""
        for row in rows:
            yield row
            if self.unread is None:
                self._take(row)
            if row.position % STEP == 0:
                self.progress(row.position)
        self.whole = True

    def breaches(self) -> list[Breach]:
        """Of the laws. What holds at the end of an entry and of the log is asked only where it was read."""
        return self.laws.finish() if self.whole else self.laws.breaches

    def _take(self, row: RawEvent) -> None:
        try:
            one = self.decode(row)
            if self.tail is not None and row.position in (self.tail.anchored + 1, self.tail.head):
                self.times[row.position] = one.recorded_at
            self.records.take(one)
            self.laws.take(one)
        except Exception as fault:
            # whatever an event does to a check is a finding about that event, and the chain is still followed
            self.unread = Finding(
                "events", row.position, f"{row.name} of {row.stream}: {type(fault).__name__}: {fault}"
            )

    def bare_tail(self) -> Finding | None:
        """What lies behind the last anchor, when that is more than can be on its way."""
        if self.tail is None or self.tail.head - self.tail.anchored <= UNANCHORED_EVENTS or len(self.times) < 2:
            return None
        first = self.tail.anchored + 1
        if self.times[self.tail.head] - self.times[first] <= UNANCHORED_TIME:
            return None
        reason = f"{self.tail.head - first + 1} events, and more than {UNANCHORED_TIME.seconds} s, without an anchor"
        return Finding("anchors", first, f"{reason}: anchors were lost, or nobody wrote them")


def audit(
    rows: Iterable[RawEvent],
    decode: Callable[[RawEvent], Recorded],
    anchors: Collection[Anchor] = (),
    progress: Callable[[int], None] = lambda _: None,
    tail: Tail | None = None,
) -> Audit:
    """Check all events in order of position. `progress` is told the position now and then. With `tail`, events that
    should have been anchored long ago are told too.
    """
    run = _Pass(decode, progress, tail)
    verdict = verify_chain(run.rows(rows), anchors)
    findings = []
    if verdict.fault is not None:
        fault = verdict.fault
        since = fault.since if fault.since != fault.position else None
        findings.append(Finding("chain", fault.position, fault.reason, since))
    if (bare := run.bare_tail()) is not None:
        findings.append(bare)
    if run.unread is not None:
        findings.append(run.unread)
    findings += [_ledger(one) for one in run.breaches()]
    return Audit(verdict.events, run.laws.entries, verdict.hash.hex(), tuple(findings), run.records)


def _ledger(breach: Breach) -> Finding:
    return Finding("ledger", breach.position, breach.law)
