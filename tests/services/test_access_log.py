"""The access log's notes: nothing waits, equal visits are counted, and what finds no room is told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from domain.access import DENIED, KEY_USED, LOST, AccessLine, Visit
from domain.errors import Unavailable
from services.access import LINES_MOST, USES_MOST, AccessLog

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
DENIAL = Visit(DENIED, "demo", "ann", "k1", "10.0.0.1", "GET", "/v1/journal", 403)


class Clock:
    at = NOON

    def now(self) -> datetime:
        return self.at


class Rows:
    """Keeps lines, or says that it cannot now."""

    def __init__(self) -> None:
        self.kept: list[AccessLine] = []
        self.is_away = False
        self.hangs = False

    async def append(self, lines: Sequence[AccessLine]) -> None:
        if self.is_away:
            raise Unavailable("away")
        if self.hangs:
            await asyncio.Event().wait()
        self.kept += lines


def opened() -> tuple[AccessLog, Rows, Clock, list[int]]:
    rows, clock, dropped = Rows(), Clock(), list[int]()
    return AccessLog(rows, clock, dropped.append), rows, clock, dropped


def use(log: AccessLog, key_id: str = "k1", address: str | None = "10.0.0.1") -> None:
    if not log.is_known(key_id, address):
        log.first_use(Visit(KEY_USED, "demo", "ann", key_id, address, "GET", "/v1/tables"), "r1")


async def test_equal_visits_of_one_second_are_one_line_that_counts_them() -> None:
    log, rows, _, _ = opened()
    for nth in range(5):
        log.note(DENIAL, f"r{nth}")
    log.note(replace(DENIAL, route="/v1/keys"), "other")
    assert log.waiting == 2
    await log.flush()
    assert [(one.visit, one.times, one.request_id) for one in rows.kept] == [
        (DENIAL, 5, "r0"), (replace(DENIAL, route="/v1/keys"), 1, "other"),
    ]  # fmt: skip
    await log.flush()
    assert len(rows.kept) == 2
    log.note(DENIAL, "r9")
    await log.flush()
    assert rows.kept[-1].times == 1


async def test_the_first_use_of_a_key_is_told_at_once_and_the_others_as_a_number_when_the_hour_ends() -> None:
    log, rows, clock, _ = opened()
    for _ in range(7):
        use(log)
    await log.flush()
    clock.at = NOON + timedelta(minutes=59)
    use(log)
    await log.flush()
    assert [(one.times, one.visit.route) for one in rows.kept] == [(1, "/v1/tables")]
    clock.at = NOON + timedelta(minutes=60)
    await log.flush()
    assert [(one.times, one.visit.detail) for one in rows.kept] == [(1, ""), (7, "further uses")]
    use(log)
    await log.flush()
    assert [one.times for one in rows.kept] == [1, 7, 1]


async def test_each_address_of_a_key_is_told_and_all_counts_when_the_process_stops() -> None:
    log, rows, _, _ = opened()
    for address in ("10.0.0.1", "10.0.0.2", "10.0.0.1", None):
        use(log, address=address)
    await log.stop()
    assert sorted((str(one.visit.address), one.times) for one in rows.kept) == [
        ("10.0.0.1", 1), ("10.0.0.1", 1), ("10.0.0.2", 1), ("None", 1),
    ]  # fmt: skip


async def test_more_addresses_than_are_told_apart_are_counted_without_them() -> None:
    log, rows, _, _ = opened()
    for nth in range(USES_MOST):
        use(log, address=f"a{nth}")
        if nth % 1_000 == 999:
            await log.flush()
    rows.kept.clear()
    for nth in range(USES_MOST, USES_MOST + 50):
        use(log, address=f"a{nth}")
    await log.stop()
    assert {one.visit.address for one in rows.kept} == {f"a{USES_MOST}", None}
    assert sum(one.times for one in rows.kept) == 50


async def test_while_the_database_is_away_lines_wait_and_lose_nothing() -> None:
    log, rows, clock, dropped = opened()
    rows.is_away = True
    log.note(DENIAL, "r1")
    await log.flush()
    clock.at = NOON + timedelta(seconds=5)
    log.note(DENIAL, "r2")
    log.note(replace(DENIAL, subject="bob"), "r3")
    await log.flush()
    rows.is_away = False
    await log.flush()
    assert [(one.at, one.times, one.request_id) for one in rows.kept] == [(NOON, 2, "r1"), (clock.at, 1, "r3")]
    assert dropped == []


async def test_lines_whose_write_is_broken_off_when_the_process_stops_are_written_then() -> None:
    log, rows, _, _ = opened()
    rows.hangs = True
    log.note(DENIAL, "r1")
    writing = asyncio.create_task(log.flush())
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    rows.hangs = False
    await log.stop()
    assert [(one.times, one.request_id) for one in rows.kept] == [(1, "r1")]


async def test_what_finds_no_room_is_counted_and_told_by_a_line_of_its_own() -> None:
    log, rows, _, dropped = opened()
    rows.is_away = True
    for nth in range(LINES_MOST + 30):
        log.note(replace(DENIAL, route=f"/{nth}"), None)
    log.note(replace(DENIAL, route="/0"), None)  # one that is there already needs no room
    await log.flush()
    assert log.waiting == LINES_MOST
    assert sum(dropped) == 30
    rows.is_away = False
    await log.flush()
    await log.flush()
    assert len(rows.kept) == LINES_MOST + 1
    assert (rows.kept[-1].visit.kind, rows.kept[-1].times) == (LOST, 30)
    assert rows.kept[-1].visit.operator is None
