"""F21: a log, its anchors, and what somebody made of them: each change is found at its first bad position.

Most mutations are made of rows in memory; one of each kind that a database can hold is made in a real one, past its
triggers, and found by `studbook verify`. The clean log raises no alarm: after dump and restore, read in another time
zone, loaded from its bundle.
"""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from unittest.mock import patch

from adapters.anchors.file import AnchorFile
from adapters.anchors.folder import Folder
from adapters.anchors.following import Follower
from adapters.anchors.reading import lines, read_anchors
from adapters.bundle import write_bundle
from adapters.database.migrations import migrate
from adapters.event_store import LogReader, PostgresLog
from adapters.event_store.rows import RowReader
from adapters.signing import Signer, Verifier
from adapters.vault import to_base64url
from api.main.auditing import verify
from api.main.moving import import_bundle
from domain.chain import RawEvent
from services.audit import Audit, Finding, Tail, audit
from services.chain import Anchor, verify_chain
from tests.adapters.projecting import catch_up
from tests.domain.showdowns import DOLLAR, EURO, LIVE
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground
from tests.faults.restoring import restored
from tests.faults.tampering import Kind, Log, Tampered
from tests.faults.tampering_anchors import KINDS
from tests.postgres import Database, new_database
from tests.store.commands import environment
from tests.support.casino import Casino, Play

ROUNDS: Final = 12
DEPOSITS: Final = 470
"""Nearly as many as it takes until a wallet's stream gets its closing entry."""
NOT_STORED: Final = {"positions_shifted", "filed_elsewhere", "emptied"}
STORED: Final = {kind.__name__ for kind in KINDS if kind.__name__ not in NOT_STORED}
"""What a database can hold: its own column names the operator, none is empty, and nobody needs a second kind of gap."""


class Story:
    """The log as it was written, with the folder of its anchors."""

    def __init__(self, database: Database, folder: Folder) -> None:
        self.database, self.folder = database, folder
        self.secret = secrets.token_bytes(32)
        self.follower = Follower(
            database.conninfo("projector"), folder, Signer(self.secret), lambda: datetime.now(UTC).isoformat()
        )

    async def tell(self) -> None:
        """Players of two currencies, three games, awards, voids, a closing entry, names in many scripts."""
        log = PostgresLog(self.database.conninfo("writer"))
        async with Casino(log) as casino:
            await casino.player("ann", "EUR", deposit=100_000)
            await casino.player("bob", "EUR", deposit=100_000)
            await casino.player("cyd", "USD", deposit=100_000)
            await casino.jackpot("j", EURO)
            await casino.table("live", LIVE)
            await casino.table("euro", EURO, jackpot="j")
            await casino.table("dollar", DOLLAR)
            for nth in range(DEPOSITS):
                await casino.deposit("ann", 100 + nth, transaction=f"bänk-{nth} ★ 日本 \u202e")
            for nth in range(ROUNDS):
                await self._round(casino, nth)
                casino.clock.forward(40)
                self.anchor()
            for nth in range(DEPOSITS, 500):  # no anchor vouches for these yet
                await casino.deposit("ann", 1_000 + nth, transaction=f"late-{nth}")
        await log.aclose()

    async def _round(self, casino: Casino, nth: int) -> None:
        table = ("live", "euro", "dollar")[nth % 3]
        plays = {"live": {"ann": Play()}, "dollar": {"cyd": Play(1)}}.get(
            table, {"ann": Play(1, "Ac Qc 9c 7c 5c"), "bob": Play(2, call=False)}
        )
        played = await casino.played(table, plays)
        if nth % 4 == 3:
            await casino.void(played)

    def anchor(self) -> None:
        """One more anchor."""
        file = AnchorFile.open(self.folder)
        assert file is not None
        with self.database.connect("projector") as conn:
            self.follower.step(conn, file, is_last=True)
        file.close()

    def log(self) -> Log:
        """All of it, in memory."""
        with self.database.connect("projector") as conn:
            rows = list(LogReader(conn).raw())
        return Log(rows, list(lines(self.folder.anchors)), Signer(self.secret), Signer(secrets.token_bytes(32)))


def run(trial: Trial) -> None:
    folder = Folder(trial.folder / "anchors")
    folder.make()
    with ground(trial) as database:
        story = Story(database, folder)
        asyncio.run(story.tell())
        catch_up(database)
        log = story.log()
        trial.figure("events", len(log.rows))
        trial.figure("anchors", len(log.lines))
        trial.expect(any(row.name == "wallet.carried.v1" for row in log.rows[log.anchored :]), "no closing entry")
        _no_false_alarm(trial, story, log)
        _in_memory(trial, log)
        _in_the_database(trial, story, log)
        _speed(trial, log)


def _in_memory(trial: Trial, log: Log) -> None:
    dice = random.Random(trial.seed)
    for nth in range(trial.amount):
        kind = KINDS[nth % len(KINDS)]
        made = kind(log, dice)
        found = _checked(trial, made, log)
        _expect(trial, kind, made, found)
        trial.progress(nth + 1, kind.__name__)
    trial.figure("kinds", len(KINDS))


