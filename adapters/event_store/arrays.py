"""Parameters of the writer's statements in PostgreSQL's binary form: a batch is a handful of arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from struct import Struct, pack
from typing import Final

_HEAD: Final = Struct(">iiIii").pack
_LENGTH: Final = Struct(">i").pack
_BIGINT: Final = Struct(">q").pack
_NULL: Final = _LENGTH(-1)
_OF_BYTEA, _OF_BIGINT, _OF_INTEGER, _OF_TEXT = 17, 20, 23, 25


def bigint(number: int) -> bytes:
    """A `bigint`."""
    return _BIGINT(number)


def texts(items: Iterable[str]) -> bytes:
    """A `text[]`."""
    return _array(list(map(str.encode, items)), _OF_TEXT)


def blobs(items: Sequence[bytes | None]) -> bytes:
    """A `bytea[]`; None is NULL."""
    return _array(items, _OF_BYTEA)


def bigints(items: Sequence[int]) -> bytes:
    """A `bigint[]`."""
    return _numbers(items, _OF_BIGINT, "q", 8)


def integers(items: Sequence[int]) -> bytes:
    """An `integer[]`."""
    return _numbers(items, _OF_INTEGER, "i", 4)


def _head(count: int, element: int, *, has_null: bool = False) -> bytes:
    return _HEAD(1, has_null, element, count, 1) if count else pack(">iiI", 0, 0, element)


def _array(items: Sequence[bytes | None], element: int) -> bytes:
    whole = [item for item in items if item is not None]
    if len(whole) < len(items):
        parts = [_NULL if item is None else _LENGTH(len(item)) + item for item in items]
        return _head(len(items), element, has_null=True) + b"".join(parts)
    lengths = map(_LENGTH, map(len, whole))
    return _head(len(items), element) + b"".join(chain.from_iterable(zip(lengths, whole, strict=True)))


def _numbers(items: Sequence[int], element: int, code: str, size: int) -> bytes:
    sized = chain.from_iterable(zip(repeat(size), items, strict=False))
    return _head(len(items), element) + pack(">" + f"i{code}" * len(items), *sized)
