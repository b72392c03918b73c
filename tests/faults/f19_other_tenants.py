"""F19: another operator's ids, nobody's ids, no key and lower roles at every call; one connection for all of them.

An answer for another operator's object is that for an object that never was, byte for byte. The login of requests
reads one operator's rows, none where no operator is set, and reaches no other login's rights.
"""

from __future__ import annotations

import asyncio
import logging
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from unittest.mock import patch

import orjson
import psycopg

from adapters.database.settings import Role
from adapters.keys import KeyRow, add_key, ensure_operator
from api.auth import ROLES, make_key
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground
from tests.faults.strangers import Asked, Desk, Ids, Reply, all_asked, nobodys
from tests.http.contract import Contract
from tests.postgres import Database
from tests.store.in_process import Client, serving

CALLS, LONG_CALLS = 4_000, 10_000
LANES: Final = 8
OWN_RIGHTS: Final = (Role.WRITER, Role.PROJECTOR, Role.OWNER, Role.BACKUP)


def key_for(database: Database, operator: str, roles: frozenset[str]) -> str:
    """A new key."""
    new = make_key()
    with database.connect(Role.WRITER) as conn:
        ensure_operator(conn, operator, "named")
        assert add_key(conn, KeyRow(new.key_id, operator, "tester", roles, new.hash))
    return new.key