def _checked(trial: Trial, made: Tampered, log: Log) -> Sequence[Finding]:
    """As `studbook verify` does it."""
    path = trial.folder / "anchors-made"
    path.write_text("".join(f"{line}\n" for line in made.lines))
    read = read_anchors(path, Verifier([log.signer.public]))
    anchors = [Anchor(position, bytes.fromhex(one)) for position, hashes in read.hashes.items() for one in hashes]
    head = made.rows[-1].position if made.rows else 0
    found: Audit = audit(made.rows, RowReader().read, anchors, tail=Tail(read.position, head))
    own = [] if read.fault is None else [Finding("anchors", read.fault.position, read.fault.reason)]
    return [*own, *found.findings]


def _expect(trial: Trial, kind: Kind, made: Tampered, found: Sequence[Finding]) -> None:
    mine = [one for one in found if one.check == made.check]
    told = f"{kind.__name__} at {made.at}: found {[(one.check, one.since, one.position) for one in found][:3]}"
    if not mine:
        trial.expect(False, told)
    elif made.within:
        trial.expect((mine[0].since or mine[0].position) <= made.at <= mine[0].position, told)
    else:
        trial.expect(mine[0].position == made.at, told)


@contextmanager
def _environ(story: Story, database: Database, folder: Path) -> Iterator[None]:
    known = {
        **environment(database),
        "STUDBOOK_ANCHOR_DIR": str(folder),
        "STUDBOOK_ANCHOR_KEY": to_base64url(story.secret),
    }
    with patch.dict(os.environ, known, clear=True):
        yield


def _verified(story: Story, database: Database, folder: Path) -> Sequence[Finding]:
    with _environ(story, database, folder):
        found = verify(database.settings.url, None, lambda *_: None).findings
    return [one for one in found if one.check != "models"]


def _in_the_database(trial: Trial, story: Story, log: Log) -> None:
    """One mutation of each kind, past the triggers of a copy."""
    dice = random.Random(trial.seed + 1)
    folder = Folder(trial.folder / "anchors-copied")
    folder.make()
    done = 0
    for kind in KINDS:
        if kind.__name__ not in STORED:
            continue
        made = kind(log, dice)
        folder.anchors.write_text("".join(f"{line}\n" for line in made.lines))
        with new_database(story.database.cluster, story.database.name) as copied:
            _put(copied, log.rows, made.rows)
            _expect(trial, kind, made, _verified(story, copied, folder.path))
        done += 1
        trial.progress(trial.done, f"in the database: {kind.__name__}")
    trial.figure("in a database", done)


def _put(database: Database, old: Sequence[RawEvent], new: Sequence[RawEvent]) -> None:
    """Make the table hold these rows, as somebody could who may switch off its triggers and keys."""
    columns = "notification_id, originator_id, originator_version, topic, state, operator_seq, hash"
    before, after = set(old), set(new)
    with database.tamper() as conn, conn.transaction():
        conn.execute("DROP INDEX stored_events_operator_seq")
        conn.execute("ALTER TABLE stored_events DROP CONSTRAINT stored_events_pkey")
        conn.execute(
            "DELETE FROM stored_events WHERE notification_id = ANY (%s)", [[o.position for o in before - after]]
        )
        for one in after - before:
            conn.execute(
                f"INSERT INTO stored_events ({columns}) VALUES (%s, %s, %s, %s, %s, %s, %s)".encode(),
                [one.position, one.stream, one.version, one.name, one.state, one.sequence, one.hash],
            )


def _no_false_alarm(trial: Trial, story: Story, log: Log) -> None:
    clean = Tampered(log.rows, log.lines, 0)
    trial.expect(_checked(trial, clean, log) == [], "a false alarm on the clean log, in memory")
    trial.expect(_verified(story, story.database, story.folder.path) == [], "a false alarm on the clean log")
    with restored(trial.folder, story.database) as copied:
        trial.expect(_verified(story, copied, story.folder.path) == [], "a false alarm after dump and restore")
        with copied.connect("projector") as conn:
            conn.execute("SET timezone = 'Pacific/Chatham'")
            conn.execute("SET bytea_output = 'escape'")
            rows = list(LogReader(conn, page=13).raw())
        trial.expect(rows == list(log.rows), "another time zone reads other rows")
    bundle = trial.folder / "bundle.gz"
    with story.database.connect("backup") as conn:
        write_bundle(conn, bundle, software="0", made_at=datetime.now(UTC))
    with new_database(story.database.cluster, "template0") as empty:
        _migrated(empty)
        with _environ(story, empty, story.folder.path):
            _, fault = import_bundle(empty.settings.url, None, bundle, lambda *_: None)
        trial.expect(fault is None, f"the bundle is not loaded: {fault}")
        trial.expect(_verified(story, empty, story.folder.path) == [], "a false alarm on the loaded bundle")


def _migrated(database: Database) -> None:
    migrate(database.conninfo("owner"))


def _speed(trial: Trial, log: Log) -> None:
    """How fast chain, and chain with all laws of the ledger, are; in seconds of this process alone."""
    began = time.process_time()
    verify_chain(log.rows)
    chained = time.process_time()
    audit(log.rows, RowReader().read)
    ended = time.process_time()
    trial.figure("chain events/s", round(len(log.rows) / (chained - began)))
    trial.figure("with ledger events/s", round(len(log.rows) / (ended - chained)))


FAULT: Final = Fault("F21", "a log that somebody changed", 204, 2_040, "mutations", run)
