"""Keys and the access log, as one operator may read them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from domain.access import AccessLine
from domain.frozen import dataclass
from domain.keys import KeyFacts
from domain.views.model import RowKey, time_text
from services.queries.pages import Page, Turn, bad_cursor, cursor_key, cursor_of
from services.queries.reads import Reads

_ENTRY_MAX: Final = 2**63 - 1


@dataclass(frozen=True, slots=True)
class KeyItem:
    """A key. `signed`: its requests must be signed; `replaces`: the key that it was made to take the place of."""

    key_id: str
    subject: str
    roles: tuple[str, ...]
    label: str
    signed: bool
    created_at: datetime
    revoked_at: datetime | None
    made_by: str | None
    replaces: str | None


@dataclass(frozen=True, slots=True)
class AccessItem:
    """A line of the access log; `times` visits alike, the first of them at `at` with this `request_id`."""

    at: datetime
    kind: str
    times: int
    subject: str | None
    key_id: str | None
    address: str | None
    method: str | None
    route: str | None
    status: int | None
    request_id: str | None
    detail: str


@dataclass(frozen=True, slots=True)
class AccessFilter:
    """Lines of one kind if so wanted, from a time (included) to a time (not included)."""

    kind: str | None = None
    begin: datetime | None = None
    end: datetime | None = None


async def keys(reads: Reads, operator: str, turn: Turn, min_position: int | None) -> Page[KeyItem]:
    """The operator's keys, the newest first, revoked ones too."""
    question = ("keys", operator)
    after = None if turn.cursor is None else cursor_key(turn.cursor, question)
    async with reads.views.reading_log(operator, min_position) as snapshot:
        rows = [one for one in await snapshot.keys() if after is None or _place(one) < after]
        page = rows[: turn.limit]
        more = cursor_of(_place(page[-1]), question) if len(rows) > turn.limit else None
        return Page(tuple(_key(one) for one in page), more, snapshot.position)


async def access_log(
    reads: Reads, operator: str, wanted: AccessFilter, turn: Turn, min_position: int | None
) -> Page[AccessItem]:
    """What was noted of the operator's keys and doors, the newest first."""
    question = ("access-log", operator, wanted.kind, _text(wanted.begin), _text(wanted.end))
    before = _ENTRY_MAX if turn.cursor is None else _entry(cursor_key(turn.cursor, question))
    async with reads.views.reading_log(operator, min_position) as snapshot:
        rows = await snapshot.accesses(before, wanted.kind, wanted.begin, wanted.end, limit=turn.limit + 1)
        page = rows[: turn.limit]
        more = cursor_of(RowKey("access", str(page[-1][0])), question) if len(rows) > turn.limit else None
        return Page(tuple(_item(line) for _, line in page), more, snapshot.position)


def _place(key: KeyFacts) -> RowKey:
    return RowKey(time_text(key.created_at), key.key_id)


def _entry(key: RowKey) -> int:
    if key.grp != "access" or not key.key.isascii() or not key.key.isdigit() or len(key.key) > 19:
        raise bad_cursor()
    return min(int(key.key), _ENTRY_MAX)


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _key(one: KeyFacts) -> KeyItem:
    return KeyItem(
        one.key_id, one.subject, tuple(sorted(one.roles)), one.label, one.is_signed, one.created_at, one.revoked_at,
        one.made_by, one.replaces,
    )  # fmt: skip


def _item(line: AccessLine) -> AccessItem:
    v = line.visit
    return AccessItem(
        line.at, v.kind, line.times, v.subject, v.key_id, v.address, v.method, v.route, v.status, line.request_id,
        v.detail,
    )  # fmt: skip
