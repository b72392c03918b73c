"""One pass over the log for `studbook verify`: chain and versions, then the laws of the ledger on the same events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import field
from typing import Final

from domain.chain import RawEvent
from domain.frozen import dataclass
from services.chain import Anchor, verify_chain
from services.laws import Breach, Laws
from services.ports import Recorded

STEP: Final = 1_000


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold: what was checked, where, and why."""

    check: str
    position: int
    reason: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What one pass found."""

    events: int
    entries: int
    head_hash: str
    findings: tuple[Finding, ...]

    def holds(self, check: str) -> bool:
        """Whether nothing was found against `check` (`chain`, `events` or `ledger`)."""
        return all(one.check != check for one in self.findings)


@dataclass(slots=True)
class _Pass:
    decode: Callable[[RawEvent], Recorded]
    progress: Callable[[int], None]
    laws: Laws = field(default_factory=Laws)
    unread: Finding | None = None

    def rows(self, rows: Iterable[RawEvent]) -> Iterator[RawEvent]:
        """The rows as they come, each also decoded and taken into the books."""
        for row in rows:
            yield row
            if self.unread is None:
                self._take(row)
            if row.position % STEP == 0:
                self.progress(row.position)

    def _take(self, row: RawEvent) -> None:
        try:
            self.laws.take(self.decode(row))
        except Exception as fault:
            # whatever an event does to a check is a finding about that event, and the chain is still followed
            self.unread = Finding(
                "events", row.position, f"{row.name} of {row.stream}: {type(fault).__name__}: {fault}"
            )


def audit(
    rows: Iterable[RawEvent],
    decode: Callable[[RawEvent], Recorded],
    anchors: Collection[Anchor] = (),
    progress: Callable[[int], None] = lambda _: None,
) -> Audit:
    """Check all events in order of position. `progress` is told the position now and then."""
    run = _Pass(decode, progress)
    verdict = verify_chain(run.rows(rows), anchors)
    findings = []
    if verdict.fault is not None:
        findings.append(Finding("chain", verdict.fault.position, verdict.fault.reason))
    if run.unread is not None:
        findings.append(run.unread)
    findings += [_ledger(one) for one in run.laws.finish()]
    return Audit(verdict.events, run.laws.entries, verdict.hash.hex(), tuple(findings))


def _ledger(breach: Breach) -> Finding:
    return Finding("ledger", breach.position, breach.law)
