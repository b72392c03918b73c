"""Stored rows as events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from adapters.codec import CODEC, NAMES, CodecError
from adapters.codec.whole import WholeReader
from adapters.event_store.statements import CARRIED
from domain.chain import RawEvent
from services.ports import Loaded, Recorded

_BREATH: Final = 500
"""Rows that are decoded before the event loop gets its turn."""


class _Places(dict[str, str]):
    """What the part of a stream's name behind the operator begins with, for the events of a name."""

    def __missing__(self, name: str) -> str:
        return f"{name.partition('.')[0]}/"


_PLACES: Final = _Places({name: f"{name.partition('.')[0]}/" for name in NAMES})


class Row(NamedTuple):
    """A row of the event table, in the order of the writer's columns."""

    position: int
    stream: str
    version: int
    name: str
    state: bytes
    sequence: int
    hash: bytes


def recorded(position: int, stream: str, version: int, name: str, state: bytes) -> Recorded:
    """The event of a row. Raises CodecError or NewerEvent."""
    kind = stream.split("/", 2)[1:2]
    if kind != name.split(".", 1)[:1]:
        raise CodecError(f"{name} does not belong into the stream {stream}")
    event, meta, entry, recorded_at = CODEC.decode(name, state)
    return Recorded(position, stream, version, event, entry, meta, recorded_at)


class RowReader:
    """Reads rows that come in the order of the log, sooner than one by one."""

    def __init__(self) -> None:
        self._decode = WholeReader().decode

    def read(self, row: RawEvent) -> Recorded:
        """As `recorded`."""
        position, stream, version, name, state, _, _, _ = row
        if not stream.partition("/")[2].startswith(_PLACES[name]):
            return recorded(position, stream, version, name, state)
        event, meta, entry, recorded_at = self._decode(name, state)
        return Recorded(position, stream, version, event, entry, meta, recorded_at)


async def decoded(rows: Sequence[Row]) -> list[Recorded]:
    """The events of many rows; the loop breathes between. Raises CodecError that names the position, or NewerEvent."""
    events: list[Recorded] = []
    for count, row in enumerate(rows, 1):
        try:
            events.append(recorded(*row[:5]))
        except CodecError as error:
            raise CodecError(f"position {row.position}: {error}") from error
        if count % _BREATH == 0:
            await asyncio.sleep(0)
    return events


async def loaded(rows: Sequence[Row]) -> Loaded:
    """The streams of rows that are ordered by stream and version, each from its start or a closing entry on. Those
    that cannot be read are named, and give no event. Raises NewerEvent.
    """
    events: list[Recorded] = []
    broken: dict[str, str] = {}
    stream, version, start = "", 0, 0
    for count, row in enumerate(rows, 1):
        if row.stream != stream:
            before = row.version - 1 if row.name in CARRIED else 0
            stream, version, start = row.stream, before, len(events)
        version += 1
        if stream not in broken:
            try:
                if row.version != version:
                    raise CodecError(f"version {version} is missing")
                events.append(recorded(*row[:5]))
            except CodecError as error:
                broken[stream] = f"position {row.position}: {error}"
                del events[start:]
        if count % _BREATH == 0:
            await asyncio.sleep(0)
    return Loaded(events, broken)
