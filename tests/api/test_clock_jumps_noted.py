"""F09: a jump of the machine's clock stands in the access log, once for each process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import pytest

from adapters.clock import SystemClock
from adapters.steady import SteadyTime
from api.main import doors
from domain.access import CLOCK_JUMPED, AccessLine
from services.access import AccessLog


class Rows:
    """Keeps the lines."""

    def __init__(self) -> None:
        self.lines: list[AccessLine] = []

    async def append(self, lines: Sequence[AccessLine]) -> None:
        self.lines += lines


async def test_F09_a_jump_of_the_clock_is_noted_by_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    # given a process whose clock is put forward by an hour and back by a day
    off, rows = [0.0], Rows()
    steady = SteadyTime(lambda: 1_900_000_000.0 + off[0], lambda: 5.0)
    monkeypatch.setattr(doors, "STEADY", steady)
    monkeypatch.setattr(doors, "JUMPS_SECONDS", 0.001)
    access = AccessLog(rows, SystemClock())
    task = asyncio.create_task(doors._tell_jumps(access))
    for seconds in (3_600.0, -82_800.0):
        off[0] = seconds
        await asyncio.sleep(0.05)
    # when the access log is written
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    await access.flush()
    # then each jump is a line of the installation
    assert [(one.visit.kind, one.visit.operator, one.times) for one in rows.lines] == [(CLOCK_JUMPED, None, 1)] * 2
    assert [one.visit.detail.split(" by ")[1] for one in rows.lines] == ["+3600.000 s", "-86400.000 s"]
