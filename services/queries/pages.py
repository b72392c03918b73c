"""Pages and cursors. A cursor says where a page ended and which question it belongs to; clients pass it back as it is.

Rows that arrive while somebody turns pages never make an earlier row appear twice or not at all: a cursor is a place
in the order, not a count.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from typing import Final, Generic, TypeVar

from domain.errors import Invalid
from domain.frozen import dataclass
from domain.views.model import RowKey
from services.ports_reads import Snapshot

T = TypeVar("T")
R = TypeVar("R")

LIMIT_DEFAULT: Final = 50
LIMIT_MAX: Final = 1_000
_MARK: Final = 8
_LAST_IN_GROUP: Final = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: tuple[T, ...]
    next: str | None
    position: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Which page is wanted: how many items, and the cursor that the page before gave."""

    limit: int = LIMIT_DEFAULT
    cursor: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= LIMIT_MAX:
            raise Invalid(f"a page has 1 to {LIMIT_MAX} items", field="limit")


def cursor_of(key: RowKey, question: Sequence[str | int | None]) -> str:
    """The cursor behind the row at `key`, for this question and its filters."""
    return base64.urlsafe_b64encode(_mark(question) + _text(key).encode()).decode().rstrip("=")


def cursor_key(cursor: str, question: Sequence[str | int | None]) -> RowKey:
    """Where the page before ended. Invalid for what is no cursor of ours, or one of another question."""
    try:
        raw = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        text = raw[_MARK:].decode()
        grp, key = json.loads(text)
        written = _text(RowKey(grp, key))
        f"{grp}{key}".encode()  # ValueError for a lone surrogate, which no row's key holds
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise bad_cursor() from None
    if not isinstance(grp, str) or not isinstance(key, str) or "\0" in grp + key or written != text:
        raise bad_cursor()
    if raw[:_MARK] != _mark(question):
        raise Invalid("this cursor belongs to a query with other parameters", field="cursor")
    return RowKey(grp, key)


def bad_cursor() -> Invalid:
    """What to raise for a cursor that is none of ours."""
    return Invalid("this is no cursor; pass `next` of the page before, or none", field="cursor")


@dataclass(frozen=True, slots=True)
class Scope(Generic[R]):
    """Rows of one class from `first` (included) to `end` (not included), oldest or newest first."""

    model: str
    cls: type[R]
    first: RowKey
    end: RowKey
    newest_first: bool = False


def group_scope(model: str, cls: type[R], grp: str, *, newest_first: bool = False) -> Scope[R]:
    """All rows of a group."""
    return Scope(model, cls, RowKey(grp, ""), RowKey(grp, _LAST_IN_GROUP), newest_first)


async def scan_page(
    snapshot: Snapshot, scope: Scope[R], turn: Turn, question: Sequence[str | int | None]
) -> tuple[Sequence[tuple[RowKey, R]], str | None]:
    """One page of the rows in `scope`, and the cursor of the next. `question` names the query and its filters."""
    first, end = scope.first, scope.end
    if turn.cursor is not None:
        at = cursor_key(turn.cursor, question)
        if scope.newest_first:
            end = min(end, at)
        else:
            first = max(first, RowKey(at.grp, at.key + "\x01"))
    rows = await snapshot.scan(
        scope.model, scope.cls, first, end, limit=turn.limit + 1, newest_first=scope.newest_first
    )
    page = rows[: turn.limit]
    return page, cursor_of(page[-1][0], question) if len(rows) > turn.limit else None


def _mark(question: Sequence[str | int | None]) -> bytes:
    return hashlib.sha256(json.dumps(list(question)).encode()).digest()[:_MARK]


def _text(key: RowKey) -> str:
    return json.dumps([key.grp, key.key], separators=(",", ":"))
