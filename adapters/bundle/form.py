"""The form of a bundle: gzip'd lines of JSON (docs/for-auditors.md has it for readers).

{"type":"studbook-bundle/1","software":...,"made_at":...}
{"operator":...,"four_eyes":...,"created_at":...}
{"event":<position>,"stream":...,"version":...,"name":...,"sequence":...,"hash":<hex>,"state":<base64>}
{"record":<scope>,"operator":...,"key":...,"fingerprint":<hex>,"status":...,"body":<base64 or null>,"position":...}
{"skip":<model>,"position":...,"decided_by":...,"reason":...,"fault":...,"at":...}
{"end":{"events":...,"records":...,"operators":...,"skips":...,"position":...,"hash":<hex>,"sha256":<hex>}}

In this order; events by position. `sha256` is over all lines before the last, unpacked, each with its line end.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import orjson

from domain.chain import RawEvent
from domain.frozen import dataclass

TYPE: Final = "studbook-bundle/1"


class BundleFault(Exception):
    """The file is no bundle, or not as it was written; in one line that names the place."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle holds. `position` and `hash` (hex) are those of the last event; `sha256` of all lines but the last
    one.
    """

    events: int
    records: int
    operators: int
    skips: int
    position: int
    hash: str
    sha256: str


class OperatorRow(NamedTuple):
    """An operator, and whether its approvers are names (`named`) or keys of their own (`strict`)."""

    operator: str
    four_eyes: str
    created_at: str


class RecordRow(NamedTuple):
    """What a key has served, by which a request that is sent again gets its first answer."""

    operator: str
    scope: str
    key: str
    fingerprint: bytes
    status: int
    body: bytes | None
    position: int


class SkipRow(NamedTuple):
    """An event that an operator let a read model pass over."""

    model: str
    position: int
    decided_by: str
    reason: str
    fault: str
    at: str


Item = RawEvent | OperatorRow | RecordRow | SkipRow


def line_of(item: Item) -> bytes:
    """An item as its line, with the line's end."""
    made: dict[str, Any]
    match item:
        case RawEvent():
            made = {
                "event": item.position, "stream": item.stream, "version": item.version, "name": item.name,
                "sequence": item.sequence, "hash": item.hash.hex(), "state": b64encode(item.state).decode("ascii"),
            }  # fmt: skip
        case RecordRow():
            body = None if item.body is None else b64encode(item.body).decode("ascii")
            made = {
                "record": item.scope, "operator": item.operator, "key": item.key, "fingerprint": item.fingerprint.hex(),
                "status": item.status, "body": body, "position": item.position,
            }  # fmt: skip
        case OperatorRow():
            made = item._asdict()
        case SkipRow():
            made = {"skip": item.model, **{name: value for name, value in item._asdict().items() if name != "model"}}
    return orjson.dumps(made) + b"\n"


def item_of(line: bytes) -> Item | Manifest:
    """The item or manifest of a line. ValueError, KeyError or TypeError for what is none."""
    made = orjson.loads(line)
    kind = next(iter(made))
    return _READERS[kind](made)


def _event(made: dict[str, Any]) -> RawEvent:
    stream = _text(made["stream"])
    return RawEvent(
        _number(made["event"]), stream, _number(made["version"]), _text(made["name"]),
        b64decode(made["state"], validate=True), stream.partition("/")[0], _number(made["sequence"]),
        bytes.fromhex(made["hash"]),
    )  # fmt: skip


def _record(made: dict[str, Any]) -> RecordRow:
    body = None if made["body"] is None else b64decode(made["body"], validate=True)
    return RecordRow(
        _text(made["operator"]), _text(made["record"]), _text(made["key"]), bytes.fromhex(made["fingerprint"]),
        _number(made["status"]), body, _number(made["position"]),
    )  # fmt: skip


def _operator(made: dict[str, Any]) -> OperatorRow:
    return OperatorRow(_text(made["operator"]), _text(made["four_eyes"]), _text(made["created_at"]))


def _skip(made: dict[str, Any]) -> SkipRow:
    texts = (_text(made[name]) for name in ("decided_by", "reason", "fault", "at"))
    return SkipRow(_text(made["skip"]), _number(made["position"]), *texts)


def _manifest(made: dict[str, Any]) -> Manifest:
    end = made["end"]
    return Manifest(
        _number(end["events"]), _number(end["records"]), _number(end["operators"]), _number(end["skips"]),
        _number(end["position"]), _text(end["hash"]), _text(end["sha256"]),
    )  # fmt: skip


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is needed")
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError("a whole number is needed")
    return value


_READERS: Final[dict[str, Callable[[dict[str, Any]], Item | Manifest]]] = {
    "event": _event, "record": _record, "operator": _operator, "skip": _skip, "end": _manifest,
}  # fmt: skip
