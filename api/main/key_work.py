"""`studbook keys` and `studbook access`: keys and the access log from the machine that holds the database's logins."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

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
from api.main.database import prepare
from api.main.doors import key_desk
from api.main.environment import environment
from api.main.faults import told
from api.main.known import require_operator
from api.main.place import Place
from domain.access import OPERATOR_ADDED, OPERATOR_CHANGED, AccessLine, Visit
from domain.errors import NotFound
from domain.keys import KeyFacts
from services.keys import Caller, KeyDesk, Wish


class ByHand(NamedTuple):
    """Which database, and who is at the machine."""

    place: Place
    by: str


@told()
def add_operator(hand: ByHand, operator: str, four_eyes: str) -> bool:
    """Make an operator known; False when it was, which changes nothing."""
    with _connected(hand, Role.WRITER, may_make=True) as conn, conn.transaction():
        made = ensure_operator(conn, operator, four_eyes)
        if made:
            visit = Visit(OPERATOR_ADDED, operator, hand.by, detail=f"four_eyes {four_eyes}")
            conn.execute(INSERT, row_of(AccessLine(SystemClock().now(), visit, 1, None)))
        return made


@told()
def set_four_eyes(hand: ByHand, operator: str, four_eyes: str) -> str:
    """Set how two persons agree, from the next call on at every process; what it was. NotFound."""
    with _connected(hand, Role.WRITER) as conn, conn.transaction():
        was = change_four_eyes(conn, operator, four_eyes)
        if was is None:
            raise NotFound("no such operator", field="operator")
        if was != four_eyes:
            visit = Visit(OPERATOR_CHANGED, operator, hand.by, detail=f"four_eyes {four_eyes}, it was {was}")
            conn.execute(INSERT, row_of(AccessLine(SystemClock().now(), visit, 1, None)))
        return was


@told()
def add_key(hand: ByHand, operator: str, wish: Wish) -> dict[str, Any]:
    """A new key of an operator; its text is in the answer and nowhere else."""
    with _desk(hand) as desk:
        return _answer(asyncio.run(desk.add(_caller(hand, operator), wish)).body)


@told()
def rotate_key(hand: ByHand, key_id: str) -> dict[str, Any]:
    """A second key for the subject of a key."""
    with _desk(hand) as desk:
        caller = _caller(hand, _operator_of(key_id))
        return _answer(asyncio.run(desk.rotate(caller, key_id)).body)


@told()
def revoke_key(hand: ByHand, key_id: str, *, even_last: bool) -> dict[str, Any]:
    """End a key, everywhere, before this returns."""
    with _desk(hand) as desk:
        caller = _caller(hand, _operator_of(key_id))
        return _answer(asyncio.run(desk.revoke(caller, key_id, even_last=even_last)).body)


@told()
def list_keys(hand: ByHand, operator: str) -> list[KeyFacts]:
    """All keys of an operator, the oldest first. NotFound for an operator that is not there."""
    with _connected(hand, Role.WRITER) as conn:
        if conn.execute("SELECT 1 FROM operators WHERE operator = %s", [operator]).fetchone() is None:
            raise NotFound("no such operator", field="operator")
        return [facts_of(row) for row in conn.execute(f"{FACTS} ORDER BY created_at, key_id".encode(), [operator])]


@told()
def access_lines(hand: ByHand, operator: str | None, limit: int) -> Sequence[AccessLine]:
    """The newest lines of an operator's access log; without one those that name no operator. Invalid for an operator
    that is not there.
    """
    with _connected(hand, Role.PROJECTOR) as conn:
        if operator is not None:
            require_operator(conn, operator)
        return newest(conn, operator, limit)


@contextmanager
def _connected(hand: ByHand, role: Role, *, may_make: bool = False) -> Iterator[Connection]:
    with ExitStack() as stack:
        prepare(hand.place, stack, may_make=may_make)
        conn = stack.enter_context(connect(environment().settings.conninfo(role, "studbook keys")))
        schema_state(conn)
        yield conn


@contextmanager
def _desk(hand: ByHand) -> Iterator[KeyDesk]:
    with _connected(hand, Role.WRITER):
        env = environment()
        yield key_desk(env, DerivedSecrets(token_keys(env.embedded_dir)))


def _caller(hand: ByHand, operator: str) -> Caller:
    """Who has the database's logins may give every role."""
    return Caller(operator, hand.by, None, ROLES)


def _operator_of(key_id: str) -> str:
    with connect(environment().settings.conninfo(Role.WRITER, "studbook keys")) as conn:
        row = conn.execute("SELECT operator FROM api_keys WHERE key_id = %s", [key_id]).fetchone()
    if row is None:
        raise NotFound("no such key", field="key_id")
    return str(row[0])


def _answer(body: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(body)
    return found
