"""Stored bytes as the read models need them: the event, and of what stands around it the command, the entry, the time.

The encoder's layout is read part by part: what stands around is the same for the events of a command, so it is read
once for all of them. Bytes laid out in any other way, and all that is wrong, go through the codec as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any, Final

import orjson
from pydantic import AwareDatetime, TypeAdapter

from adapters.codec.events import CODEC, EventCodec
from adapters.codec.names import NAMES
from domain.frozen import dataclass
from domain.streams import Event
from services.ports import Meta

_KEPT: Final = 256
"""Parts that are remembered: the events of an append stand together."""

_META, _ENTRY, _DATA = b'{"meta":', b'},"entry":', b',"data":'
_FIELDS: Final = frozenset(Meta.__annotations__)
_NEEDED: Final = frozenset(one.name for one in fields(Meta) if one.default is MISSING)

Part = tuple[Event, str, int, datetime]
"""An event, the id of the command that caused it, its entry, and when it was recorded."""


@dataclass(frozen=True, slots=True)
class _Between:
    """What stands between the meta and the event."""

    entry: int
    recorded_at: AwareDatetime


class PartsReader:
    """Reads parts. A quote within a text is escaped, so the names of the fields stand at the seams and never before."""

    def __init__(self, codec: EventCodec = CODEC, classes: Mapping[str, type[Any]] = NAMES) -> None:
        self._codec = codec
        self._events = EventReaders(classes)
        self._between_of: Callable[..., _Between] = TypeAdapter(_Between).validator.validate_json
        self._commands: dict[bytes, str] = {}
        self._betweens: dict[bytes, tuple[int, datetime]] = {}

    def read(self, name: str, state: bytes) -> Part:
        """The parts of a stored event. Raises what EventCodec.decode raises; a meta with the right fields is not
        looked at any further.
        """
        head, _, rest = state.partition(_ENTRY)
        between, _, data = rest.partition(_DATA)
        try:
            command = self._commands.get(head) or self._command(head)
            entry, recorded_at = self._betweens.get(between) or self._place(between)
            if data[-1:] == b"}":
                return self._events[name](data[:-1], strict=True, extra="forbid"), command, entry, recorded_at
        except (ValueError, LookupError):  # pydantic's and orjson's errors are ValueErrors
            pass
        event, meta, entry, recorded_at = self._codec.decode(name, state)
        return event, meta.causation, entry, recorded_at

    def _command(self, head: bytes) -> str:
        meta = orjson.loads(head[len(_META) :] + b"}") if head.startswith(_META) else None
        if (
            not isinstance(meta, dict)
            or not _NEEDED <= meta.keys() <= _FIELDS
            or not isinstance(meta["causation"], str)
        ):
            raise ValueError("another layout")
        if len(self._commands) >= _KEPT:
            self._commands.clear()
        found: str = meta["causation"]
        self._commands[head] = found
        return found

    def _place(self, between: bytes) -> tuple[int, datetime]:
        one = self._between_of(b'{"entry":%b}' % between, strict=True, extra="forbid")
        if len(self._betweens) >= _KEPT:
            self._betweens.clear()
        found = self._betweens[between] = one.entry, one.recorded_at
        return found


class EventReaders(dict[str, Callable[..., Any]]):
    """How the event of a name is read; made when first asked for, since each takes milliseconds."""

    def __init__(self, classes: Mapping[str, type[Any]]) -> None:
        super().__init__()
        self._classes = classes

    def __missing__(self, name: str) -> Callable[..., Any]:
        made = self[name] = TypeAdapter(self._classes[name]).validator.validate_json
        return made
