"""What the benchmark stands on: one embedded PostgreSQL server with the service's stores and its peers' databases."""

from __future__ import annotations

import asyncio
import os
import secrets
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

from adapters.database.connections import connect
from adapters.database.migrations import migrate
from adapters.database.roles import create_database
from adapters.database.settings import Role
from adapters.embedded import Cluster
from adapters.event_store import PostgresLog
from adapters.projector import Projector, rebuild
from adapters.projector.storage import add_first_generations, prepare_session
from adapters.vault_keys import CARD_KEY_VARIABLE, new_key_text, vault_from_text
from api.main.bench_copies import copy_casino
from api.main.bench_fill import play_casino
from api.main.bootstrap import DEMO, demo_key
from api.main.environment import DATABASE_URL
from api.main.faults import told
from api.main.garbage import settled_down
from domain.ids import round_stream, seat_prefix
from domain.streams import State, evolve
from domain.views import MODELS

MAIN: Final = "studbook"
"""The database of `serve --data-dir`."""

SMALL: Final = "bench_small"
LARGE: Final = "bench_large"
WAGER: Final = "seat.wager_placed.v1"
"""The one event of an accepted call that places wagers."""

PAGE: Final = 5_000
_RAW: Final = """
    SELECT notification_id, originator_id, originator_version, topic, state FROM studbook.stored_events
    WHERE notification_id > %s ORDER BY notification_id LIMIT %s"""

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """A store of the service's: how `serve` and `verify` are told of it, and its API key."""

    name: str
    options: tuple[str, ...]
    environ: Mapping[str, str]
    key: str
    rounds: tuple[str, ...] = ()
    wagers: int = 0
    """How many it held when it was made."""


