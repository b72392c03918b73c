"""Who may do what with each table, written down once: a table, a grant or a policy that is not listed fails here (F19).

The request's login only reads, but for an operator's webhooks, which are settings and no events; and of tables that
hold rows of operators only those of the operator of the transaction.
"""

from __future__ import annotations

from collections import defaultdict

import psycopg
import pytest
from psycopg import Connection

from adapters.database.safety import KEPT_BY_REQUESTS
from adapters.database.settings import CHAIN_ROLE, Role
from tests.adapters.test_migrations_roles import add_event
from tests.postgres import Database

RIGHTS: dict[str, dict[str, str]] = {
    "studbook_schema": {"writer": "SELECT", "projector": "SELECT", "request": "SELECT"},
    "stored_events": {
        "writer": "INSERT SELECT", "projector": "SELECT", "request": "SELECT",
        "chain": "SELECT(hash) SELECT(notification_id) SELECT(operator)",
    },
    "idempotency": {"writer": "INSERT SELECT"},
    "operators": {"writer": "INSERT SELECT UPDATE(four_eyes)", "projector": "SELECT", "request": "SELECT"},
    "api_keys": {
        "writer": "INSERT SELECT UPDATE(revoked_at)",
        "request": "SELECT(created_at) SELECT(key_id) SELECT(label) SELECT(made_by) SELECT(operator) SELECT(replaces)"
        " SELECT(revoked_at) SELECT(roles) SELECT(signing_key) SELECT(subject)",
    },
    "access_log": {
        "writer": "INSERT",
        "request": "INSERT(address) INSERT(at) INSERT(detail) INSERT(key_id) INSERT(kind) INSERT(method)"
        " INSERT(operator) INSERT(request_id) INSERT(route) INSERT(status) INSERT(subject) INSERT(times) SELECT",
        "projector": "DELETE SELECT",
    },
    "access_log_entry_seq": {},
    "webhooks": {
        "request": "DELETE INSERT SELECT UPDATE",
        "projector": "SELECT UPDATE(disabled_at) UPDATE(disabled_reason) UPDATE(failing_since) UPDATE(failures)"
        " UPDATE(next_at) UPDATE(position)",
    },
    "webhook_secrets": {
        "request": "INSERT SELECT(created_at) SELECT(expires_at) SELECT(number) SELECT(operator) SELECT(webhook)"
        " UPDATE(expires_at)",
        "projector": "SELECT",
    },
    "webhook_deliveries": {"request": "SELECT", "projector": "DELETE INSERT SELECT"},
    "webhook_deliveries_delivery_seq": {},
    "webhook_orders": {"request": "INSERT SELECT", "projector": "DELETE SELECT"},
    "webhook_figures": {"request": "SELECT", "projector": "INSERT SELECT UPDATE"},
    "exports": {
        "request": "INSERT(asked_at) INSERT(expires_at) INSERT(export) INSERT(format) INSERT(hurry) INSERT(kind)"
        " INSERT(operator) INSERT(position) INSERT(subject) INSERT(wish) SELECT",
        "projector": "DELETE SELECT UPDATE(attempts) UPDATE(events) UPDATE(events_read) UPDATE(failure)"
        " UPDATE(finished_at) UPDATE(manifest) UPDATE(position) UPDATE(status)",
    },
    "export_chunks": {"request": "SELECT", "projector": "DELETE INSERT SELECT"},
    "export_figures": {"request": "SELECT", "projector": "INSERT SELECT UPDATE"},
    "view_rows": {"projector": "DELETE INSERT SELECT UPDATE", "request": "SELECT"},
    "view_progress": {"projector": "DELETE INSERT SELECT UPDATE", "request": "SELECT"},
    "view_skips": {"projector": "INSERT SELECT", "request": "SELECT"},
    "chat_texts": {
        "writer": "INSERT", "projector": "DELETE SELECT(message) SELECT(operator) SELECT(posted_at)",
        "request": "SELECT",
    },
}  # fmt: skip
"""Beyond the backup's SELECT, which every table has, and the owner's own rights. A new table is a new line here."""

