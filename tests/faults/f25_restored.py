"""F25: a dump and a base backup are made while rounds are played; restored, they are the log up to then, and go on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from adapters.projector.facts import BATCH
from domain.errors import Refusal
from tests.adapters.projecting import catch_up
from tests.adapters.projector_child import project
from tests.faults.copies import base, dump, restored, rows, started
from tests.faults.f23_season import child
from tests.faults.fault import Fault, Trial
from tests.faults.ground import FULL_EVENTS, ground, judged, whole_log
from tests.faults.season import Season, Told, season_at
from tests.postgres import Database
from tests.store.support import head_of

SMALL_ROUNDS: Final = 400
LONG_ROUNDS: Final = 1_000_000
"""Of the whole run; a backup falls into each part of it."""
TABLES: Final = 40
MINUTES: Final = 20.0
KEPT_MOST: Final = 20_000
LONG: Final = 3
LEFT_MOST: Final = 5
_LEFT_OPEN: Final = """
    SELECT originator_id FROM stored_events WHERE topic LIKE 'round.opened.%' AND originator_id NOT IN (
        SELECT originator_id FROM stored_events WHERE topic LIKE 'round.settl%' OR topic LIKE 'round.cancelled.%'
            OR topic LIKE 'round.void%' OR topic LIKE 'round.showdown%')"""


@dataclass(slots=True)
class Copy:
    """A dump or a base backup, and the heads of the log before and after it was made."""

    path: Path
    before: int
    after: int


@dataclass(slots=True)
class Heard:
    """What callers were told, the latest of it."""

    told: list[Told] = field(default_factory=list)

    def note(self, one: Told) -> None:
        """An answer came."""
        self.told.append(one)
        if len(self.told) > 2 * KEPT_MOST:
            del self.told[:KEPT_MOST]


def run(trial: Trial) -> None:
    """Play, copy meanwhile, restore each copy into a fresh cluster, and hold it against the log that it is of."""
    rounds = (SMALL_ROUNDS if trial.amount < LONG else LONG_ROUNDS) // trial.amount
    heard = Heard()
    with ground(trial) as database:
        copies = asyncio.run(_played(trial, database, rounds, heard))
        whole = rows(database)
        passwords = database.cluster.data_dir / "passwords.json"
        for nth, pair in enumerate(copies, 1):
            for kind, copy in zip(("dump", "base"), pair, strict=True):
                folder = trial.folder / f"fresh-{kind}-{nth}"
                began = time.monotonic()
                made = restored(copy.path, folder) if kind == "dump" else started(copy.path, folder, passwords)
                with made as fresh:
                    _held_against(trial, f"{kind} {nth}", copy, whole, rows(fresh))
                    asyncio.run(_goes_on(trial, fresh, heard, f"{kind}-{nth}"))
                    if nth == len(copies):
                        _whole(trial, fresh)
                        minutes = (time.monotonic() - began) / 60
                        trial.in_time(f"{kind} restored and replayed min", minutes, MINUTES)
            trial.progress(nth, f"{nth} restored")


async def _played(trial: Trial, database: Database, rounds: int, heard: Heard) -> list[tuple[Copy, Copy]]:
    """The copies that were made while rounds were played."""
    made: list[tuple[Copy, Copy]] = []
    async with season_at(database, trial.seed, heard.note, TABLES) as season:
        season.places.pop()  # nobody plays at the last table yet
        with child(project, database.conninfo("projector"), BATCH):
            for nth in range(trial.amount):
                folder = trial.folder / f"copy-{nth}"
                folder.mkdir(mode=0o755)
                made.append(await _copied(season, database, folder, rounds))
                trial.progress(nth, f"{season.played} rounds, {head_of(database)} events")
    trial.figure("rounds", season.played)
    trial.figure("events", head_of(database))
    trial.expect(not season.faults, f"I3: {season.faults[:3]}")
    return made


async def _copied(season: Season, database: Database, folder: Path, rounds: int) -> tuple[Copy, Copy]:
    """So many rounds; in the middle of them a dump, then a base backup. The play goes on until both are there."""
    first = season.played
    playing = asyncio.create_task(season.rounds(rounds))
    while season.played < first + rounds // 2 and not playing.done():
        await asyncio.sleep(0.01)
    copies = []
    for make in (dump, base):
        before = head_of(database)
        copying = asyncio.create_task(asyncio.to_thread(make, database, folder))
        while not copying.done():
            if playing.done():
                await playing
                playing = asyncio.create_task(season.rounds(TABLES))
            await asyncio.wait([copying, playing], return_when=asyncio.FIRST_COMPLETED)
        copies.append(Copy(copying.result(), before, head_of(database)))
    await playing
    return copies[0], copies[1]


def _held_against(
    trial: Trial, name: str, copy: Copy, whole: list[tuple[int, bytes]], found: list[tuple[int, bytes]]
) -> None:
    """The copy is the beginning of the log, hash by hash, up to a moment while it was made."""
    trial.expect(found == whole[: len(found)], f"{name}: its hashes are not those of the log")
    trial.expect(
        copy.before <= len(found) <= copy.after, f"{name}: {len(found)} of {copy.before} to {copy.after} events"
    )
    trial.expect(copy.before < copy.after, f"{name}: nobody played while it was made")
    trial.figure(f"{name} events", len(found))


async def _goes_on(trial: Trial, fresh: Database, heard: Heard, name: str) -> None:
    """What was answered is known; rounds that were under way can be ended, and the next round of an old table and its
    bets stand right behind what was there."""
    before = rows(fresh)
    _known(trial, fresh, heard, len(before), name)
    with suppress_faults(trial, name):
        async with season_at(fresh, trial.seed, lambda _: None, TABLES, furnished=True) as season:
            for left in _left_open(fresh)[:LEFT_MOST]:
                await season.void(left, None)
                trial.count("rounds voided", 1)
            await season.play_round(season.places[-1])
    after = rows(fresh)
    trial.expect(after[: len(before)] == before, f"{name}: what was there has changed")
    trial.expect([position for position, _ in after] == list(range(1, len(after) + 1)), f"{name}: positions have a gap")
    trial.expect(len(after) > len(before), f"{name}: nothing was written")


@contextmanager
def suppress_faults(trial: Trial, name: str) -> Iterator[None]:
    """What is refused is a failure in words; the run goes on."""
    try:
        yield
    except Refusal as refusal:
        trial.expect(False, f"{name}: the next bet was refused: {refusal.detail}")


def _left_open(fresh: Database) -> list[str]:
    """Rounds that were under way when the copy was made, and not yet settled."""
    with fresh.connect("projector") as conn:
        found = conn.execute(_LEFT_OPEN).fetchall()
    return [str(name).rsplit("/", 1)[1] for (name,) in found]


def _known(trial: Trial, fresh: Database, heard: Heard, head: int, name: str) -> None:
    """I2 of the copy: each answer up to its head is kept in it, byte for byte."""
    told = [one for one in heard.told if one.position <= head]
    with fresh.connect("writer") as conn:
        kept = {
            key: (int(position), None if body is None else sha256(bytes(body)).hexdigest())
            for key, body, position in conn.execute(
                "SELECT key, body, position FROM idempotency WHERE scope = 'key' AND key = ANY (%s)",
                [[one.key for one in told]],
            )
        }
    lost = [one.key for one in told if one.key not in kept]
    other = [
        one.key for one in told if one.key in kept and kept[one.key][1] not in {None, sha256(one.body).hexdigest()}
    ]
    trial.count("answers known", len(told) - len(lost))
    trial.checked({"I2": [f"{name}: {len(lost)} of {len(told)} acknowledged commands are not there"] if lost else []})
    trial.checked({"I3": [f"{name}: {len(other)} answers are other ones"] if other else []})


def _whole(trial: Trial, fresh: Database) -> None:
    """Chain, ledger, and read models folded anew."""
    if head_of(fresh) <= FULL_EVENTS:
        judged(trial, fresh)
    else:
        catch_up(fresh)
        whole_log(trial, fresh.conninfo("projector"))


FAULT: Final = Fault("F25", "backup and restore", 1, LONG, "backups", run)
