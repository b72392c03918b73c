"""`studbook keys` and `studbook access`: keys and the access log from the machine that holds the database's logins."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import Connection

from adapters.access_rows import INSERT, newest, row_of
from adapters.clock import SystemClock
from adapters.database.connections import connect
from adapters.database.migrations import schema_state
from adapters.database.settings import Role
from adapters.key_book import FACTS, facts_of
from adapters.keys import ensure_operator
from adapters.keys import set_four_eyes as change_four_eyes
from adapters.token_keys import DerivedSecrets, token_keys
from api.auth import ROLES
from api.main.doors import key_desk
from api.main.environment import environment
from api.main.faults import told
from api.main.known import require_operator
from api.main.serving import Options, prepare
from domain.access import OPERATOR_ADDED, OPERATOR_CHANGED, AccessLine, Visit
from domain.errors import NotFound
from domain.keys import KeyFacts
from services.keys import Caller, KeyDesk, Wish


@dataclass(frozen=True, slots=True)
class Place:
    """Which database, and who is at the machine."""

    database_url: str | None
    data_dir: Path | None
    by: str


@told()
def add_operator(place: Place, operator: str, four_eyes: str) -> bool:
    """Make an operator known; False when it was, which changes nothing."""
    with _connected(place, Role.WRITER, may_make=True) as conn, conn.transaction():
        made = ensure_operator(conn, operator, four_eyes)
        if made:
            visit = Visit(OPERATOR_ADDED, operator, place.by, detail=f"four_eyes {four_eyes}")
            conn.execute(INSERT, row_of(AccessLine(SystemClock().now(), visit, 1, None)))
        return made


@told()
def set_four_eyes(place: Place, operator: str, four_eyes: str) -> str:
    """Set how two persons agree, from the next call on at every process; what it was. NotFound."""
    with _connected(place, Role.WRITER) as conn, conn.transaction():
        was = change_four_eyes(conn, operator, four_eyes)
        if was is None:
            raise NotFound("no such operator", field="operator")
        if was != four_eyes:
            visit = Visit(OPERATOR_CHANGED, operator, place.by, detail=f"four_eyes {four_eyes}, it was {was}")
            conn.execute(INSERT, row_of(AccessLine(SystemClock().now(), visit, 1, None)))
        return was


@told()
def add_key(place: Place, operator: str, wish: Wish) -> dict[str, Any]:
    """A new key of an operator; its text is in the answer and nowhere else."""
    with _desk(place) as desk:
        return _answer(asyncio.run(desk.add(_caller(place, operator), wish)).body)


@told()
def rotate_key(place: Place, key_id: str) -> dict[str, Any]:
    """A second key for the subject of a key."""
    with _desk(place) as desk:
        caller = _caller(place, _operator_of(key_id))
        return _answer(asyncio.run(desk.rotate(caller, key_id)).body)


@told()
def revoke_key(place: Place, key_id: str, *, even_last: bool) -> dict[str, Any]:
    """End a key, everywhere, before this returns."""
    with _desk(place) as desk:
        caller = _caller(place, _operator_of(key_id))
        return _answer(asyncio.run(desk.revoke(caller, key_id, even_last=even_last)).body)


@told()
def list_keys(place: Place, operator: str) -> list[KeyFacts]:
    """All keys of an operator, the oldest first. NotFound for an operator that is not there."""
    with _connected(place, Role.WRITER) as conn:
        if conn.execute("SELECT 1 FROM operators WHERE operator = %s", [operator]).fetchone() is None:
            raise NotFound("no such operator", field="operator")
        return [facts_of(row) for row in conn.execute(f"{FACTS} ORDER BY created_at, key_id".encode(), [operator])]


@told()
def access_lines(place: Place, operator: str | None, limit: int) -> Sequence[AccessLine]:
    """The newest lines of an operator's access log; without one those that name no operator. Invalid for an operator
    that is not there.
    """
    with _connected(place, Role.PROJECTOR) as conn:
        if operator is not None:
            require_operator(conn, operator)
        return newest(conn, operator, limit)


@contextmanager
def _connected(place: Place, role: Role, *, may_make: bool = False) -> Iterator[Connection]:
    with ExitStack() as stack:
        prepare(Options("", 0, 1, place.data_dir, place.database_url), stack, may_make=may_make)
        conn = stack.enter_context(connect(environment().settings.conninfo(role, "studbook keys")))
        schema_state(conn)
        yield conn


@contextmanager
def _desk(place: Place) -> Iterator[KeyDesk]:
    with _connected(place, Role.WRITER):
        env = environment()
        yield key_desk(env, DerivedSecrets(token_keys(env.embedded_dir)))


def _caller(place: Place, operator: str) -> Caller:
    """Who has the database's logins may give every role."""
    return Caller(operator, place.by, None, ROLES)


def _operator_of(key_id: str) -> str:
    with connect(environment().settings.conninfo(Role.WRITER, "studbook keys")) as conn:
        row = conn.execute("SELECT operator FROM api_keys WHERE key_id = %s", [key_id]).fetchone()
    if row is None:
        raise NotFound("no such key", field="key_id")
    return str(row[0])


def _answer(body: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(body)
    return found
