"""Which login may do what with the texts of chat messages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from adapters.chat_texts import ChatTexts
from adapters.database.settings import Role
from tests.postgres import Database

INSERT = "INSERT INTO chat_texts (operator, message, text, salt, posted_at) VALUES (%s, %s, %s, %s, now() - %s)"
OLD, YOUNG = timedelta(days=90), timedelta(days=90, minutes=-5)
REFUSED = (psycopg.errors.RestrictViolation, psycopg.errors.InsufficientPrivilege)


def write(database: Database, message: str, age: timedelta = timedelta(0), operator: str = "lucky") -> None:
    with database.connect("writer") as conn:
        conn.execute(INSERT, [operator, message, f"text {message}", "0" * 32, age])


def left(database: Database) -> set[str]:
    with database.connect("backup") as conn:
        return {row[0] for row in conn.execute("SELECT message FROM chat_texts").fetchall()}


@pytest.mark.parametrize("role", [Role.OWNER, Role.PROJECTOR, Role.REQUEST, Role.BACKUP])
def test_only_the_writer_adds_texts(database: Database, role: Role) -> None:
    with database.connect(role, operator="lucky") as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute(INSERT, ["lucky", "m", "hello", "0" * 32, timedelta(0)])


@pytest.mark.parametrize("role", [*Role, "superuser"])
@pytest.mark.parametrize("change", ["UPDATE studbook.chat_texts SET text = 'x'", "TRUNCATE studbook.chat_texts"])
def test_no_login_changes_a_text(database: Database, role: str, change: str) -> None:
    write(database, "m", OLD)
    conninfo = database.superuser if role == "superuser" else database.conninfo(role)
    with psycopg.connect(conninfo, autocommit=True) as conn, pytest.raises(REFUSED):
        conn.execute(change.encode())
    assert left(database) == {"m"}


@pytest.mark.parametrize("role", [Role.OWNER, Role.WRITER, Role.REQUEST, Role.BACKUP])
def test_C30_no_other_login_removes_a_text(database: Database, role: Role) -> None:
    write(database, "m", OLD)
    with database.connect(role, operator="lucky") as conn:
        if role is Role.OWNER:  # it owns the table, and its policy shows it no row
            assert conn.execute("DELETE FROM chat_texts").rowcount == 0
        else:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute("DELETE FROM chat_texts")
    assert left(database) == {"m"}


async def test_C30_the_database_keeps_what_is_younger_than_90_days_whoever_asks(database: Database) -> None:
    for message, age in (("old", OLD), ("older", OLD * 2), ("young", YOUNG), ("new", timedelta(0))):
        write(database, message, age)
    assert await ChatTexts(database.conninfo("projector"), batch=1).forget(datetime.now(UTC)) == 2
    assert left(database) == {"young", "new"}


def test_the_login_that_removes_texts_cannot_read_them(database: Database) -> None:
    write(database, "m")
    with database.connect("projector") as conn:
        assert conn.execute("SELECT message FROM chat_texts").fetchall() == [("m",)]
        for column in ("text", "salt", "*"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(f"SELECT {column} FROM chat_texts".encode())


def test_a_request_reads_its_operators_texts_alone(database: Database) -> None:
    write(database, "m")
    write(database, "m", operator="royal")
    with database.connect("request", operator="royal") as conn:
        assert conn.execute("SELECT operator FROM chat_texts").fetchall() == [("royal",)]
    with database.connect("request") as conn:
        assert conn.execute("SELECT operator FROM chat_texts").fetchall() == []
