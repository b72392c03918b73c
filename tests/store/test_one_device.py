"""One device overall with two processes: each obeys the switch that the other sets, from its next command (C29)."""

from __future__ import annotations

import json

from services import commands as c
from tests.domain.showdowns import EURO
from tests.postgres import Database
from tests.store.support import Ask, assert_sound, shop_of


async def test_C29_a_process_that_knew_several_devices_obeys_the_switch_of_another(database: Database) -> None:
    async with shop_of(database.conninfo("writer")) as one, shop_of(database.conninfo("writer")) as other:
        await one.furnish(["ann"], 100_000)
        (_, second) = await one.rounds_at(EURO, 2)
        await one.all_done(Ask(c.JoinTable("t0", "ann", 1, "phone", None), status=200))
        await one.all_done(Ask(c.PlaceWager(second, "ann", 1, 500, 0, 0)))
        await other.all_done(Ask(c.JoinTable("t1", "ann", 1, "phone", None), status=200))
        await one.all_done(Ask(c.SetOneDevice(True, "one terminal for each patron"), status=200))
        await other.all_done(Ask(c.JoinTable("t0", "ann", 1, "desk", None), status=200))
        asked = [
            Ask(c.PlaceWager(second, "ann", 1, 500, 0, 0, "phone")),
            Ask(c.LeaveTable("t1", "ann", "phone"), status=200),
        ]
        assert [found.code for found in await one.ask_all(asked)] == ["FORBIDDEN", "FORBIDDEN"]
        assert [found.code for found in await other.ask_all(asked)] == ["FORBIDDEN", "FORBIDDEN"]
        wallet = await one.all_done(Ask(c.DepositFunds("ann", 1, "EUR", "look")))
        assert json.loads(wallet[0].body)["balance"]["held"] == 0  # the bet at t1 was declined
    assert_sound(database)