OF_NO_OPERATOR = {
    "studbook_schema": "which steps of the schema are applied",
    "view_progress": "how far each read model has come",
    "view_skips": "positions that a read model passes over, for the count in /readyz",
    "webhook_figures": "how many webhooks are called or fail, for /metrics",
    "export_figures": "how many exports wait or failed, for /metrics",
}
"""Tables of which requests read every row, and what the rows tell."""

OWN_ROWS = "(operator = studbook.current_operator())"
OWN_LINES = f"({OWN_ROWS} AND (kind ~ '^WEBHOOK_'::text))"
"""What requests add to the access log: their operator's lines about webhooks."""
FUNCTIONS = {
    "current_operator": {"request", "chain"},
    "find_key": {"request", "writer"},
    "hashes_before": {"request"},
    "refuse_change": set(),
}
"""Functions of ours, and who may call them."""

RUN_AS = {"find_key": "studbook_owner", "hashes_before": CHAIN_ROLE}
"""Functions that run with another's rights, and whose: each is a way past the policies, so it is listed."""

GRANTS = """
    SELECT c.relname, coalesce(g.rolname, 'PUBLIC'), a.privilege_type || coalesce('(' || a.attname || ')', '')
    FROM pg_class c
    CROSS JOIN LATERAL (
        SELECT x.grantee, x.privilege_type, NULL AS attname FROM aclexplode(c.relacl) x
        UNION ALL
        SELECT x.grantee, x.privilege_type, t.attname FROM pg_attribute t, aclexplode(t.attacl) x
        WHERE t.attrelid = c.oid
    ) a
    LEFT JOIN pg_roles g ON g.oid = a.grantee
    WHERE c.relnamespace = 'studbook'::regnamespace AND a.grantee <> c.relowner"""
POLICIES = """
    SELECT tablename, policyname, roles::text[], cmd, qual, with_check, permissive
    FROM pg_policies WHERE schemaname = 'studbook' ORDER BY 1, 2"""


def tables(database: Database) -> list[str]:
    """Everything in the schema that holds rows, and what could show rows of others."""
    with database.connect("writer") as conn:
        found = conn.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'studbook'::regnamespace"
            " AND relkind NOT IN ('i', 'I', 'c', 't') ORDER BY 1"
        ).fetchall()
    return [name for (name,) in found]


def test_every_table_is_listed_with_who_may_do_what_and_nobody_else_may(database: Database) -> None:
    granted: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    with database.connect("writer") as conn:
        for table, grantee, right in conn.execute(GRANTS.encode()).fetchall():
            granted[table][grantee.removeprefix("studbook_")].add(right)
    found = {
        table: {role: " ".join(sorted(rights)) for role, rights in granted[table].items()} for table in tables(database)
    }
    assert found == {table: {**rights, "backup": "SELECT"} for table, rights in RIGHTS.items()}


def test_F19_row_security_is_forced_on_every_table(database: Database) -> None:
    with database.connect("writer") as conn:
        found = conn.execute(
            "SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class"
            " WHERE relnamespace = 'studbook'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1"
        ).fetchall()
    assert found == [(table, True) for table in sorted(RIGHTS) if not table.endswith("_seq")]


def test_F19_requests_reach_their_own_operators_rows_only_and_change_none_but_webhooks(database: Database) -> None:
    with database.connect("writer") as conn:
        conn.execute("SET search_path = ''")  # so that functions are named in full
        policies = conn.execute(POLICIES.encode()).fetchall()
    readable = {table for table, rights in RIGHTS.items() if "request" in rights}
    of_requests = [one for one in policies if {"studbook_request", "public"} & set(one[2])]
    adding = [one for one in of_requests if one[3] == "INSERT"]
    assert [(table, *rest) for table, _, _, _, *rest in adding] == [("access_log", None, OWN_LINES, "PERMISSIVE")]
    of_requests = [one for one in of_requests if one not in adding]
    wanted_of = {(table, "ALL" if table in KEPT_BY_REQUESTS else "SELECT") for table in readable}
    assert {(table, cmd) for table, _, _, cmd, *_ in of_requests} == wanted_of
    for table, name, _, cmd, condition, check, permissive in of_requests:
        wanted = "true" if table in OF_NO_OPERATOR else OWN_ROWS
        assert (permissive, condition) == ("PERMISSIVE", wanted), f"{table}: {name}"
        assert check == (wanted if cmd == "ALL" else None), f"{table}: {name}"
    assert OF_NO_OPERATOR.keys() <= readable


