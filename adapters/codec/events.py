"""Events as JSON bytes and back.

    {"meta":{...},"entry":0,"recorded_at":"2026-11-29T19:33:31.066256Z","data":{...}}

`meta` is services.ports.Meta, `data` the event's own fields, both in the order of the class; compact UTF-8, times
with offset, `recorded_at` always UTC with six decimals. The same event always gives the same bytes.
Reading is strict: a missing, surplus or ill-typed field is a CodecError, so nothing is lost in silence; tuples,
enums, whole numbers of any size and aware times come back exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from pydantic import AwareDatetime, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from adapters.codec.errors import CodecError
from adapters.codec.names import NAMES
from adapters.codec.upcasters import UPCASTERS, Json, Upcaster
from domain.frozen import dataclass
from domain.streams import Event
from services.ports import Meta, NewerEvent

_NAME: Final = re.compile(r"([a-z][a-z0-9]*\.[a-z][a-z0-9_]*)\.v([1-9][0-9]{0,8})", re.ASCII)
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Stored(Generic[_T]):
    """The JSON object of one event."""

    meta: Meta
    entry: int
    recorded_at: AwareDatetime
    data: _T


class Decoded(NamedTuple):
    """What stands in an event's stored bytes."""

    event: Event
    meta: Meta
    entry: int
    recorded_at: datetime


class EventCodec:
    """Encodes by the newest names, decodes by all. One instance per table of names; stateless but for a small cache."""

    def __init__(self, names: Mapping[str, type[Any]] = NAMES, upcasters: Mapping[str, Upcaster] = UPCASTERS) -> None:
        self._names = {cls: name for name, cls in names.items()}
        self._upcasters = upcasters
        self._classes = names
        self._writers = _Writers(self._names)
        self._readers = _Readers(names)
        self._newest = _newest_versions([*names, *upcasters])
        self._write_meta = TypeAdapter(Meta).serializer.to_json
        self._head: tuple[Meta | None, int, datetime | None, bytes] = (None, 0, None, b"")
        self._meta: tuple[Meta | None, bytes] = (None, b"")
        self._time: tuple[datetime | None, bytes] = (None, b"")

    def name(self, event: Event) -> str:
        """The name under which `event` is stored."""
        return _name_of(self._names, type(event))

    def encode(self, event: Event, meta: Meta, entry: int, recorded_at: datetime) -> tuple[str, bytes]:
        """Name and stored bytes. Raises CodecError where a field holds what its type does not allow."""
        name, write, optional = self._writers[type(event)]
        try:
            data = write(event, warnings="error")
            known, same, at, head = self._head
            if meta is not known or entry != same or recorded_at is not at:
                head = self._written_head(meta, entry, recorded_at)
        except PydanticSerializationError as error:
            raise CodecError(f"{name}: {_one_line(error)}") from error
        state = b"%b%b}" % (head, data)
        nones = sum([getattr(event, field) is None for field in optional]) if optional else 0
        if data.count(b"null") != nones:
            self.decode(name, state)  # pydantic writes None where a text or number belongs, without a warning
        return name, state

    def decode(self, name: str, state: bytes) -> Decoded:
        """The event in its newest form, and what stands around it.

        Raises NewerEvent for a version above those known here, CodecError for an unknown name or broken bytes.
        """
        if name not in self._classes:
            name, state = self._upcast(name, state)
        reader = self._readers[name]
        try:
            stored = reader(state, strict=True, extra="forbid")
        except ValidationError as error:
            raise CodecError(f"{name}: {_first_fault(error)}") from None
        return Decoded(stored.data, stored.meta, stored.entry, stored.recorded_at)

    def _upcast(self, name: str, state: bytes) -> tuple[str, bytes]:
        """Bytes of an old version in the newest one's form."""
        if name not in self._upcasters:
            raise self._unknown(name)
        stored = _json_object(name, state)
        data = stored.get("data")
        if not isinstance(data, dict):
            raise CodecError(f"{name}: data: a JSON object is needed")
        current, steps = name, 0
        while current not in self._classes:
            upcaster = self._upcasters.get(current)
            if upcaster is None or steps > len(self._upcasters):
                raise CodecError(f"{name}: its upcasters lead to {current}, and from there to no known event")
            try:
                current, data = upcaster(data)
            except (KeyError, TypeError, ValueError) as error:
                raise CodecError(f"{name}: the stored data cannot be upcast: {error!r}") from error
            steps += 1
        return current, json.dumps({**stored, "data": data}, ensure_ascii=False).encode()

    def _unknown(self, name: str) -> Exception:
        parts = _NAME.fullmatch(name)
        if parts is not None and int(parts[2]) > self._newest.get(parts[1], int(parts[2])):
            return NewerEvent(f"the log holds {name}, this version knows {parts[1]} up to v{self._newest[parts[1]]}")
        return CodecError(f"{name[:100]!r} is not the name of an event")

    def _written_head(self, meta: Meta, entry: int, recorded_at: datetime) -> bytes:
        """What stands before an event's own fields; written once for the events of an entry, which come together."""
        head = b'{"meta":%b,"entry":%d,"recorded_at":"%b","data":' % (
            self._meta_json(meta), entry, self._time_text(recorded_at),
        )  # fmt: skip
        self._head = (meta, entry, recorded_at, head)
        return head

    def _meta_json(self, meta: Meta) -> bytes:
        """Encoded once for all events of a command, which share the object."""
        known, text = self._meta
        if meta is not known:
            if meta.effective_at.tzinfo is None:
                raise CodecError("meta.effective_at: a time with offset is needed")
            text = self._write_meta(meta, warnings="error")
            self._meta = (meta, text)
        return text

    def _time_text(self, at: datetime) -> bytes:
        known, text = self._time
        if at is not known:
            if at.tzinfo is None:
                raise CodecError("recorded_at: a time with offset is needed")
            text = at.astimezone(UTC).isoformat(timespec="microseconds")[:-6].encode() + b"Z"
            self._time = (at, text)
        return text


