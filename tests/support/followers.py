"""Readers that follow a log while many write to it, and a server that takes its time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from adapters.event_store import LogReader
from tests.postgres import Database


def slow_down_inserts(database: Database, seconds: float = 0.005, failing: float = 0.0) -> None:
    """Between an insert and its commit lie up to so many seconds; of some, by chance, nothing is left."""
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        conn.execute("SET search_path = studbook")
        conn.execute(
            "CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS"
            f" 'BEGIN PERFORM pg_sleep(random() * {seconds:f}); IF random() < {failing:f} THEN"
            " RAISE serialization_failure; END IF; RETURN NULL; END'"
        )
        conn.execute("CREATE TRIGGER pause AFTER INSERT ON stored_events FOR EACH STATEMENT EXECUTE FUNCTION pause()")


class Follower(threading.Thread):
    """Reads past the last position seen, for ever: by asking again at once, or only when the log announces itself."""

    def __init__(self, database: Database, *, listens: bool) -> None:
        super().__init__(daemon=True)
        self._conninfo = database.conninfo("projector")
        self._listens = listens
        self.is_listening = threading.Event()
        self.last = 2**60
        self.seen: list[int] = []

    def run(self) -> None:
        with psycopg.connect(self._conninfo, autocommit=True) as conn, psycopg.connect(self._conninfo) as bell:
            bell.autocommit = True
            bell.execute("LISTEN studbook_events")
            self.is_listening.set()
            reader = LogReader(conn, page=7)
            while len(self.seen) < self.last:
                if self._listens and not any(True for _ in bell.notifies(timeout=120, stop_after=1)):
                    return
                self.seen.extend(row.position for row in reader.raw(self.seen[-1] if self.seen else 0))


@contextmanager
def following(database: Database) -> Iterator[list[Follower]]:
    followers = [Follower(database, listens=listens) for listens in (False, True)]
    for follower in followers:
        follower.start()
        assert follower.is_listening.wait(120)
    yield followers
    for follower in followers:
        follower.join(150)
