"""F15: golden files hold every event of every version that was ever shipped, and whole logs of the past.

All are decoded; a log adds up to the hash that was kept with it, also when it is replayed on a database and folded
into the read models. A version that nobody knows stops, and is named.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from adapters.codec import CODEC, NAMES, CodecError
from adapters.codec.upcasters import UPCASTERS
from domain.chain import GENESIS, link
from domain.ids import stream_operator
from services.ports import NewerEvent, Recorded
from tests.adapters.projecting import catch_up, positions
from tests.adapters.view_log import insert_rows
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground, judged
from tests.golden.events.generate import golden_lines
from tests.golden.events.history import kept_hash, lines, logs, read, state_hash
from tests.postgres import Database

LINES: Final = golden_lines()


def run(trial: Trial) -> None:
    for nth, (name, state) in enumerate(LINES[: trial.amount], 1):
        trial.expect(_is_decoded(name, state), f"a golden {name} is not decoded")
        trial.expect(_next_is_named(name, state), f"the version after {name} does not stop")
        trial.progress(nth, name)
    trial.expect({name for name, _ in LINES} >= {*NAMES, *UPCASTERS}, "an event has no golden line")
    for path in logs():
        events = read(path)
        trial.expect(state_hash(events) == kept_hash(path), f"{path.name} adds up to something else than it did")
        _replayed(trial, path, events)
    trial.figure("kinds", len(NAMES))
    trial.figure("logs", len(logs()))


def _is_decoded(name: str, state: bytes) -> bool:
    try:
        CODEC.decode(name, state)
    except (CodecError, NewerEvent):
        return False
    return True


def _next_is_named(name: str, state: bytes) -> bool:
    """A version far ahead stops, and the words name it."""
    ahead = f"{name.rpartition('.v')[0]}.v99"
    try:
        CODEC.decode(ahead, state)
    except NewerEvent as stopped:
        return ahead in str(stopped)
    return False


def _replayed(trial: Trial, path: Path, events: list[Recorded]) -> None:
    """The log in a database of today: every invariant, every read model at its end, and a newer event stops there."""
    with ground(trial, f"data-{path.stem}") as database:
        _stored(database, path)
        evidence = judged(trial, database, without="I9")  # rounds of the past were left open in it
        trial.expect(state_hash(evidence.events) == kept_hash(path), f"{path.name} is another one from the database")
        with database.tamper() as admin:
            admin.execute("UPDATE stored_events SET topic = 'wallet.deposited.v99' WHERE notification_id = %s", [9])
            admin.execute("DELETE FROM view_rows")
            admin.execute("DELETE FROM view_progress")
        catch_up(database)
        trial.expect(
            set(positions(database).values()) == {8}, f"{path.name}: a newer event at 9 stops at another place"
        )
        with database.connect("projector") as conn:
            reasons = {why for (why,) in conn.execute("SELECT stopped_reason FROM view_progress").fetchall()}
        trial.expect(all("wallet.deposited.v99" in (why or "") for why in reasons), f"it is not named: {reasons}")


def _stored(database: Database, path: Path) -> None:
    """As the writer of those days stored it, with its chain."""
    rows: list[tuple[object, ...]] = []
    chained, sequences = GENESIS, Counter[str]()
    for position, one in enumerate(lines(path), 1):
        operator = stream_operator(one.stream)
        sequences[operator] += 1
        placed = {"position": position, "sequence": sequences[operator]}
        chained = link(chained, stream=one.stream, version=one.version, name=one.name, state=one.state, **placed)
        rows.append((position, one.stream, one.version, one.name, one.state, sequences[operator], chained))
    with database.connect("writer") as conn:
        insert_rows(conn, rows)


FAULT: Final = Fault("F15", "events of the past", len(LINES), len(LINES), "events", run)
