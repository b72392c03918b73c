"""F09: the machine's clock jumps while a betting window is open: an hour, a day, on 29 February, with summer time.

The clock of the serving processes jumps, PostgreSQL's and ours stay true. So how long a window was open is measured
from outside, by when its events appear in the log.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from adapters.database.settings import Role
from tests.faults.calls import Calls
from tests.faults.check import Watch, check
from tests.faults.f20_replayed import Scene, signer
from tests.faults.faked import FakedClock, within
from tests.faults.fault import Fault, Trial
from tests.faults.load import Load
from tests.faults.nights import wrong_days
from tests.faults.stage import OPERATOR, OTHER, Stage
from tests.faults.windows import BETTING, CUT_MOST, Windows

HOUR: Final = 3_600.0
ZONE: Final = "Europe/Berlin"
CLIENTS: Final = 4
BEFORE_SECONDS: Final = 8.0
"""A process starts so long before a night's moment; the window that is open across it counts."""


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump of `seconds`; `at` is the moment before which the processes are started, None: they go on."""

    name: str
    seconds: float
    at: datetime | None = None


JUMPS: Final = (
    Jump("+1 h", HOUR),
    Jump("-1 h", -HOUR),
    Jump("-1 d", -24 * HOUR),
    Jump("summer time", HOUR, datetime(2027, 3, 28, 1, tzinfo=UTC)),
    Jump("winter time", -HOUR, datetime(2027, 10, 31, 1, tzinfo=UTC)),
    Jump("29 February", 24 * HOUR, datetime(2028, 2, 28, 23, tzinfo=UTC)),
)
"""Midnight at the beginning of 29 February is 23:00 UTC in the zone; a clock that knows no such day is a day ahead."""


@dataclass(slots=True)
class House:
    """What the steps share. `ours`: how far the service's own time is ahead of the true one, clock or no clock."""

    trial: Trial
    stage: Stage
    clock: FakedClock
    scene: Scene
    windows: Windows
    ours: float = 0.0
    over: list[str] = field(default_factory=list)
    """Rounds whose windows are over."""

    def now(self) -> float:
        """The service's time, seconds since 1970."""
        return time.time() + self.ours


def run(trial: Trial) -> None:
    """All in one house: three jumps under load, then three nights, before each of which it is started anew."""
    clock = FakedClock(trial.folder)
    with within(clock.environ() | {"STUDBOOK_ZONE": ZONE}):
        stage = Stage.start(trial.folder)
    with stage:
        calls = Calls()
        scene = Scene(trial, stage, calls, signer(stage, OPERATOR), signer(stage, OTHER))
        house = House(trial, stage, clock, scene, Windows(trial, stage, calls))
        house.windows.furnish()
        _under_load(house)
        for nth, jump in enumerate(JUMPS[3:], 4):
            assert jump.at is not None
            _started_before(house, jump.at)
            _jump(house, jump)
            trial.progress(nth, jump.name)
        _told(house)
        house.windows.end()
        watch = Watch(stage)
        watch.ended = datetime.fromtimestamp(house.now(), UTC)
        evidence = check(trial, stage, calls, watch)
        for text in wrong_days(stage, evidence, ZoneInfo(ZONE)):
            trial.expect(False, text)
        trial.figure("windows", len(house.over))


def _under_load(house: House) -> None:
    trial = house.trial
    with Load(house.stage, trial.seed, clients=CLIENTS) as load:
        for nth, jump in enumerate(JUMPS[:3], 1):
            _jump(house, jump)
            trial.progress(nth, f"{jump.name}, {load.acknowledged} acknowledged")
        _refuses_to_start(house)
        load.run_for(0.5)
        load.finish()
        trial.expect(not load.faults, f"clients failed: {load.faults[:3]}")
        calls = house.scene.calls
        calls.acknowledged.update(load.calls.acknowledged)
        calls.refused.update(load.calls.refused)
        calls.wrong += load.calls.wrong


