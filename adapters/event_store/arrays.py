"""Lists as binary PostgreSQL arrays, packed in one go: a batch is a handful of arrays of a few hundred elements.

Their types never depend on the values, so each statement is prepared once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from struct import Struct, pack
from typing import Any, Final, TypeAlias

from psycopg import AsyncConnection
from psycopg.adapt import Dumper
from psycopg.pq import Format

_HEAD: Final = Struct(">iiIii").pack
_LENGTH: Final = Struct(">i").pack
_NULL: Final = _LENGTH(-1)
_OF_BYTEA, _OF_BIGINT, _OF_INTEGER, _OF_TEXT = 17, 20, 23, 25


@dataclass(frozen=True, slots=True)
class Texts:
    """A `text[]`."""

    items: Sequence[str]


@dataclass(frozen=True, slots=True)
class Blobs:
    """A `bytea[]`; None is NULL."""

    items: Sequence[bytes | None]


@dataclass(frozen=True, slots=True)
class Bigints:
    """A `bigint[]`."""

    items: Sequence[int]


@dataclass(frozen=True, slots=True)
class Integers:
    """An `integer[]`."""

    items: Sequence[int]


Array: TypeAlias = Texts | Blobs | Bigints | Integers


def _head(count: int, element: int, *, has_null: bool = False) -> bytes:
    return _HEAD(1, has_null, element, count, 1) if count else pack(">iiI", 0, 0, element)


def _joined(items: Iterable[bytes | None]) -> bytes:
    parts: list[bytes] = []
    for item in items:
        if item is None:
            parts.append(_NULL)
        else:
            parts.append(_LENGTH(len(item)))
            parts.append(item)
    return b"".join(parts)


def _numbers(items: Sequence[int], code: str, size: int) -> bytes:
    flat = [value for item in items for value in (size, item)]
    return pack(">" + f"i{code}" * len(items), *flat)


class _TextsDumper(Dumper):
    format, oid = Format.BINARY, 1009

    def dump(self, obj: Texts) -> bytes:
        return _head(len(obj.items), _OF_TEXT) + _joined(item.encode() for item in obj.items)


class _BlobsDumper(Dumper):
    format, oid = Format.BINARY, 1001

    def dump(self, obj: Blobs) -> bytes:
        return _head(len(obj.items), _OF_BYTEA, has_null=None in obj.items) + _joined(obj.items)


class _BigintsDumper(Dumper):
    format, oid = Format.BINARY, 1016

    def dump(self, obj: Bigints) -> bytes:
        return _head(len(obj.items), _OF_BIGINT) + _numbers(obj.items, "q", 8)


class _IntegersDumper(Dumper):
    format, oid = Format.BINARY, 1007

    def dump(self, obj: Integers) -> bytes:
        return _head(len(obj.items), _OF_INTEGER) + _numbers(obj.items, "i", 4)


def register_arrays(connection: AsyncConnection[Any]) -> None:
    """Let `connection` take these as parameters."""
    for cls, dumper in (
        (Texts, _TextsDumper),
        (Blobs, _BlobsDumper),
        (Bigints, _BigintsDumper),
        (Integers, _IntegersDumper),
    ):
        connection.adapters.register_dumper(cls, dumper)
