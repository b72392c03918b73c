"""Is the log the one that was written? Finds the first event that is not, from the stored rows alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from domain.chain import GENESIS, RawEvent, link
from domain.frozen import dataclass

KINDS: Final = frozenset(
    {
        "wallet",
        "player",
        "table",
        "round",
        "seat",
        "jackpot",
        "transaction",
        "gaming",
        "chat",
        "message",
        "approval",
        "reconciliation",
    }
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """What someone outside noted: the log had `position` events, and the last one had this hash."""

    position: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Fault:
    """The first bad position. What was changed lies from `since` to `position`; the two differ only where an anchor
    alone tells, because the chain was made anew over the changed events.
    """

    position: int
    since: int
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Events found good, the hash of the last good one, and the fault that ended it, if any."""

    events: int
    hash: bytes
    fault: Fault | None


def verify_chain(rows: Iterable[RawEvent], anchors: Collection[Anchor] = ()) -> Verdict:
    """Look at all events in order of position, from position 1.

    Each must stand at the next position, in a stream of its own operator and kind, with the next version of its
    stream and the next sequence of its operator, and its hash must follow from the one before (F21). With anchors a
    cut tail and a chain made anew are found too. Reads `rows` once, up to the first fault.
    """
    checker = _Checker(anchors)
    for row in rows:
        if (reason := checker.fault_of(row)) is not None:
            return checker.verdict(reason)
        if not checker.accept(row):
            return checker.verdict(
                "the hash is not the one that an anchor holds: the chain was made anew", by_anchor=True
            )
    if checker.missing_anchor is not None:
        return checker.verdict(f"the log ends here, an anchor holds {checker.missing_anchor} events")
    return checker.verdict(None)


class _Checker:
    """What must come next."""

    def __init__(self, anchors: Collection[Anchor]) -> None:
        self._events = 0
        self._hash = GENESIS
        self._versions: dict[str, int] = {}
        self._sequences: dict[str, int] = {}
        self._anchors: dict[int, set[bytes]] = {}
        for anchor in anchors:
            self._anchors.setdefault(anchor.position, set()).add(anchor.hash)
        self._anchored = 0

    @property
    def missing_anchor(self) -> int | None:
        """The position of the last anchor when the log is shorter than that."""
        last = max(self._anchors, default=0)
        return last if last > self._events else None

    def fault_of(self, row: RawEvent) -> str | None:
        """Why `row` cannot be the next event, None when it is."""
        expected = self._events + 1
        if None in row:
            return f"{RawEvent._fields[row.index(None)]} is empty"
        if row.position != expected:
            return f"the event is missing: {row.position} follows {self._events}"
        operator, kind, _ = (*row.stream.split("/", 2), "", "")[:3]
        if row.stream.count("/") != 2 or kind not in KINDS:
            return f"{row.stream!r} is not the name of a stream"
        if row.operator != operator:
            return f"the event of stream {row.stream} is filed under operator {row.operator!r}"
        if row.name.split(".", 1)[0] != kind:
            return f"{row.name} stands in stream {row.stream}"
        if row.version != (version := self._versions.get(row.stream, 0) + 1):
            return f"version {row.version} of stream {row.stream}, {version} was to come"
        if row.sequence != (sequence := self._sequences.get(operator, 0) + 1):
            return f"sequence {row.sequence} of operator {operator}, {sequence} was to come"
        hashed = link(
            self._hash,
            stream=row.stream,
            version=row.version,
            name=row.name,
            position=row.position,
            sequence=row.sequence,
            state=row.state,
        )
        return None if row.hash == hashed else "the hash does not follow from the event and the one before"

    def accept(self, row: RawEvent) -> bool:
        """Go on behind `row`; False when an anchor at this position holds another hash."""
        if any(known != row.hash for known in self._anchors.get(row.position, ())):
            return False
        self._versions[row.stream] = row.version
        self._sequences[row.operator] = row.sequence
        self._events, self._hash = row.position, row.hash
        if row.position in self._anchors:
            self._anchored = row.position
        return True

    def verdict(self, reason: str | None, *, by_anchor: bool = False) -> Verdict:
        """Good so far, and `reason` why the next one is not."""
        bad = self._events + 1
        since = self._anchored + 1 if by_anchor else bad
        return Verdict(self._events, self._hash, None if reason is None else Fault(bad, since, reason))
