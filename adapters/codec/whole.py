"""Stored bytes as the codec decodes them, sooner: what stands around the events of a command is read once for all.

The encoder's layout is cut at its seams, and each part read as strictly as the codec reads the whole. Parts that are
JSON objects of the right fields make, put together, the JSON object that the codec would have read, so whatever is
wrong in one is wrong in the whole; that, and bytes laid out in any other way, go through the codec, which says why.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Final

from pydantic import AwareDatetime, TypeAdapter

from adapters.codec.events import CODEC, EventCodec
from adapters.codec.names import NAMES
from adapters.codec.parts import EventReaders
from domain.streams import Event
from services.ports import Meta

_META, _ENTRY, _AT, _DATA = b'{"meta":', b'},"entry":', b',"recorded_at":', b',"data":'

Whole = tuple[Event, Meta, int, datetime]
"""An event and what stands around it."""

_ENTRIES: Final = {b"%d" % entry: entry for entry in range(256)}
"""Numbers of entries as they are written; a command has few."""
_EVENTS: Final = EventReaders(NAMES)


@cache
def _around() -> tuple[Callable[..., Meta], Callable[..., datetime]]:
    """How a meta is read, and a time; made when first asked for, since that takes milliseconds."""
    return TypeAdapter(Meta).validator.validate_json, TypeAdapter(AwareDatetime).validator.validate_json


class WholeReader:
    """Decodes events that come in the order of the log."""

    def __init__(self, codec: EventCodec = CODEC) -> None:
        self._codec = codec
        self._meta_of, self._time_of = _around()
        self._head: bytes | None = None
        self._meta: Meta
        self._at: bytes | None = None
        self._time: datetime

    def decode(self, name: str, state: bytes) -> Whole:
        """What EventCodec.decode gives and raises."""
        head, _, rest = state.partition(_ENTRY)
        between, _, data = rest.partition(_DATA)
        entry, _, at = between.partition(_AT)
        try:
            if head != self._head:
                self._take_head(head)
            if at != self._at:
                self._time = self._time_of(at, strict=True)
                self._at = at
            if data[-1:] == b"}":
                event = _EVENTS[name](data[:-1], strict=True, extra="forbid")
                return event, self._meta, _ENTRIES[entry], self._time
        except (ValueError, LookupError):  # pydantic's errors are ValueErrors
            pass
        return self._codec.decode(name, state)

    def _take_head(self, head: bytes) -> None:
        if not head.startswith(_META):
            raise ValueError("another layout")
        self._meta = self._meta_of(head[len(_META) :] + b"}", strict=True, extra="forbid")
        self._head = head
