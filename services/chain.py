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


def _misnamed(row: RawEvent) -> str | None:
    """Why an event of this name and operator cannot stand in its stream, None when it can."""
    operator, kind, _ = (*row.stream.split("/", 2), "", "")[:3]
    if row.stream.count("/") != 2 or kind not in KINDS:
        return f"{row.stream!r} is not the name of a stream"
    if row.operator != operator:
        return f"the event of stream {row.stream} is filed under operator {row.operator!r}"
    if row.name.split(".", 1)[0] != kind:
        return f"{row.name} stands in stream {row.stream}"
    return None


class _Prefixes(dict[tuple[str, str], str]):
    """By operator and name of an event: what the streams begin with that it can stand in."""

    def __missing__(self, key: tuple[str, str]) -> str:
        operator, name = key
        made = self[key] = f"{operator}/{name.split('.', 1)[0]}/"
        return made


class _Checker:
    """What must come next."""

    def __init__(self, anchors: Collection[Anchor]) -> None:
        self._events = 0
        self._hash = GENESIS
        self._versions: dict[str, int] = {}
        self._sequences: dict[str, int] = {}
        self._prefixes = _Prefixes()
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
        position, stream, version, name, state, operator, sequence, found = row
        expected = self._events + 1
        if None in row:
            return f"{RawEvent._fields[row.index(None)]} is empty"
        if position != expected:
            return f"the event is missing: {position} follows {self._events}"
        known = self._versions.get(stream, 0)
        is_known = known and stream.startswith(self._prefixes[operator, name])
        if not is_known and (reason := _misnamed(row)) is not None:
            return reason
        if version != known + 1:
            return f"version {version} of stream {stream}, {known + 1} was to come"
        if sequence != (next_one := self._sequences.get(operator, 0) + 1):
            return f"sequence {sequence} of operator {operator}, {next_one} was to come"
        hashed = link(
            self._hash,
            stream=stream,
            version=version,
            name=name,
            position=position,
            sequence=sequence,
            state=state,
        )
        return None if found == hashed else "the hash does not follow from the event and the one before"

    def accept(self, row: RawEvent) -> bool:
        """Go on behind `row`; False when an anchor at this position holds another hash."""
        position = row.position
        if (anchors := self._anchors.get(position)) is not None:
            if any(known != row.hash for known in anchors):
                return False
            self._anchored = position
        self._versions[row.stream] = row.version
        self._sequences[row.operator] = row.sequence
        self._events, self._hash = position, row.hash
        return True

    def verdict(self, reason: str | None, *, by_anchor: bool = False) -> Verdict:
        """Good so far, and `reason` why the next one is not."""
        bad = self._events + 1
        since = self._anchored + 1 if by_anchor else bad
        return Verdict(self._events, self._hash, None if reason is None else Fault(bad, since, reason))