def _jump(house: House, jump: Jump) -> None:
    """In the middle of a window the clock jumps; the window, tokens and signatures do as if nothing were."""
    trial, windows = house.trial, house.windows
    name, opened = _window(house, jump)
    token = windows.token()
    nth = len(house.over)
    signed = house.scene.ours.record(windows.deposit(f"before-{nth}"), int(house.now()))
    middle = opened + BETTING / 2 if jump.at is None else time.monotonic() + jump.at.timestamp() - house.now()
    time.sleep(max(0.0, middle - time.monotonic()))
    house.clock.set(house.clock.ahead + jump.seconds)
    windows.bet(name, 201, f"{jump.name}: a bet within the window")
    status = windows.get_with(token)
    trial.expect(status == 200, f"{jump.name}: a token of a moment ago is answered {status}")
    for what, at, wanted in (("before", None, 201), ("after", 0, 201), ("long-ago", -320, 401)):
        one = signed
        if at is not None:
            one = house.scene.ours.record(windows.deposit(f"{what}-{nth}"), int(house.now()) + at)
        reply, told = house.scene.send(1, one)
        trial.expect(reply.status == wanted, f"{jump.name}: a request signed {what} is answered {reply.status} {told}")
        if reply.is_done:
            house.scene.calls.note(one.command, reply)
    seconds = windows.closed(name) - opened
    trial.in_time("longest window s", seconds, BETTING + CUT_MOST)
    trial.figure("shortest window s", min(float(trial.figures.get("shortest window s", seconds)), seconds))
    trial.expect(seconds >= BETTING - CUT_MOST, f"{jump.name}: the window was open for {seconds:.2f} s only")
    house.over.append(name)
    for earlier in house.over:
        windows.bet(earlier, 409, f"{jump.name}: a bet on a window that is over")
    trial.expect(windows.caller.settle(signed.command).replayed, f"{jump.name}: a key of before is not known any more")


def _window(house: House, jump: Jump) -> tuple[str, float]:
    """The next window; that which is open across the moment of the night."""
    while True:
        name, opened = house.windows.next()
        if jump.at is None or house.now() + BETTING > jump.at.timestamp():
            return name, opened


def _started_before(house: House, moment: datetime) -> None:
    """Both doors anew, on a clock that is right, short before the moment."""
    for door in house.stage.doors:
        door.stop()
    house.clock.set_to(moment - timedelta(seconds=BEFORE_SECONDS))
    house.ours = house.clock.ahead
    for door in house.stage.doors:
        door.start()
    house.windows.caller.close()


def _refuses_to_start(house: House) -> None:
    """On a clock that is behind the log another process does not start, and says why in one line."""
    door = house.stage.doors[1]
    door.stop()
    said = door.log.stat().st_size
    try:
        door.start()
        house.trial.expect(False, "a process started on a clock that is a day behind")
    except RuntimeError:
        text = door.log.read_text(encoding="utf-8", errors="replace")[said:]
        house.trial.expect("the clock is behind the last event" in text, f"it said {text[-200:]!r}")
    house.clock.set(house.ours)
    door.start()


def _told(house: House) -> None:
    """Each process says each jump in its log, and the access log keeps them."""
    for door in house.stage.doors:
        told = sum("the machine's clock jumped by" in line for line in _lines(door.log.read_text(encoding="utf-8")))
        house.trial.expect(told >= len(JUMPS), f"{door.log.name} tells {told} of {len(JUMPS)} jumps")
        house.trial.count("jumps told", told)

    with house.stage.connect(Role.PROJECTOR) as conn:
        row = conn.execute("SELECT count(*) FROM access_log WHERE kind = 'CLOCK_JUMPED'").fetchone()
    kept = 0 if row is None else int(row[0])
    house.trial.expect(kept >= len(JUMPS), f"the access log tells {kept} of {len(JUMPS)} jumps")


def _lines(text: str) -> Iterator[str]:
    yield from text.splitlines()


FAULT: Final = Fault("F09", "the clock jumps", len(JUMPS), len(JUMPS), "jumps", run)