class _Writer(NamedTuple):
    """An event's name, how its fields are written, and which of them may be None."""

    name: str
    write: Callable[..., bytes]
    optional: tuple[str, ...]


class _Writers(dict[type[Any], _Writer]):
    """How an event of a class is written; made when first asked for, since that takes milliseconds for each class and a
    process that starts in a crisis has better things to do.
    """

    def __init__(self, names: Mapping[type[Any], str]) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, cls: type[Any]) -> _Writer:
        made = self[cls] = _Writer(
            _name_of(self._names, cls), TypeAdapter(cls).serializer.to_json, _optional_fields(cls)
        )
        return made


class _Readers(dict[str, Callable[..., _Stored[Any]]]):
    """How an event of a name is read; made when first asked for, as above."""

    def __init__(self, names: Mapping[str, type[Any]]) -> None:
        super().__init__()
        self._classes = names

    def __missing__(self, name: str) -> Callable[..., _Stored[Any]]:
        cls = self._classes[name]
        made = self[name] = TypeAdapter(_Stored[cls]).validator.validate_json  # type: ignore[valid-type]  # a class known at run time only
        return made


def _name_of(names: Mapping[type[Any], str], cls: type[Any]) -> str:
    try:
        return names[cls]
    except KeyError:
        raise CodecError(f"{cls.__name__} is no event that has a name") from None


def _optional_fields(cls: type[Any]) -> tuple[str, ...]:
    """The fields of an event that may be None."""
    return tuple(name for name, hint in get_type_hints(cls).items() if type(None) in get_args(hint))


def _newest_versions(names: list[str]) -> dict[str, int]:
    """Name without version to the highest version known."""
    newest: dict[str, int] = {}
    for name in names:
        parts = _NAME.fullmatch(name)
        if parts is None:
            raise ValueError(f"{name}: an event's name is kind.what.vN")
        newest[parts[1]] = max(int(parts[2]), newest.get(parts[1], 0))
    return newest


def _json_object(name: str, state: bytes) -> Json:
    try:
        stored = json.loads(state)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"{name}: the stored bytes are not JSON: {_one_line(error)}") from None
    if not isinstance(stored, dict):
        raise CodecError(f"{name}: a JSON object is needed")
    return stored


def _first_fault(error: ValidationError) -> str:
    """The place and kind of the first fault, without the value found there."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in fault["loc"]) or "stored bytes"
    return f"{place}: {fault['msg']}"


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


CODEC: Final = EventCodec()
"""The codec of this version's events."""