async def furnished(client: Client) -> dict[str, str]:
    """An operator's objects: a player with money and a wager in an open round, a pool, a table, a transaction."""

    async def done(path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        name = uuid.uuid4().hex
        while (answer := await client.post(path, body, name)).status_code == 503:
            await asyncio.sleep(0.1)
        assert answer.status_code in {200, 201}, answer.text
        told: dict[str, Any] = answer.json()
        return told

    ids = nobodys()
    for path, body in objects(ids):
        await done(path, body)
    ids["round"] = (await done(f"/v1/tables/{ids['table']}/rounds"))["round"]
    wager = {"player": ids["player"], "seat": 1, "ante": 100}
    position = (await done(f"/v1/rounds/{ids['round']}/wagers", wager))["position"]
    balance = f"/v1/players/{ids['player']}/balance"
    while (await client.get(balance, min_position=position)).status_code == 503:
        await asyncio.sleep(0.1)
    return ids


def objects(ids: Ids) -> list[tuple[str, dict[str, Any]]]:
    """The calls that make a pool, a table on it, a player, and a deposit."""
    terms = {"ruleset": "euro-progressive-v1", "currency": "EUR"}
    antes = {"ante_min": 100, "ante_max": 10_000}
    return [
        ("/v1/jackpots", {"jackpot": ids["jackpot"], **terms, "seed": 1_000_000, "reset": 1_000_000}),
        (
            "/v1/tables",
            {"table": ids["table"], "jackpot": ids["jackpot"], **terms, **antes},
        ),
        ("/v1/players", {"player": ids["player"], "currency": "EUR"}),
        (
            f"/v1/players/{ids['player']}/deposits",
            {"amount": 50_000, "currency": "EUR", "transaction_id": ids["transaction_id"]},
        ),
    ]


async def taken_anew(desk: Desk, key: str, ids: Ids, one: Asked) -> Ids:
    """`ids`; where a success would make them the asker's own, those of objects that were made just now."""
    if not one.is_creation and "transaction_id" not in one.foreign:
        return ids
    fresh = nobodys()
    for nth, (path, body) in enumerate(objects(fresh)):
        reply = await desk.ask("POST", path, key, orjson.dumps(body), f"{fresh['round']}-{nth}")
        assert reply.status == 201, reply.body
    return fresh if one.is_creation else {**ids, "transaction_id": fresh["transaction_id"]}


@dataclass(frozen=True, slots=True)
class Hall:
    """Two operators at one desk: the first's objects are asked for by the second, and the other way round."""

    desk: Desk
    contract: Contract
    keys: tuple[str, str]
    ids: tuple[Ids, Ids]


async def pairs(trial: Trial, hall: Hall) -> None:
    """Every call with another's ids, and with nobody's: the same answer, and no word of what the other has."""
    desk, key, (theirs, own) = hall.desk, hall.keys[1], hall.ids
    asked = all_asked(hall.contract)
    trial.figure("calls of ids", len(asked))
    for nth, one in enumerate(asked):
        others = await taken_anew(desk, hall.keys[0], theirs, one)
        mine = {**own, "transaction_id": uuid.uuid4().hex}
        strange, nobody = ({**mine, **{part: ids[part] for part in one.foreign}} for ids in (others, nobodys()))
        first = await desk.ask(one.call.method, one.target(strange), key, one.content(strange), f"pair-{nth}")
        done = first.status < 300  # its key has served
        second = await desk.ask(
            one.call.method, one.target(nobody), key, one.content(nobody), f"pair-{nth}{'+' * done}"
        )
        if done:
            first, second = first.without(strange), second.without(nobody)
        trial.expect(first == second, f"{one}: {first.status} {first.body[:150]!r}, nobody's {second.body[:150]!r}")
        _no_hint(trial, one, first, others)


def _no_hint(trial: Trial, one: Asked, reply: Reply, theirs: Ids) -> None:
    told = [name for name, value in theirs.items() if value.encode() in reply.body]
    trial.expect(not told, f"{one}: the answer names the stranger's {told}")
    whole = one.foreign >= set(one.call.named("path")) and one.call.named("path")
    if whole and reply.status != 404 and not one.call.path.endswith(("/rollback", "/bulk")):
        trial.expect(False, f"{one}: {reply.status} {reply.body[:150]!r}")


async def lower(trial: Trial, hall: Hall, roles: Mapping[str, str]) -> None:
    """No key, an unknown one, and each role that a call does not have: 401 and 403, whether the object is there or
    not."""
    refused = 0
    for one in hall.contract.operations():
        if not one.roles:
            continue
        doors: list[tuple[str | None, int]] = [(None, 401), (make_key().key, 401)]
        doors += [(roles[role], 403) for role in sorted(ROLES - one.roles)]
        for key, status in doors:
            there, nowhere = [
                await hall.desk.ask(one.method, one.url(ids), key, b"{}") for ids in (hall.ids[0], nobodys())
            ]
            trial.expect(there == nowhere, f"{one}: {status} tells whether the object is there")
            trial.expect(there.status == status, f"{one}: {there.status} where {status} is due")
            refused += 2
    trial.figure("refused", refused)


async def interleaved(trial: Trial, hall: Hall) -> None:
    """Two operators' reads and strangers' over one connection, many at a time: each sees its own."""
    desk, keys, ids = hall.desk, hall.keys, hall.ids
    seen = [
        [await desk.ask("GET", f"/v1/players/{ids[whose]['player']}/balance", keys[who]) for whose in (0, 1)]
        for who in (0, 1)
    ]
    nowhere = await desk.ask("GET", f"/v1/players/{nobodys()['player']}/balance", keys[0])
    trial.expect([[one.status for one in row] for row in seen] == [[200, 404], [404, 200]], f"balances: {seen}")
    trial.expect(seen[0][1] == seen[1][0] == nowhere, "a stranger's balance is not told as nobody's")
    todo = iter(range(trial.amount))

    async def lane() -> None:
        for nth in todo:
            who, whose, what = nth % 2, nth // 2 % 2, nth // 4 % 3
            if what < 2:
                reply = await desk.ask("GET", f"/v1/players/{ids[whose]['player']}/balance", keys[who])
                trial.expect(reply.now == seen[who][whose].now, f"call {nth}: {reply.status} {reply.body[:150]!r}")
            else:
                reply = await desk.ask("GET", f"/v1/events?limit=5&after={nth % 5}", keys[who])
                sources = {one["source"].rpartition("/")[2] for one in orjson.loads(reply.body)["events"]}
                trial.expect(sources <= {("demo", "rival")[who]}, f"call {nth}: events of {sources}")
            if nth % 500 == 0:
                trial.progress(nth, "interleaved")

    await asyncio.gather(*[lane() for _ in range(LANES)])
    trial.progress(trial.amount)


def rights(trial: Trial, database: Database) -> None:
    """What the login of requests is, and what it sees without an operator."""
    with database.connect(Role.REQUEST) as conn:
        plain = conn.execute(
            "SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolinherit FROM pg_roles"
            " WHERE rolname = current_user"
        ).fetchone()
        trial.expect(plain == (False,), "the login of requests has more rights than it should")
        tables = conn.execute(
            "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity, has_table_privilege(c.oid, 'SELECT'),"
            " pg_has_role(current_user, c.relowner, 'MEMBER'),"
            " EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'operator')"
            " FROM pg_class c WHERE c.relnamespace = 'studbook'::regnamespace AND c.relkind IN ('r', 'p')"
        ).fetchall()
        for name, forced, reads, owns, has_operator in tables:
            trial.expect(forced, f"row-level security is not forced on {name}")
            trial.expect(not owns, f"the login of requests owns {name}")
            if reads and has_operator:
                found = conn.execute(f"SELECT count(*) FROM studbook.{name}".encode()).fetchone()
                trial.expect(found == (0,), f"{name} shows {found} rows where no operator is set")
        for role in OWN_RIGHTS:
            try:
                conn.execute(f"SET ROLE {role.login}".encode())
                trial.expect(False, f"the login of requests becomes {role.login}")
            except psycopg.errors.InsufficientPrivilege:
                pass
    trial.figure("tables", len(tables))


async def reads_alone(trial: Trial, database: Database, hall: Hall) -> None:
    """With the logins of writer and projector gone every read is answered as before: none of them uses another."""
    desk, key, ours = hall.desk, hall.keys[0], hall.ids[0]
    calls = [one for one in hall.contract.operations("GET") if one.roles and "stream" not in one.path]
    before = [await desk.ask("GET", one.url(ours), key) for one in calls]
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        for role in (Role.WRITER, Role.PROJECTOR):
            conn.execute(f"ALTER ROLE {role.login} NOLOGIN".encode())
            conn.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", [role.login])
        after = [await desk.ask("GET", one.url(ours), key) for one in calls]
        refused = await desk.once("POST", "/v1/players", key, b'{"player":"late","currency":"EUR"}', "late")
        for role in (Role.WRITER, Role.PROJECTOR):
            conn.execute(f"ALTER ROLE {role.login} LOGIN".encode())
    for one, told, again in zip(calls, before, after, strict=True):
        trial.expect(told == again, f"{one}: {told.status}, without the writer's login {again.status}")
    trial.expect(refused.status == 503, f"a command without the writer's login: {refused.status}")


async def walked(trial: Trial, database: Database) -> None:
    roles = {role: key_for(database, "demo", frozenset({role})) for role in ROLES}
    rival = key_for(database, "rival", ROLES)
    async with serving(database) as client:
        app: Any = client.http._transport
        desk, ours = Desk(app.app), await furnished(client)
        key = client.http.headers["authorization"].removeprefix("Bearer ")
        client.http.headers["authorization"] = f"Bearer {rival}"
        own = await furnished(client)
        contract = Contract(orjson.loads((await desk.ask("GET", "/openapi.json", None)).body))
        trial.progress(0, "every call without a key and with lower roles")
        hall = Hall(desk, contract, (key, rival), (ours, own))
        await lower(trial, hall, roles)
        rights(trial, database)
        await reads_alone(trial, database, hall)
        await pairs(trial, hall)
        await interleaved(trial, hall)
    trial.figure("requests", desk.calls)
    trial.figure("asked again", desk.again)


def run(trial: Trial) -> None:
    told = {"STUDBOOK_FAILED_LOGINS": "off"}
    logging.getLogger().addHandler(logging.NullHandler())  # that two logins are shut out is told at length
    one = patch.multiple("api.main.application", READ_POOL=1, KEY_POOL=1)
    with ground(trial) as database, patch.dict(os.environ, told), one:
        asyncio.run(walked(trial, database))


FAULT: Final = Fault("F19", "another operator's ids, lower roles, no key", CALLS, LONG_CALLS, "calls", run)
