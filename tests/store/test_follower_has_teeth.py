"""The follower of a growing log (F23) finds what breaks I1 to I8 in what came since its last look."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from psycopg import Connection

from adapters.database.settings import Role
from tests.adapters.projecting import catch_up
from tests.faults.f23_season import Acknowledged
from tests.faults.fault import Trial
from tests.faults.follow import Follower
from tests.faults.ground import whole_log
from tests.faults.season import Season, season_at
from tests.postgres import Database

ROUNDS = 24


@dataclass(slots=True)
class Scene:
    """A casino, what its callers were told, and the follower."""

    database: Database
    season: Season
    told: Acknowledged
    follower: Follower

    async def play(self) -> int:
        """Some rounds; the position that the read models stand at then."""
        await self.season.rounds(ROUNDS)
        catch_up(self.database)
        return self.season.house.position

    def look(self) -> dict[str, list[str]]:
        """The invariants that break."""
        found = self.follower.look(self.told.cut())
        return {code: texts for code, texts in found.findings.items() if texts}


@asynccontextmanager
async def scene_at(database: Database, folder: Path) -> AsyncIterator[Scene]:
    told = Acknowledged(folder)
    async with season_at(database, 7, told.note, tables=8) as season:
        with closing(Follower(database.conninfo(Role.WRITER), database.conninfo(Role.PROJECTOR))) as follower:
            yield Scene(database, season, told, follower)
            told.cut()


async def test_F23_a_sound_log_breaks_nothing_at_any_look(database: Database, tmp_path: Path) -> None:
    async with scene_at(database, tmp_path) as scene:
        for _ in range(4):
            head = await scene.play()
            assert scene.look() == {}
            assert scene.follower.chain.position == head
        assert scene.follower.hands["dealer"].total() == 4 * ROUNDS - scene.season.voided_before_the_deal
        assert scene.season.faults == []


async def test_F23_read_models_that_are_behind_are_looked_at_when_they_come(database: Database, tmp_path: Path) -> None:
    async with scene_at(database, tmp_path) as scene:
        await scene.play()
        await scene.season.rounds(ROUNDS)
        assert scene.look() == {}
        catch_up(database)
        with database.tamper() as conn:
            conn.execute("DELETE FROM view_rows WHERE model = 'rounds'")
        assert scene.look()["I6"][0].startswith("rounds: ")


def edit(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Connection, int], None]:
    """Change the last event of that name."""

    def plant(conn: Connection, _: int) -> None:
        row = conn.execute(
            "SELECT notification_id, state FROM stored_events WHERE topic LIKE %s ORDER BY 1 DESC LIMIT 1",
            [f"{name}.%"],
        ).fetchone()
        assert row is not None
        document = orjson.loads(row[1])
        change(document)
        conn.execute("UPDATE stored_events SET state = %s WHERE notification_id = %s", [orjson.dumps(document), row[0]])

    return plant


def run(statement: str) -> Callable[[Connection, int], None]:
    """A statement of which `%s` is the head."""
    return lambda conn, head: conn.execute(statement.encode(), [head] * statement.count("%s")) and None


BREACHES = {
    "I1": edit("seat.settled", lambda one: one["data"]["results"][0].update(payout_minor=10**9)),
    "I2": run("DELETE FROM idempotency WHERE position = (SELECT max(position) FROM idempotency WHERE position <= %s)"),
    "I3": run("UPDATE idempotency SET position = position - 1 WHERE position = %s"),
    "I4": edit("wallet.funds_held", lambda one: one["data"].update(amount_minor=10**12)),
    "I5": edit("jackpot.contributed", lambda one: one["data"].update(increment_micro=1)),
    "I6": run(
        "UPDATE view_rows SET body = body || ' '::bytea WHERE ctid = (SELECT ctid FROM view_rows WHERE model ="
        " 'rounds' AND grp LIKE 'table/%%' ORDER BY key DESC LIMIT 1) AND %s > 0"
    ),
    "I7": run("UPDATE stored_events SET originator_version = originator_version + 1 WHERE notification_id = %s"),
    "I8": run("UPDATE stored_events SET hash = decode(repeat('ab', 32), 'hex') WHERE notification_id = %s"),
}


@pytest.mark.parametrize("code", BREACHES)
async def test_F23_a_breach_since_the_last_look_is_found(code: str, database: Database, tmp_path: Path) -> None:
    async with scene_at(database, tmp_path) as scene:
        await scene.play()
        assert scene.look() == {}
        head = await scene.play()
        with database.tamper() as conn:
            BREACHES[code](conn, head)
        assert code in scene.look()


async def test_F23_the_whole_log_is_judged_page_by_page(database: Database, tmp_path: Path) -> None:
    async with scene_at(database, tmp_path) as scene:
        head = await scene.play()
    sound, broken = Trial(1, tmp_path, 1), Trial(1, tmp_path, 1)
    whole_log(sound, database.conninfo(Role.PROJECTOR))
    assert sound.invariants == {"I1": True, "I7": True, "I8": True, "I6": True}
    with database.tamper() as conn:
        conn.execute("DELETE FROM view_rows WHERE ctid = (SELECT ctid FROM view_rows WHERE model = 'balances' LIMIT 1)")
        BREACHES["I8"](conn, head)
    whole_log(broken, database.conninfo(Role.PROJECTOR))
    assert broken.invariants == {"I1": True, "I7": True, "I8": False, "I6": False}