class Ground:
    """A running server. Everything on it is thrown away at the end."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @property
    def data_dir(self) -> Path:
        """The folder of the server."""
        return self._cluster.data_dir

    @property
    def pid(self) -> int:
        """The server's process number; its children are the backends."""
        return self._cluster.pid

    def program(self, name: str) -> Path:
        """Where a program of PostgreSQL lies."""
        return self._cluster.programs / name

    def conninfo(self, database: str) -> str:
        """The superuser's connection string, for peers and for counting."""
        return self._cluster.superuser(database)

    def shown(self, *names: str) -> dict[str, str]:
        """Settings as the server has them, such as `fsync`."""
        with psycopg.connect(self.conninfo("postgres")) as conn:
            rows = conn.execute("SELECT name, setting FROM pg_settings WHERE name = ANY (%s)", [list(names)]).fetchall()
        return dict(rows)

    def checkpoint(self) -> None:
        """So that every slice begins with the same amount of unwritten work: none."""
        with psycopg.connect(self.conninfo("postgres"), autocommit=True) as conn:
            conn.execute("CHECKPOINT")

    def make_database(self, name: str) -> str:
        """A database for a peer; its superuser's connection string."""
        with psycopg.connect(self.conninfo("postgres"), autocommit=True) as conn:
            conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return self.conninfo(name)

    def main_store(self) -> Store:
        """The empty store that `serve --data-dir` makes for itself; the key is the one that it prints."""
        return Store(MAIN, ("--data-dir", str(self.data_dir)), plain_environment(), "")

    @told()
    def filled_stores(self, events: int, copies: int, progress: Progress) -> tuple[Store, Store]:
        """Two stores: one with a casino of so many events, and one that holds so many copies of it besides.

        The read models of both hold all events.
        """
        card_key = new_key_text()
        settings = self._cluster.settings(SMALL)
        with connect(self.conninfo("postgres")) as conn:
            create_database(conn, SMALL)
        migrate(settings.conninfo(Role.OWNER))
        folder = self.data_dir / "bench"
        folder.mkdir()
        key = demo_key(settings, folder, None)
        assert key is not None, "the database of a benchmark is new, so nobody has revoked its key"
        vault = vault_from_text(card_key, CARD_KEY_VARIABLE)
        rounds = tuple(asyncio.run(play_casino(settings.conninfo(Role.WRITER), vault, events, progress)))
        _fold(settings.conninfo(Role.PROJECTOR))
        with connect(self.conninfo("postgres")) as conn:
            conn.execute(f"CREATE DATABASE {LARGE} TEMPLATE {SMALL} OWNER {Role.OWNER.login}")
            create_database(conn, LARGE)
        with connect(self.conninfo(LARGE)) as conn:
            copy_casino(conn, copies, progress)
        return self._store(SMALL, card_key, key, rounds), self._store(LARGE, card_key, key, rounds)

    def _store(self, name: str, card_key: str, key: str, rounds: tuple[str, ...]) -> Store:
        settings = self._cluster.settings(name)
        with connect(self.conninfo(name)) as conn:
            conn.execute("VACUUM (FREEZE, ANALYZE)")
        passwords = {role.password_variable: password for role, password in settings.passwords.items()}
        environ = {**plain_environment(), **passwords, DATABASE_URL: settings.url, CARD_KEY_VARIABLE: card_key}
        return Store(name, ("--database-url", settings.url), environ, key, rounds, self.count(name))

    @told()
    def rebuild_per_s(self, name: str) -> float:
        """Events per second of a full rebuild of all read models, from the first event to the last old row's end."""
        conninfo = self._cluster.settings(name).conninfo(Role.PROJECTOR, "studbook bench")
        with settled_down(), connect(conninfo) as conn:
            began = time.perf_counter()
            made = rebuild(conn)
            return min(one.position for one in made) / (time.perf_counter() - began)

    def raw_read_per_s(self, name: str) -> float:
        """Events per second of reading the same events in order: one connection, binary, page by page."""
        with psycopg.connect(self.conninfo(name), autocommit=True) as conn:
            began, after, count = time.perf_counter(), 0, 0
            while True:
                with conn.cursor(binary=True) as cursor:
                    rows = cursor.execute(_RAW, [after, PAGE]).fetchall()
                count += len(rows)
                if len(rows) < PAGE:
                    return count / (time.perf_counter() - began)
                after = rows[-1][0]

    @told()
    def replay_ms(self, store: Store, rounds: int) -> float:
        """Milliseconds to have one old round in full from its events, its seats included: the median of several."""
        chosen = [secrets.choice(store.rounds) for _ in range(rounds)]
        return asyncio.run(_replayed(self._cluster.settings(store.name).conninfo(Role.WRITER), chosen))

    def events(self, store: Store) -> int:
        """How many events a store's log holds."""
        with psycopg.connect(self.conninfo(store.name)) as conn:
            row = conn.execute("SELECT max(notification_id) FROM studbook.stored_events").fetchone()
        return int(row[0]) if row and row[0] else 0

    def count(self, name: str, event: str = WAGER) -> int:
        """How many events of a kind the log of a store holds."""
        with psycopg.connect(self.conninfo(name)) as conn:
            row = conn.execute("SELECT count(*) FROM studbook.stored_events WHERE topic = %s", [event]).fetchone()
        return int(row[0]) if row else 0


@contextmanager
def ground(folder: Path) -> Iterator[Ground]:
    """Start a server in a folder that does not exist yet, and stop it at the end. Unavailable in one line."""
    with told():
        cluster = Cluster.start(folder)
    try:
        yield Ground(cluster)
    finally:
        cluster.stop()


def plain_environment() -> dict[str, str]:
    """The environment without anything that would tell a child of another service or database."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("STUDBOOK_", "POSTGRES_"))}


def _fold(conninfo: str) -> None:
    """Bring the read models up to the last event."""
    projector = Projector(conninfo, threading.Event())
    with connect(conninfo) as conn:
        prepare_session(conn)
        add_first_generations(conn, list(MODELS.values()))
        while projector.step(conn):
            pass


async def _replayed(writer: str, rounds: Sequence[str]) -> float:
    store, took = PostgresLog(writer), list[float]()
    await store.aopen()
    try:
        for one in rounds:
            began = time.perf_counter()
            stream = round_stream(DEMO, one)
            async with store.turn((), None) as turn:
                loaded = await turn.load({stream}, {seat_prefix(DEMO, one)})
            states: dict[str, State | None] = {}
            for event in loaded.events:
                states[event.stream] = evolve(event.stream, states.get(event.stream), event.event)
            took.append(time.perf_counter() - began)
            if states.get(stream) is None or len(states) < 2:
                raise AssertionError(f"round {one} has no seats")
    finally:
        await store.aclose()
    return statistics.median(took) * 1_000
