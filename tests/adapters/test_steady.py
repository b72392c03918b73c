"""F09: time goes on steadily whatever the machine's clock does, and comes up to it in the end."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.steady import SLEW, STEP_SECONDS, SteadyTime, since_boot

ROOT = Path(__file__).resolve().parents[2]
START = 1_900_000_000.0
HOUR = 3_600.0


@dataclass
class Machine:
    """A counter and a clock that a test moves."""

    at: float = 1_000.0
    off: float = 0.0

    def elapsed(self) -> float:
        return self.at

    def wall(self) -> float:
        return START + self.at + self.off

    def time(self) -> SteadyTime:
        return SteadyTime(self.wall, self.elapsed)

    @property
    def true(self) -> float:
        """The time without any jump."""
        return START + self.at


def test_without_jumps_it_is_the_machines_clock() -> None:
    machine = Machine()
    time = machine.time()
    for _ in range(1_000):
        machine.at += 0.37
        assert time.seconds() == machine.wall()
    assert (time.jumps, time.off) == (0, 0.0)


@pytest.mark.parametrize("jump", [HOUR, -HOUR, -24 * HOUR, 0.75, -0.75])
def test_F09_a_jump_cuts_no_window_of_a_hundred_seconds_by_more_than_a_second(
    jump: float, caplog: pytest.LogCaptureFixture
) -> None:
    # given a window of 100 seconds that is half over
    machine = Machine()
    time = machine.time()
    closes = time.seconds() + 100
    machine.at += 50
    time.seconds()
    machine.off = jump
    # when the clock has jumped, then it closes after a hundred seconds, give or take one
    before = time.seconds()
    assert before == pytest.approx(machine.true, abs=0.51)
    while time.seconds() < closes:
        machine.at += 0.01
        now = time.seconds()
        assert now >= before or abs(jump) < 1  # only a correction goes back
        before = now
    assert machine.at == pytest.approx(1_100, abs=1.0)
    [line] = [one.message for one in caplog.records if one.levelno >= logging.ERROR]
    assert f"{jump:+.3f} s" in line
    assert time.jumps == 1


def test_it_comes_up_to_the_machines_clock_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    time = machine.time()
    machine.off = 10.0
    time.seconds()
    assert time.off == pytest.approx(10.0)
    for _ in range(1_200):
        machine.at += 1.0
        time.seconds()
    assert time.seconds() == machine.wall()
    assert (time.off, time.jumps) == (0.0, 1)
    assert "agree again" in caplog.records[-1].message


def test_a_jump_there_and_back_is_two_jumps_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    time = machine.time()
    for off in (HOUR, 0.0):
        machine.off = off
        machine.at += 1.0
        time.seconds()
    assert time.seconds() == pytest.approx(machine.true, abs=0.02)
    assert (time.off, time.jumps) == (0.0, 2)
    there, back = (one.message for one in caplog.records)
    assert "jumped by +3600.000 s" in there
    assert "jumped by -3599.990 s" in back
    assert "agree again" in back


def test_two_jumps_after_each_other_are_both_told(caplog: pytest.LogCaptureFixture) -> None:
    machine = Machine()
    time = machine.time()
    for off in (HOUR, 3 * HOUR):
        machine.off = off
        for _ in range(100):
            machine.at += 1.0
            time.seconds()
    assert time.jumps == 2
    told = [one.message for one in caplog.records]
    assert ["+3600.000" in told[0], "+7200.0" in told[1], len(told)] == [True, True, 2]


def test_each_jump_is_handed_over_once() -> None:
    machine = Machine()
    time = machine.time()
    assert time.take_jumps() == []
    for off in (HOUR, 3 * HOUR):
        machine.off = off
        time.seconds()
    assert time.take_jumps() == pytest.approx([HOUR, 2 * HOUR])
    assert time.take_jumps() == []


@pytest.mark.parametrize("step", [STEP_SECONDS, -STEP_SECONDS])
def test_a_small_correction_is_followed_at_once(step: float) -> None:
    machine = Machine()
    time = machine.time()
    machine.off = 0.9 * step
    assert time.seconds() == machine.wall()
    assert time.jumps == 0


def test_a_process_that_nobody_asked_for_hours_takes_the_corrections_of_that_time() -> None:
    # the kernel's corrections are at most half a second in a thousand
    machine = Machine()
    time = machine.time()
    machine.at += 10 * HOUR
    machine.off = 10 * HOUR * 0.0005
    assert time.seconds() == machine.wall()
    assert SLEW > 0.0005


def test_the_counter_grows() -> None:
    first = since_boot()
    assert since_boot() >= first


NO_SERVICE = ("api/bench/", "api/client/", "api/demo/", "api/commands/")
"""What runs once and ends, or somewhere else."""

MAY_ASK_THE_MACHINE = {
    "adapters/steady.py": "it is this clock",
    "api/conformance/network.py": "an integrator's own clock is compared with the service's",
    "api/tokens.py": "for tests; the service hands its clock in",
    "api/rates.py": "likewise",
    "api/signing.py": "likewise",
}


def test_F09_every_part_of_the_service_asks_this_clock() -> None:
    asking = re.compile(r"\btime\.time\b|\bdatetime\.(now|utcnow|today)\(|\bdate\.today\(")
    found = {
        str(path.relative_to(ROOT))
        for package in ("domain", "services", "adapters", "api")
        for path in (ROOT / package).rglob("*.py")
        if asking.search(path.read_text("utf-8"))
    }
    assert {one for one in found if not one.startswith(NO_SERVICE)} == set(MAY_ASK_THE_MACHINE)


def test_F09_the_doors_hand_this_clock_to_tokens_signatures_and_limits() -> None:
    text = (ROOT / "api" / "main" / "doors.py").read_text("utf-8") + (ROOT / "api/main/limited.py").read_text("utf-8")
    assert "Tokens(keys, STEADY.seconds)" in text
    assert "Signatures(secrets, SystemClock().now)" in text
    assert "Rates(requests, failures, STEADY.seconds)" in text
