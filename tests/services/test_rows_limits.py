"""A player's own limit at the house: valid for all games, in the operator's week (S3-21, C27)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from domain.errors import LimitReached, NotFound
from services import commands as c
from services.desk import Tools
from services.house import House
from tests.domain.showdowns import EURO, LAND, LIVE
from tests.support.casino import CURRENCY, Casino
from tests.support.fixtures import EXPONENTS, GlassVault, encode


async def test_S3_21_an_own_limit_holds_at_every_game_and_for_the_sum_of_the_spot(casino: Casino) -> None:
    await casino.player("ann", "EUR", deposit=100_000)
    limited = await casino.submit(c.SetLimit("ann", 1_000))
    assert (limited["ante_max"], limited["next_ante_max"], limited["effective_at"]) == (1_000, None, None)
    for game in (LIVE, EURO):
        await casino.table(game, game)
        round_id, seat = await casino.round(game), None if game == LIVE else 1
        with pytest.raises(LimitReached):
            await casino.wager(round_id, "ann", seat=seat, ante=1_001)
        await casino.wager(round_id, "ann", seat=seat, ante=700)
        with pytest.raises(LimitReached):
            await casino.wager(round_id, "ann", seat=seat, ante=301)
        await casino.wager(round_id, "ann", seat=seat, ante=300)


async def test_S3_21_the_limit_is_each_players_own_and_one_who_is_not_there_has_none(casino: Casino) -> None:
    for player in ("ann", "bob"):
        await casino.player(player, CURRENCY[LAND], deposit=100_000)
    await casino.submit(c.SetLimit("ann", 500))
    await casino.table("t", LAND)
    await casino.wager(await casino.round("t"), "bob", seat=1, ante=5_000)
    with pytest.raises(NotFound):
        await casino.submit(c.SetLimit("nobody", 500))


class Abroad(Casino):
    """A casino whose operator's week begins in New York."""

    def _house(self) -> House:
        zone = ZoneInfo("America/New_York")
        made = Tools(self.shoe, GlassVault(), EXPONENTS.__getitem__, "0", "test", zone)
        return House(self.log, self.clock, self.ids, made, encode)


async def test_C27_a_looser_limit_waits_for_friday_midnight_in_the_operators_zone() -> None:
    async with Abroad() as casino:
        casino.clock.time = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday; clocks change on Sunday the 8th
        await casino.player("ann", "EUR", deposit=100_000)
        await casino.submit(c.SetLimit("ann", 500))
        with pytest.raises(LimitReached):
            await casino.submit(c.SetLimit("ann", 400))
        casino.clock.time = datetime(2026, 3, 6, 4, 59, tzinfo=UTC)  # Thursday, 23:59
        with pytest.raises(LimitReached):
            await casino.submit(c.SetLimit("ann", 800))
        casino.clock.forward(60)
        waits = await casino.submit(c.SetLimit("ann", 800))
        assert (waits["ante_max"], waits["next_ante_max"]) == (500, 800)
        assert waits["effective_at"] == "2026-03-13T04:00:00Z"  # midnight in summer time
        await casino.table("t", LIVE)
        round_id = await casino.round("t")
        casino.clock.time = datetime(2026, 3, 13, 3, 59, 59, tzinfo=UTC)
        with pytest.raises(LimitReached):
            await casino.wager(round_id, "ann", ante=800)
        casino.clock.time += timedelta(seconds=1)
        await casino.wager(round_id, "ann", ante=800)
