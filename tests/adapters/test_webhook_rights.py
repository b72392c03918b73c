"""Who may do what with webhooks in the database."""

from __future__ import annotations

import psycopg
import pytest

from tests.postgres import Database

ADD = """INSERT INTO webhooks (operator, webhook, url, types, active, position)
    VALUES (%s, 'h', 'https://a/', '{x}', true, 0)"""
SECRET = "INSERT INTO webhook_secrets (operator, webhook, number, sealed) VALUES (%s, 'h', 1, 'sealed')"
TRY = """INSERT INTO webhook_deliveries (operator, webhook, message, type, attempt, at, milliseconds, delivered, detail)
    VALUES (%s, 'h', 'm', 't', 1, now(), 1, true, '')"""
TABLES = ("webhooks", "webhook_secrets", "webhook_deliveries", "webhook_orders")


def filled(database: Database) -> None:
    for operator in ("lucky", "royal"):
        with database.connect("request", operator=operator) as conn:
            conn.execute(ADD, [operator])
            conn.execute(SECRET, [operator])
            conn.execute("INSERT INTO webhook_orders (operator, webhook, message) VALUES (%s, 'h', 'm')", [operator])
        with database.connect("projector") as conn:
            conn.execute(TRY, [operator])


def test_the_request_login_sees_its_operators_webhooks_alone_and_none_without_an_operator(database: Database) -> None:
    filled(database)
    columns = dict.fromkeys(TABLES, "operator")
    with database.connect("request", operator="royal") as conn:
        for table, column in columns.items():
            assert conn.execute(f"SELECT {column} FROM {table}".encode()).fetchall() == [("royal",)]
        assert conn.execute("DELETE FROM webhooks WHERE operator = 'lucky'").rowcount == 0
        assert conn.execute("UPDATE webhooks SET url = 'https://b/' WHERE operator = 'lucky'").rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(ADD, ["lucky"])
    with database.connect("request") as conn:
        for table, column in columns.items():
            assert conn.execute(f"SELECT {column} FROM {table}".encode()).fetchall() == []


def test_no_request_reads_a_secret_back_not_even_its_own(database: Database) -> None:
    filled(database)
    with database.connect("request", operator="royal") as conn:
        for wanted in ("sealed", "*"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(f"SELECT {wanted} FROM webhook_secrets".encode())
    with database.connect("writer") as conn:
        for table in TABLES:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(f"SELECT operator FROM {table}".encode())
    with database.connect("projector") as conn:
        assert len(conn.execute("SELECT sealed FROM webhook_secrets").fetchall()) == 2
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute("UPDATE webhooks SET url = 'https://thief/'")


def test_with_a_webhook_everything_about_it_goes(database: Database) -> None:
    filled(database)
    with database.connect("request", operator="royal") as conn:
        assert conn.execute("DELETE FROM webhooks WHERE webhook = 'h'").rowcount == 1
    with database.connect("projector") as conn:
        for table in TABLES:
            assert conn.execute(f"SELECT operator FROM {table}".encode()).fetchall() == [("lucky",)]
