"""Lists as binary PostgreSQL arrays, as parameters of psycopg's own statements: packed in one go, and of a type that
never depends on the values, so that each statement is prepared once.
"""

from __future__ import annotations

from collections.abc import Sequence

from psycopg.abc import AdaptContext
from psycopg.adapt import Dumper
from psycopg.pq import Format

from adapters.event_store.arrays import blobs, integers, texts
from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Texts:
    """A `text[]`."""

    items: Sequence[str]


@dataclass(frozen=True, slots=True)
class Blobs:
    """A `bytea[]`."""

    items: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Integers:
    """An `integer[]`."""

    items: Sequence[int]


class _TextsDumper(Dumper):
    format, oid = Format.BINARY, 1009

    def dump(self, obj: Texts) -> bytes:
        return texts(obj.items)


class _BlobsDumper(Dumper):
    format, oid = Format.BINARY, 1001

    def dump(self, obj: Blobs) -> bytes:
        return blobs(obj.items)


class _IntegersDumper(Dumper):
    format, oid = Format.BINARY, 1007

    def dump(self, obj: Integers) -> bytes:
        return integers(obj.items)


def register_arrays(context: AdaptContext) -> None:
    """Let a connection take these as parameters."""
    context.adapters.register_dumper(Texts, _TextsDumper)
    context.adapters.register_dumper(Blobs, _BlobsDumper)
    context.adapters.register_dumper(Integers, _IntegersDumper)
