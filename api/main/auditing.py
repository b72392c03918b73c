"""`studbook verify` and `studbook rebuild`, on the projector's login: it reads all events and writes read models."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from psycopg import Connection

from adapters.database.connections import connect
from adapters.database.migrations import migrate, schema_state
from adapters.database.settings import Role
from adapters.event_store import LogReader
from adapters.event_store.answers import AnswerReader
from adapters.event_store.rows import RowReader
from adapters.projector import Rebuilt, Skip, rebuild, skip, skips
from api.logs.setup import configure
from api.main.database import prepare
from api.main.environment import DATABASE_URL, EMBEDDED_DIR, environment
from api.main.faults import told
from api.main.garbage import settled_down
from api.main.models_beside import models_of
from api.main.place import Place
from api.main.witness import Witness, witnessed
from services.audit import Audit, Finding, audit
from services.records import KeptAnswer

Progress = Callable[[str, int, int], None]
"""Told what is being done, how far it is, and how far it goes."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found over the whole database; `skips` are events that read models pass over by a record."""

    audit: Audit
    models: tuple[Finding, ...]
    skips: tuple[Skip, ...]
    witness: Witness
    store: str
    """The folder, or the database and its host, that was read."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that does not hold."""
        return (*self.audit.findings, *self.models)


@told()
def verify(
    database_url: str | None, data_dir: Path | None, progress: Progress, keys: Path | None = None
) -> Verification:
    """Versions and chain, anchors, laws of the ledger, pool identities, read models against a fresh fold. `keys`: the
    public keys that anchors must be signed with; else those of the installation.
    """
    with ExitStack() as stack:
        conn = _connect(database_url, data_dir, stack)
        schema_state(conn)
        reader = LogReader(conn)
        found = reader.head()
        head = 0 if found is None else found[0]
        witness = witnessed(head, keys)
        compared = stack.enter_context(models_of(conn, environment().settings.conninfo(Role.PROJECTOR), head))
        stack.enter_context(settled_down())
        checked = audit(
            reader.raw(), RowReader().read, witness.anchors, lambda at: progress("events", at, head), witness.tail
        )
        findings = [*_beside(reader, checked), *witness.findings, *_behind(conn, reader)]
        findings += _answers(checked)
        findings += compared(lambda at: progress("read models", at, head))
        progress("read models", head, head)
        return Verification(checked, tuple(findings), tuple(skips(conn)), witness, _store(conn))


@told()
def rebuild_models(
    database_url: str | None, data_dir: Path | None, names: Collection[str], progress: Progress
) -> list[Rebuilt]:
    """Fold the named models (all when none is named) anew while the service runs. KeyError for an unknown name."""
    with ExitStack() as stack:
        conn = _connect(database_url, data_dir, stack)
        schema_state(conn)
        found = LogReader(conn).head()
        head = 0 if found is None else found[0]
        stack.enter_context(settled_down())
        return rebuild(conn, names, lambda at: progress("events", at, head))


@told()
def skip_event(
    database_url: str | None, data_dir: Path | None, model: str, position: int, *, decided_by: str, reason: str
) -> str:
    """Let a stopped read model pass over the event at `position`; the fault that stopped it. SkipRefused."""
    with ExitStack() as stack:
        conn = _connect(database_url, data_dir, stack)
        schema_state(conn)
        return skip(conn, model, position, decided_by=decided_by, reason=reason)


@told()
def recorded_skips(database_url: str | None, data_dir: Path | None) -> list[Skip]:
    """Every event that operators have let a read model pass over."""
    with ExitStack() as stack:
        conn = _connect(database_url, data_dir, stack)
        schema_state(conn)
        return skips(conn)


@told()
def migrate_schema(database_url: str | None) -> list[str]:
    """Apply what steps are missing, as the owner; their names."""
    configure("migrate")
    if database_url is not None:
        os.environ[DATABASE_URL] = database_url
    return migrate(environment().settings.conninfo(Role.OWNER))


def _connect(database_url: str | None, data_dir: Path | None, stack: ExitStack) -> Connection:
    prepare(Place(database_url, data_dir), stack)
    return stack.enter_context(connect(environment().settings.conninfo(Role.PROJECTOR, "studbook audit")))


def _answers(checked: Audit) -> list[Finding]:
    """What is wrong with the answers that keys have served, which the writer's login reads. Of a log with faults of its
    own nothing is said.
    """
    if checked.findings:
        return []
    with connect(environment().settings.conninfo(Role.WRITER, "studbook audit")) as conn, conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        reader = AnswerReader(conn)
        faults = checked.records.check((KeptAnswer(*one) for one in reader.read()), reader.head())
    return [Finding("answers", one.position, one.reason) for one in faults]


def _beside(reader: LogReader, checked: Audit) -> list[Finding]:
    """Events that are in the table and not in the log that was read, as the writer's login sees it: who reads a stream
    would take them for its own. Where the chain has a fault, that is the first bad position.
    """
    if not checked.holds("chain"):
        return []
    found = []
    with connect(environment().settings.conninfo(Role.WRITER, "studbook audit")) as conn:
        writers = LogReader(conn)
        for one in writers.beside(checked.events):
            where = checked.events + 1 if one.position is None else one.position
            what = "has no position" if one.position is None else f"is at position {one.position}, where no other is"
            found.append(Finding("chain", where, f"an event of stream {one.stream} {what}"))
        seen = writers.head()
    shown = reader.head()
    if seen is not None and (shown is None or shown[0] < seen[0]):
        at = checked.events + 1 if shown is None else shown[0] + 1
        found.append(Finding("chain", at, f"the writer sees {seen[0]} events, the projector fewer"))
    return found


def _store(conn: Connection) -> str:
    """Which database that was, so that nobody takes the check of one for that of another."""
    at = os.environ.get(EMBEDDED_DIR)
    return at if at else f"{conn.info.dbname} at {conn.info.host}"


def _behind(conn: Connection, reader: LogReader) -> list[Finding]:
    """A log that ends before what read models have seen has lost its tail."""
    row = conn.execute("SELECT max(position) FROM view_progress").fetchone()
    seen = row[0] if row and row[0] else 0
    found = reader.head()
    end = 0 if found is None else found[0]
    if seen <= end:
        return []
    return [Finding("chain", end + 1, f"the log ends at {end}, the read models have seen {seen}")]
