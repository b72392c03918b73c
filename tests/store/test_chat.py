"""Chat on the real store: what readers see, and that texts lie in one place alone and go when their time is up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from adapters.chat_texts import ChatTexts
from domain.errors import NotFound, Unavailable
from domain.rules import ChatPolicy
from services import commands as c
from services.queries import Reads, Turn
from services.queries.chat import Asked, ChatAnswer, ChatLog, chat, chat_log
from services.retention import Retention
from tests.adapters.projecting import catch_up
from tests.adapters.viewing import opened
from tests.domain.showdowns import EURO, LIVE
from tests.postgres import Database
from tests.store.pit import Pit, pit_of
from tests.store.support import assert_sound
from tests.support.cards import HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.counter import OPERATOR
from tests.support.fixtures import EXPONENTS

SECRET = "mellon-xyzzy"
DAYS_90 = timedelta(days=90)


@dataclass
class Room:
    """A casino whose chat is read as clients read it."""

    pit: Pit
    reads: Reads

    @property
    def casino(self) -> Casino:
        return self.pit.casino

    async def say(self, player: str, text: str) -> str:
        said = await self.casino.submit(c.PostMessage("t", player, text, f"{player}{'0' * 32}"), status=201)
        return str(said["message"])

    async def announce(self, text: str) -> None:
        await self.casino.submit(c.Announce("t", text, "0" * 32), status=201)

    async def seen(
        self, player: str | None = None, turn: Turn | None = None, after: int = 0, table: str = "t"
    ) -> ChatAnswer:
        await asyncio.to_thread(catch_up, self.pit.database)
        return await chat(self.reads, OPERATOR, Asked(table, turn or Turn(), after), player)

    async def log(self, operator: str = OPERATOR) -> ChatLog:
        await asyncio.to_thread(catch_up, self.pit.database)
        return await chat_log(self.reads, operator, Asked("t", Turn()))


@asynccontextmanager
async def room_of(database: Database) -> AsyncIterator[Room]:
    """Ann and Bob at table t, 200 days ago: the database lets nobody remove what is young by its own clock."""
    async with pit_of(database) as pit, opened(database) as views:
        casino = pit.casino
        casino.clock.time = datetime.now(UTC) - timedelta(days=200)
        await casino.table("t", LIVE)
        for player in ("ann", "bob"):
            await casino.player(player, deposit=10_000)
            await casino.submit(c.JoinTable("t", player, None, "phone", None))
        yield Room(pit, Reads(views, casino.clock, EXPONENTS))


def texts(answer: ChatAnswer | ChatLog) -> list[str | None]:
    return [one.text for one in answer.items]


async def test_S0_39_messages_are_read_newest_first_in_pages_and_past_a_position(database: Database) -> None:
    async with room_of(database) as room:
        for nth in range(5):
            await room.say("ann" if nth % 2 else "bob", f"message {nth}")
        await room.announce("good evening")
        first = await room.seen(turn=Turn(4))
        assert texts(first) == ["good evening", "message 4", "message 3", "message 2"]
        assert [one.by for one in first.items[:2]] == ["HOUSE", "PLAYER"]
        rest = await room.seen(turn=Turn(4, first.next))
        assert (texts(rest), rest.next) == (["message 1", "message 0"], None)
        assert texts(await room.seen(after=first.items[1].position)) == ["good evening"]
        assert (await room.seen()).may_write is None
        assert_sound(database)


async def test_S0_44_a_player_hides_what_others_write_on_every_device(database: Database) -> None:
    async with room_of(database) as room:
        await room.say("ann", "mine")
        await room.say("bob", "his")
        await room.announce("the house's")
        await room.casino.submit(c.SetSettings("ann", True, None, None, None, None))
        assert texts(await room.seen("ann")) == ["the house's", "mine"]
        assert texts(await room.seen("bob")) == texts(await room.seen()) == ["the house's", "his", "mine"]
        await room.casino.submit(c.SetSettings("ann", False, None, None, None, None))
        assert texts(await room.seen("ann")) == ["the house's", "his", "mine"]


async def test_S3_22_a_withdrawn_text_is_read_by_moderators_alone(database: Database) -> None:
    async with room_of(database) as room:
        message = await room.say("ann", SECRET)
        await room.casino.submit(c.WithdrawMessage("t", message, "abuse"))
        for who in (None, "ann", "bob"):
            (line,) = (await room.seen(who)).items
            assert (line.text, line.withdrawn, line.message) == (None, True, message)
        (logged,) = (await room.log()).items
        assert (logged.text, logged.intact, logged.withdrawn_reason) == (SECRET, True, "abuse")
        assert logged.withdrawn_at is not None


async def test_S3_22_a_player_reads_whether_the_chat_takes_messages(database: Database) -> None:
    async with room_of(database) as room:
        assert (await room.seen("ann")).may_write is True
        await room.casino.submit(c.SetVoice("ann", False, "abuse"))
        assert ((await room.seen("ann")).may_write, (await room.seen("bob")).may_write) == (False, True)
        await room.casino.submit(c.SetChat("t", ChatPolicy.OFF, "quiet hours"))
        shown, log = await room.seen("bob"), await room.log()
        assert (shown.chat, shown.may_write, log.chat_reason) == ("OFF", False, "quiet hours")
        await room.casino.submit(c.SetChat("t", ChatPolicy.ON, "day"))
        await room.casino.submit(c.LeaveTable("t", "bob"))
        assert (await room.seen("bob")).may_write is False


@pytest.mark.parametrize("way", ["dealt", "scanned"])
async def test_S2_02_a_player_reads_that_a_hand_keeps_the_chat_closed(database: Database, way: str) -> None:
    async with room_of(database) as room:
        casino = room.casino
        await casino.table("e", EURO)
        await casino.submit(c.SetChat("e", ChatPolicy.ON, "friendly table"))
        await casino.submit(c.JoinTable("e", "ann", 1, "phone", None))
        round_id = await casino.bets_closed("e", {"ann": Play()})
        assert (await room.seen("ann", table="e")).may_write is True
        if way == "dealt":
            await casino.deal(round_id, {1: hand(HIGH)})
        else:
            await casino.submit(c.ScanCard(round_id, "1", 1, "As", hold=False))
        assert (await room.seen("ann", table="e")).may_write is False
        await casino.void(round_id)
        assert (await room.seen("ann", table="e")).may_write is True


async def test_R22_another_operators_chat_is_not_there(database: Database) -> None:
    async with room_of(database) as room:
        await room.say("ann", SECRET)
        with pytest.raises(NotFound):
            await room.log("rival")
        async with room.reads.views.reading("rival", ()) as snapshot:
            assert await snapshot.texts(["id-0001", room.casino.body["message"]]) == {}


async def test_C30_a_message_is_read_for_90_days_less_a_moment_and_removed_at_90(database: Database) -> None:
    async with room_of(database) as room:
        await room.say("ann", "the older")
        room.casino.clock.forward(1)
        await room.say("ann", "the younger")
        retention = Retention(ChatTexts(database.conninfo("projector"), batch=1), room.casino.clock)
        room.casino.clock.forward(DAYS_90.total_seconds() - 2)
        assert await retention.look() == 0
        assert texts(await room.seen()) == ["the younger", "the older"]
        room.casino.clock.forward(1)
        assert texts(await room.seen()) == texts(await room.log()) == ["the younger"]  # though not yet removed
        assert await retention.look() == 1
        assert everything(database).count("the older") == 0
        assert everything(database).count("the younger") == 1
        room.casino.clock.forward(100)
        assert [await retention.look(), await retention.look()] == [1, 0]
        assert (await room.seen()).items == (await room.log()).items == ()
        assert_sound(database)


async def test_C30_a_text_lies_in_one_place_alone(database: Database) -> None:
    async with room_of(database) as room:
        message = await room.say("ann", SECRET)
        await room.casino.submit(c.WithdrawMessage("t", message, "abuse"))
        await room.seen()
        assert everything(database).count(SECRET) == 1


async def test_C30_a_text_that_was_exchanged_is_told(database: Database) -> None:
    async with room_of(database) as room:
        await room.say("ann", "hello")
        with psycopg.connect(database.superuser, autocommit=True) as conn:
            conn.execute("SET session_replication_role = replica")
            conn.execute("UPDATE studbook.chat_texts SET text = 'I cheat'")
        (line,) = (await room.log()).items
        assert (line.text, line.intact) == ("I cheat", False)


async def test_C30_without_a_database_nothing_is_removed_and_it_is_said(database: Database) -> None:
    nowhere = database.conninfo("projector").replace(database.name, "no_such_database")
    with pytest.raises(Unavailable):
        await ChatTexts(nowhere).forget(datetime.now(UTC))


def everything(database: Database) -> str:
    """All rows of all tables, as text; stored bytes as the text that they are."""
    with psycopg.connect(database.superuser, autocommit=True) as conn:
        conn.execute("SET bytea_output = 'escape'")
        tables = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'studbook'").fetchall()
        assert len(tables) > 6
        rows = [conn.execute(f"SELECT t::text FROM studbook.{name} t".encode()).fetchall() for (name,) in tables]
    return "\n".join(row[0] for found in rows for row in found)
