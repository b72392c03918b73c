"""The event log in memory: the same turns, the same answers, and faults on demand."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, insort
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from enum import Enum, auto

from domain.carrying import CARRIED
from services.ports import Key, KeyRecord, Loaded, LogUnavailable, NewerEvent, OutcomeUnknown, Pending, Recorded, Text


class Fault(Enum):
    """What may happen to one turn."""

    NO_LOCK = auto()
    NO_LOAD = auto()
    NO_APPEND = auto()
    LOST_BEFORE_COMMIT = auto()
    LOST_AFTER_COMMIT = auto()
    ODD = auto()


class MemoryLog:
    """Events at positions 1 and on, and the records of keys. One turn at a time, however many houses write."""

    def __init__(self) -> None:
        self.events: list[Recorded] = []
        self.records: dict[Key, KeyRecord] = {}
        self.texts: dict[tuple[str, str], Text] = {}
        self.newer: set[str] = set()
        """Streams that hold an event of a newer version."""
        self.broken: dict[str, str] = {}
        """Streams that cannot be read, with the reason."""
        self.appends = 0
        self.loads = 0
        self._streams: dict[str, list[Recorded]] = {}
        self._names: list[str] = []
        self._faults: list[Fault] = []
        self._lock = asyncio.Lock()

    def fail(self, *faults: Fault) -> None:
        """Each of the next turns that reaches such a point meets the first of `faults` that is left."""
        self._faults += faults

    def forget_faults(self) -> None:
        """None of those that are left will happen."""
        self._faults.clear()

    def meets(self, *points: Fault) -> Fault | None:
        """The fault that is due at one of these points, taken off the list."""
        return self._faults.pop(0) if self._faults and self._faults[0] in points else None

    def copy(self) -> MemoryLog:
        """Another log with the same past."""
        other = MemoryLog()
        other.take(self.events, self.records.values())
        other.texts = dict(self.texts)
        return other

    def take(self, events: Sequence[Recorded], records: Collection[KeyRecord]) -> None:
        """Make it so. A version that does not follow means that the writer's state was wrong."""
        for one in events:
            stream = self._stream(one.stream)
            last = len(stream)
            if one.version != last + 1 or one.position != len(self.events) + 1:
                raise AssertionError(f"{one.stream} stands at {last}, the writer appends {one.version}")
            stream.append(one)
            self.events.append(one)
        for record in records:
            if record.key in self.records:
                raise AssertionError(f"key {record.key} is recorded already")
            self.records[record.key] = record

    async def forget(self, until: datetime) -> int:
        """See services.ports.Texts."""
        old = [key for key, text in self.texts.items() if text.posted_at <= until]
        for key in old:
            del self.texts[key]
        return len(old)

    def _stream(self, name: str) -> list[Recorded]:
        if name not in self._streams:
            self._streams[name] = []
            insort(self._names, name)
        return self._streams[name]

    def of_streams(self, names: Collection[str], prefixes: Collection[str]) -> list[Recorded]:
        """The events of these streams, and of those whose name begins so, in order of position; a stream that holds
        closing entries comes from its newest one on.
        """
        found = set(names) & self._streams.keys()
        for prefix in prefixes:
            for name in self._names[bisect_left(self._names, prefix) :]:
                if not name.startswith(prefix):
                    break
                found.add(name)
        events = [one for name in found for one in _from_newest_closing(self._streams[name])]
        return sorted(events, key=lambda one: one.position)

    @asynccontextmanager
    async def turn(self, keys: Collection[Key], after: int | None) -> AsyncIterator[MemoryTurn]:
        """See services.ports.Log."""
        if self.meets(Fault.NO_LOCK):
            raise LogUnavailable("the lock was not to be had")
        if self.meets(Fault.ODD):
            raise OSError("what nobody foresaw")
        async with self._lock:
            await asyncio.sleep(0)
            yield MemoryTurn(self, keys, after)


class MemoryTurn:
    """See services.ports.Turn."""

    def __init__(self, log: MemoryLog, keys: Collection[Key], after: int | None) -> None:
        self._log = log
        self.head = len(log.events)
        self.news: Sequence[Recorded] | None = None if after is None else log.events[after:]
        self.records: Mapping[Key, KeyRecord] = {key: log.records[key] for key in keys if key in log.records}
        self.last_recorded_at: datetime | None = log.events[-1].recorded_at if log.events else None

    async def load(self, streams: Collection[str], prefixes: Collection[str]) -> Loaded:
        """See services.ports.Turn."""
        if self._log.meets(Fault.NO_LOAD):
            raise LogUnavailable("the log cannot be read")
        if newer := self._log.newer & set(streams):
            raise NewerEvent(f"{newer} hold events of a newer version")
        self._log.loads += 1
        broken = {name: why for name, why in self._log.broken.items() if name in streams}
        return Loaded(self._log.of_streams(streams, prefixes), broken)

    async def append(self, events: Sequence[Pending], records: Sequence[KeyRecord], texts: Sequence[Text] = ()) -> None:
        """See services.ports.Turn."""
        fault = self._log.meets(Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT)
        if fault is Fault.NO_APPEND:
            raise LogUnavailable("the log did not take the events")
        if fault is Fault.LOST_BEFORE_COMMIT:
            raise OutcomeUnknown("the connection was lost, and nothing was committed")
        self._log.take([_recorded(self.head + nth, one) for nth, one in enumerate(events, 1)], records)
        self._log.texts.update({(one.operator, one.message): one for one in texts})
        self._log.appends += 1
        if fault is Fault.LOST_AFTER_COMMIT:
            raise OutcomeUnknown("the connection was lost after the commit")


def _from_newest_closing(stream: Sequence[Recorded]) -> Sequence[Recorded]:
    found = [nth for nth, one in enumerate(stream) if isinstance(one.event, CARRIED)]
    return stream[found[-1] :] if found else stream


def _recorded(position: int, one: Pending) -> Recorded:
    return Recorded(position, one.stream, one.version, one.event, one.entry, one.meta, one.recorded_at)
