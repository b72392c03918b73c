"""The JSON gate: what a body must be before any schema sees it.

One parse (orjson) and one walk over the values. orjson itself refuses bad UTF-8, NaN and Infinity, numbers beyond
a double, lone surrogates, control characters, trailing content and nesting beyond 1,024. The walk holds the rest:
depth, 64-bit integers, and the number of distinct keys. Every key has one colon outside of strings, so when the
body has as many colons as the parsed object has keys no key came twice; only when a string holds a colon is the
body read again by the standard library, pair by pair.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn

import orjson

from api.errors import BadRequest, TooLarge, safe_path
from domain.errors import Invalid

BODY_LIMIT: Final = 64 * 1024
"""Bytes of a body, unless the route says otherwise."""

BULK_BODY_LIMIT: Final = 4 * 1024 * 1024
"""Bytes of a bulk body."""

DEPTH_MAX: Final = 32
"""Objects and arrays within each other, the outermost counted."""

VALUES_MAX: Final = 50_000
"""Values of a body, so that a large one cannot hold up other requests: 5,000 wagers of all fields have 35,000. A schema
that finds fault with each of 200,000 takes a second, in which nobody else is served.
"""

_BEYOND: Final = 2**63
"""Numbers lie strictly between minus and plus this, so that none lost digits on the way (orjson reads larger
integers as floats)."""


def parse_object(raw: bytes, limit: int = BODY_LIMIT) -> dict[str, Any]:
    """The JSON object in `raw`.

    TooLarge above `limit` bytes; BadRequest when it is no JSON object, nested too deep, or names a key twice;
    Invalid, with the field, for a number beyond 64 bits or a NUL character (bug rows 27, 70, 71, 73, 74).
    """
    if len(raw) > limit:
        raise TooLarge(f"the body may have {limit} bytes")
    if len(raw) > VALUES_MAX and raw.count(b",") > VALUES_MAX:
        raise TooLarge(f"the body may have {VALUES_MAX} values")
    try:
        parsed = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise BadRequest("the body is not valid JSON in UTF-8 (RFC 8259), or holds a number beyond range") from None
    if type(parsed) is not dict:
        raise BadRequest("the body must be a JSON object")
    try:
        keys = _count_keys(parsed, 1)
    except OverflowError:
        _refuse_at(parsed, _is_beyond, "must be a number within 64 bits")
    if keys != raw.count(b":"):
        _refuse_duplicate_keys(raw)
    if b"\\u0000" in raw and _path_of(parsed, _has_nul) is not None:
        _refuse_at(parsed, _has_nul, "must not hold a NUL character")
    return parsed


def _count_keys(node: dict[str, Any] | list[Any], depth: int) -> int:
    """Distinct keys in and below `node`; BadRequest when too deep, OverflowError for a number beyond 64 bits."""
    if depth > DEPTH_MAX:
        raise BadRequest(f"the body may be nested {DEPTH_MAX} deep")
    keys = 0
    values: Iterable[Any] = node
    if isinstance(node, dict):
        keys, values = len(node), node.values()
    for value in values:
        kind = type(value)
        if kind is dict or kind is list:
            keys += _count_keys(value, depth + 1)
        elif (kind is int or kind is float) and not -_BEYOND < value < _BEYOND:
            raise OverflowError
    return keys


def _refuse_duplicate_keys(raw: bytes) -> None:
    """BadRequest when an object of `raw`, known to be valid and shallow, names a key twice."""

    def distinct(pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BadRequest("an object of the body names the same key twice", field=safe_path([key]))
            seen.add(key)

    json.loads(raw, object_pairs_hook=distinct, parse_int=_ignored, parse_float=_ignored)


def _ignored(_: str) -> None:
    """A number's value does not matter where keys are compared."""


def _is_beyond(value: object) -> bool:
    return isinstance(value, int | float) and not -_BEYOND < value < _BEYOND


def _has_nul(value: object) -> bool:
    return isinstance(value, str) and "\0" in value


def _path_of(node: object, bad: Callable[[object], bool]) -> tuple[object, ...] | None:
    """Where the first value or key that is `bad` stands, or None."""
    if isinstance(node, dict):
        for key, value in node.items():
            if bad(key):
                return (key,)
            if (below := _path_of(value, bad)) is not None:
                return (key, *below)
    elif isinstance(node, list):
        for index, value in enumerate(node):
            if (below := _path_of(value, bad)) is not None:
                return (index, *below)
    elif bad(node):
        return ()
    return None


def _refuse_at(node: object, bad: Callable[[object], bool], detail: str) -> NoReturn:
    raise Invalid(detail, field=safe_path(_path_of(node, bad) or ()))