def test_F19_what_no_operator_owns_names_none(database: Database) -> None:
    with database.connect("writer") as conn:
        named = conn.execute(
            "SELECT table_name FROM information_schema.columns WHERE table_schema = 'studbook'"
            " AND column_name LIKE '%%operator%%'"
        ).fetchall()
    assert {table for (table,) in named} & OF_NO_OPERATOR.keys() == set()


def test_functions_are_listed_and_whose_rights_they_run_with(database: Database) -> None:
    with database.connect("writer") as conn:
        found = conn.execute(
            "SELECT proname, CASE WHEN prosecdef THEN pg_get_userbyid(proowner)::text END, ARRAY("
            "SELECT coalesce(r.rolname::text, 'PUBLIC') FROM aclexplode("
            "coalesce(proacl, acldefault('f', proowner))) x LEFT JOIN pg_roles r ON r.oid = x.grantee"
            " WHERE x.grantee <> proowner)"
            " FROM pg_proc WHERE pronamespace = 'studbook'::regnamespace"
        ).fetchall()
    assert {name: {one.removeprefix("studbook_") for one in who} for name, _, who in found} == FUNCTIONS
    assert {name: whose for name, whose, _ in found if whose is not None} == RUN_AS


def test_F19_nobody_can_log_in_as_the_role_of_the_chain_and_it_may_do_nothing_else(database: Database) -> None:
    with database.connect("writer") as conn:
        found = conn.execute(
            "SELECT rolcanlogin, rolsuper, rolbypassrls, rolinherit, has_schema_privilege(oid, 'studbook', 'CREATE'),"
            " (SELECT count(*) FROM pg_auth_members WHERE member = pg_roles.oid) FROM pg_roles WHERE rolname = %s",
            [CHAIN_ROLE],
        ).fetchone()
        members = conn.execute(
            "SELECT pg_get_userbyid(member) FROM pg_auth_members WHERE pg_get_userbyid(roleid) = %s", [CHAIN_ROLE]
        ).fetchall()
    assert found == (False, False, False, False, False, 0)
    assert members == [("studbook_owner",)]


def test_F19_a_request_gets_the_hash_before_its_own_operators_events_and_no_other(database: Database) -> None:
    with database.connect("writer") as conn:
        for position, operator in enumerate(("op", "other", "op", "other", "other"), 1):
            add_event(conn, operator, position, bytes([position]) * 32)
    with database.connect("request") as conn, conn.transaction():
        assert hashes_before(conn) == {}
        conn.execute("SELECT set_config('studbook.operator', 'op', true)")
        assert hashes_before(conn) == {3: b"\2" * 32}
        assert conn.execute("SELECT notification_id FROM stored_events ORDER BY 1").fetchall() == [(1,), (3,)]
        conn.execute("SELECT set_config('studbook.operator', 'other', true)")
        assert hashes_before(conn) == {2: b"\1" * 32, 4: b"\3" * 32, 5: b"\4" * 32}
    with database.connect("projector", "op") as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        hashes_before(conn)


def hashes_before(conn: Connection) -> dict[int, bytes]:
    return dict(conn.execute("SELECT * FROM studbook.hashes_before(ARRAY[0, 1, 2, 3, 4, 5, 6, NULL]::bigint[])"))


@pytest.mark.parametrize("role", [Role.WRITER, Role.PROJECTOR, Role.REQUEST])
def test_F19_no_login_of_the_service_reaches_anothers_rights(database: Database, role: Role) -> None:
    with database.connect(role) as conn:
        found = conn.execute(
            "SELECT rolname FROM pg_roles WHERE rolname <> current_user AND pg_has_role(current_user, oid, 'MEMBER')"
        ).fetchall()
        created = conn.execute(
            "SELECT has_database_privilege(current_database(), 'CREATE'),"
            " has_schema_privilege('studbook', 'CREATE'),"
            " has_schema_privilege('public', 'CREATE')"
        ).fetchone()
    assert found == []
    assert created == (False, False, False)
