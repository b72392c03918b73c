"""What players are told of a round that is investigated: in their own view, and in the table's chat (S0-46)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from domain.errors import Unavailable
from domain.rounds.notices import TEXTS, Notice
from domain.wallets.events import VoidPolicy
from services import commands as c
from services.queries import Reads, Turn
from services.queries.chat import Asked, chat
from services.queries.own import own_view
from tests.adapters.projecting import catch_up
from tests.adapters.viewing import opened
from tests.domain.showdowns import EURO
from tests.postgres import Database
from tests.store.pit import pit_of
from tests.support.cards import HIGH, PAIR, hand
from tests.support.casino import Casino, Play
from tests.support.counter import OPERATOR
from tests.support.fixtures import EXPONENTS, GlassVault

Deed = Callable[[Casino], Awaitable[str]]


async def paused(casino: Casino) -> str:
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await casino.submit(c.Pause(round_id, "card on the floor"))
    return round_id


async def resumed(casino: Casino) -> str:
    round_id = await paused(casino)
    await casino.submit(c.Resume(round_id, "found"))
    return round_id


async def stopped(casino: Casino) -> str:
    round_id = await paused(casino)
    await casino.void(round_id)
    return round_id


async def stopped_for_review(casino: Casino) -> str:
    round_id = await paused(casino)
    await casino.void(round_id, VoidPolicy.HOLD_FOR_REVIEW)
    return round_id


async def partly_for_review(casino: Casino) -> str:
    """Before the settlement: nothing was paid that could be held."""
    round_id = await casino.bets_closed("t", {"ann": Play(), "bob": Play(2)})
    wagers = tuple(one.wager for one in casino.seat(round_id, "ann").wagers)
    await casino.void(round_id, VoidPolicy.HOLD_FOR_REVIEW, wagers=wagers)
    return round_id


async def abandoned(casino: Casino) -> str:
    round_id = await paused(casino)
    casino.clock.forward(3600)
    await casino.submit(c.CancelAbandoned(round_id))
    return round_id


async def won(casino: Casino) -> str:
    return await casino.played("t", {"ann": Play(cards=hand(PAIR))})


async def voided(casino: Casino) -> str:
    round_id = await won(casino)
    await casino.void(round_id)
    return round_id


async def partly(casino: Casino) -> str:
    plays = {"ann": Play(cards=hand(PAIR)), "bob": Play(2)}
    round_id = await casino.played("t", plays)
    await casino.void(round_id, wagers=tuple(one.wager for one in casino.seat(round_id, "ann").wagers))
    return round_id


async def reviewed(casino: Casino) -> str:
    round_id = await won(casino)
    await casino.void(round_id, VoidPolicy.HOLD_FOR_REVIEW)
    await casino.resolve(round_id, VoidPolicy.CLAW_BACK)
    return round_id


async def resettled(casino: Casino) -> str:
    round_id = await won(casino)
    await casino.resettle(round_id, {1: hand(HIGH)})
    return round_id


STOPPED = "UNDER_INVESTIGATION"


@pytest.mark.parametrize(
    ("deed", "notices"),
    [
        (won, []),
        (paused, [STOPPED]),
        (resumed, [STOPPED, "RESUMED"]),
        (stopped, [STOPPED, "VOIDED"]),
        (stopped_for_review, [STOPPED, "VOIDED"]),
        (partly_for_review, ["WAGERS_VOIDED"]),
        (abandoned, [STOPPED, "CANCELLED"]),
        (voided, ["VOIDED"]),
        (partly, ["WAGERS_VOIDED"]),
        (reviewed, ["HELD_FOR_REVIEW", "REVIEW_RESOLVED"]),
        (resettled, ["RESETTLED"]),
    ],
    ids=lambda one: getattr(one, "__name__", "told"),
)
async def test_S0_46_a_message_tells_players_of_an_investigation_and_of_its_outcome(
    database: Database, deed: Deed, notices: list[str]
) -> None:
    async with pit_of(database) as pit, opened(database) as views:
        await pit.casino.table("t", EURO, abandon_seconds=3600)
        for player in ("ann", "bob"):
            await pit.casino.player(player, deposit=50_000)
        round_id = await deed(pit.casino)
        await asyncio.to_thread(catch_up, database)
        reads = Reads(views, pit.casino.clock, EXPONENTS)
        mine = await own_view(reads, GlassVault(), OPERATOR, round_id, "ann")
        assert [one.notice for one in mine.messages] == notices
        assert [one.text for one in mine.messages] == [TEXTS[Notice(one)] for one in notices]
        lines = (await chat(reads, OPERATOR, Asked("t", Turn()), "ann")).items
        assert [(one.notice, one.text, one.round, one.by) for one in reversed(lines)] == [
            (one, TEXTS[Notice(one)], round_id, "SYSTEM") for one in notices
        ]
        assert [one.at for one in mine.messages] == [one.at for one in reversed(lines)]


async def test_S0_22_a_player_reads_of_a_void_whose_cards_could_not_be_opened(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_key(*_: object) -> None:
        raise Unavailable("the card key is not here")

    async with pit_of(database) as pit, opened(database) as views:
        await pit.casino.table("t", EURO)
        await pit.casino.player("ann", deposit=50_000)
        round_id = await pit.casino.bets_closed("t", {"ann": Play()})
        await pit.casino.deal(round_id, {1: hand(HIGH)})
        monkeypatch.setattr(GlassVault, "open_cards", without_key)
        await pit.casino.void(round_id)
        await asyncio.to_thread(catch_up, database)
        mine = await own_view(Reads(views, pit.casino.clock, EXPONENTS), GlassVault(), OPERATOR, round_id, "ann")
        assert (mine.phase, mine.cards, mine.hand) == ("VOIDED", None, None)
        assert [one.notice for one in mine.messages] == ["VOIDED"]
