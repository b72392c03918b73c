"""F23: a million rounds straight at the house, of all four games, with pools, voids and repeats: only the log grows.

The projector is a process of its own, and so is the one that holds I1 to I8 against what came, each 10,000 rounds.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from io import TextIOWrapper
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Final

from adapters.projector.facts import BATCH
from tests.adapters.projecting import all_at, catch_up, positions
from tests.adapters.projector_child import project
from tests.faults.evidence import wait_until
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.faults.follow import Look, follow
from tests.faults.ground import FULL_EVENTS, MODELS_SECONDS, ground, judged, whole_log
from tests.faults.hands import outside
from tests.faults.pulse import TENTHS, Latencies, Memory
from tests.faults.season import Season, Told, season_at
from tests.postgres import Database
from tests.store.support import head_of

LOOK_ROUNDS: Final = 10_000
SLOPE_ROUNDS: Final = 100_000
SLOPE_MB: Final = 1.0
WARM_SHARE: Final = 0.3
"""Caches fill up to their bounds in this share of a long run; memory is judged after it."""
RISE: Final = 1.5
APPENDS: Final = 2.0
MINUTES: Final = 75.0
LONG_ROUNDS: Final = 1_000_000
_SPAWN: Final = multiprocessing.get_context("spawn")


@dataclass(slots=True)
class Acknowledged:
    """What callers were told, one file for each look: it is not kept in memory."""

    folder: Path
    count: int = 0
    _file: TextIOWrapper | None = None

    def note(self, told: Told) -> None:
        """An answer came."""
        if self._file is None:
            self._file = (self.folder / f"told-{self.count}").open("w")
            self.count += 1
        self._file.write(f"{told.key} {told.position} {sha256(told.body).hexdigest()}\n")

    def cut(self) -> Path:
        """The file up to now; the next answer begins another."""
        if self._file is None:
            path = self.folder / f"told-{self.count}"
            path.touch()
            self.count += 1
            return path
        path = Path(self._file.name)
        self._file.close()
        self._file = None
        return path


@dataclass(slots=True)
class Eyes:
    """The process that looks, and what it found."""

    trial: Trial
    pipe: Pipe
    told: Acknowledged
    looks: int = 0
    last: Look | None = None
    _under_way: Path | None = field(default=None)

    async def look(self) -> None:
        """Begin a look when the last one has ended, so that it is never more than one behind."""
        await self.wait()
        self._under_way = self.told.cut()
        self.pipe.send(self._under_way)

    @property
    def has_looked(self) -> bool:
        """Whether what a look found lies ready."""
        return self._under_way is not None and self.pipe.poll()

    async def wait(self) -> None:
        """Until the look under way has ended."""
        if self._under_way is None:
            return
        found = await asyncio.to_thread(self.pipe.recv)
        self._under_way.unlink()
        self._under_way = None
        if isinstance(found, Exception):
            raise found
        self.last = found
        self.looks += 1
        self.trial.checked(found.findings)


@dataclass(slots=True)
class Run:
    """One run and what is measured of it."""

    trial: Trial
    season: Season
    eyes: Eyes
    latencies: Latencies
    memory: Memory
    pids: dict[str, int]
    began: float

    async def play(self, rounds: int) -> None:
        """So many rounds, looked at now and then; memory is noted between looks too."""
        trial, season = self.trial, self.season
        each, noted = min(LOOK_ROUNDS, max(1, rounds // 2)), max(1, rounds // 100)
        done = season.played
        look_at, note_at = done + each, done + noted
        work = asyncio.create_task(season.rounds(rounds))
        while not work.done():
            await asyncio.wait([work], timeout=0.25)
            trial.progress(min(season.played, trial.amount), self._note())
            if self.eyes.has_looked:
                await self.eyes.wait()
            if season.played >= note_at:
                self.memory.note(season.played, self.pids)
                note_at += noted
            if season.played >= look_at and not work.done():
                season.hold(True)
                await self.eyes.wait()
                season.hold(False)
                await self.eyes.look()
                look_at += each
        await work

    def _note(self) -> str:
        rate = self.season.played / (time.monotonic() - self.began)
        left = f"{(self.trial.amount - self.season.played) / rate / 60:.0f} min left" if rate else "begins"
        return f"{rate:.0f} rounds/s, {left}, {self.eyes.looks} looks"


@contextmanager
def child(work: Callable[..., None], *words: object) -> Iterator[int]:
    """A process of its own, ended with SIGKILL; its number."""
    process = _SPAWN.Process(target=work, args=words, daemon=True)
    process.start()
    assert process.pid is not None
    try:
        yield process.pid
    finally:
        process.kill()
        process.join()
        process.close()


def run(trial: Trial) -> None:
    """Play, look, and look at all of it in the end."""
    with ground(trial) as database:
        ours, theirs = multiprocessing.Pipe()
        conninfos = database.conninfo("writer"), database.conninfo("projector")
        with child(project, conninfos[1], BATCH) as projector, child(follow, theirs, *conninfos):
            trial.expect(wait_until(lambda: bool(positions(database)), MODELS_SECONDS), "no projector")
            asyncio.run(_season(trial, database, Eyes(trial, ours, Acknowledged(trial.folder)), projector))
        _all_of_it(trial, database)


async def _season(trial: Trial, database: Database, eyes: Eyes, projector: int) -> None:
    async with season_at(database, trial.seed, eyes.told.note) as season:
        latencies = Latencies()
        pids = {"services": os.getpid(), "projector": projector}
        made = Run(trial, season, eyes, latencies, Memory(), pids, time.monotonic())
        season.timed = lambda seconds: latencies.note(seconds, season.played / trial.amount)
        await made.play(trial.amount)
        spent = time.monotonic() - made.began
        wait_until(lambda: all_at(database, head_of(database)), MODELS_SECONDS * LIVENESS)
        await eyes.look()
        await eyes.wait()
        _figures(made, spent)
        await _hands(made)


def _figures(made: Run, spent: float) -> None:
    trial, season, last = made.trial, made.season, made.eyes.last
    assert last is not None
    trial.figure("rounds/s", round(season.played / spent))
    trial.figure("min", round(spent / 60, 1))
    trial.figure("events", last.position)
    trial.figure("voids", season.voided)
    trial.figure("repeats", season.repeated)
    trial.figure("asked again", season.asked_again)
    trial.figure("looks", made.eyes.looks)
    trial.figure("appends/round", last.turns / season.played)
    trial.expect(last.turns <= APPENDS * season.played, f"more than {APPENDS:g} appends a round")
    trial.figure("p99 ms", round(1000 * made.latencies.p99()))
    trial.figure(f"p99 {TENTHS}th/1st", round(made.latencies.rise(), 2))
    trial.expect(
        made.latencies.rise() <= LIVENESS * RISE, f"the p99 of the last tenth is above {LIVENESS} x {RISE} of the first"
    )
    if trial.amount >= LONG_ROUNDS:
        trial.expect(spent <= LIVENESS * 60 * MINUTES, f"it took more than {LIVENESS} times {MINUTES:g} minutes")
    for text in season.faults[:5]:
        trial.expect(False, f"I3: {text}")
    _memory(made)


def _memory(made: Run) -> None:
    """Growth is judged where a run is long enough to tell it from caches that fill."""
    trial = made.trial
    warm = int(WARM_SHARE * trial.amount)
    for name, samples in made.memory.samples.items():
        trial.figure(f"{name} MB", round(samples[-1][1]))
        grown = made.memory.slope(name, SLOPE_ROUNDS, warm)
        if grown is not None and trial.amount - warm >= SLOPE_ROUNDS:
            trial.figure(f"{name} MB/{SLOPE_ROUNDS:,} rounds", round(grown, 2))
            trial.expect(
                trial.amount < LONG_ROUNDS or grown <= SLOPE_MB,
                f"{name} grows by more than {SLOPE_MB:g} MB in {SLOPE_ROUNDS:,} rounds",
            )


async def _hands(made: Run) -> None:
    """A fair deck leaves a band of 99 % once in a hundred runs: then the same is counted once more on fresh rounds."""
    trial, last = made.trial, made.eyes.last
    assert last is not None
    trial.figure("hands", sum(count.total() for count in last.hands.values()))
    wrong = outside(last.hands)
    if wrong:
        trial.figure("hands again", "yes")
        await made.season.rounds(min(trial.amount, SLOPE_ROUNDS))
        await made.eyes.look()
        await made.eyes.wait()
        now = made.eyes.last
        assert now is not None
        for text in outside({who: now.hands[who] - count for who, count in last.hands.items()}):
            trial.expect(False, f"twice: {wrong}, then {text}")


def _all_of_it(trial: Trial, database: Database) -> None:
    """The whole log once more, by the checks of every other fault; page by page where it is too long for memory."""
    trial.progress(trial.done, "the whole log once more")
    began = time.monotonic()
    if head_of(database) <= FULL_EVENTS:
        judged(trial, database)
    else:
        catch_up(database)
        whole_log(trial, database.conninfo("projector"))
    trial.figure("whole log s", round(time.monotonic() - began))


FAULT: Final = Fault("F23", "a season of rounds at the house", 5_000, LONG_ROUNDS, "rounds", run)
