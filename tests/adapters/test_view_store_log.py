"""What the queries answer about the floor and the log, over a real store."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from domain.errors import NotFound
from services import queries
from services.queries import Turn
from tests.adapters.viewing import reads_of, told
from tests.domain.views.plots import a_round, a_settled_round, one_of_everything, round_id, up_to_the_deal
from tests.domain.views.story import POOL, SEALED, SIDE, Story
from tests.postgres import Database


async def test_S0_40_support_finds_a_round_by_its_game_number_and_by_its_table(database: Database) -> None:
    story = one_of_everything()
    told(database, story)
    async with reads_of(database) as reads:
        by_table = await queries.rounds_by_table(reads, "demo", "T1", Turn(3))
        assert [one.round for one in by_table.items] == [round_id(3), round_id(2), round_id(1)]
        rest = await queries.rounds_by_table(reads, "demo", "T1", Turn(3, by_table.next))
        assert [one.round for one in rest.items] == [round_id(0)]
        number = by_table.items[0].game_number
        assert (await queries.rounds_by_game_number(reads, "demo", number)).items == by_table.items[:1]
        assert (await queries.rounds_by_game_number(reads, "demo", "x")).items == ()


async def test_S0_48_the_lobby_has_limits_seats_phase_and_meter(database: Database) -> None:
    told(database, a_round())
    async with reads_of(database) as reads:
        shared, seated = (await queries.tables(reads, "demo", Turn())).items
    assert (seated.table, seated.seats, seated.seats_taken, seated.phase) == ("T1", 4, (1, 2), "DECIDING")
    assert (seated.ante_min, seated.ante_max, seated.limits.side_min) == (100, 10_000, SIDE)
    assert seated.meter == POOL.seed_minor + 2 * SIDE * POOL.increment_ppm // 1_000_000
    assert (shared.table, shared.seats, shared.round, shared.phase, shared.meter) == ("T0", None, None, None, None)


async def test_R20_incomplete_rounds_are_listed_with_the_time_of_giving_up(database: Database) -> None:
    story = one_of_everything()
    told(database, story)
    async with reads_of(database) as reads:
        (found,) = (await queries.open_rounds(reads, "demo", Turn())).items
    assert (found.round, found.table, found.phase) == (round_id(9), "T0", "BETTING_OPEN")
    given_up = story.told[-1].at + timedelta(hours=1)
    assert found.abandoned_at == given_up.isoformat(timespec="microseconds").replace("+00:00", "Z")


async def test_a_transaction_is_found_by_the_operators_reference(database: Database) -> None:
    story = Story().open_house(("ann",), 700)
    told(database, story)
    reference = f"d-{story.command}"
    async with reads_of(database) as reads:
        found = await queries.transaction(reads, "demo", reference)
        assert (found.player, found.kind, found.amount, found.balance_after) == ("ann", "DEPOSIT", 700, 700)
        with pytest.raises(NotFound):
            await queries.transaction(reads, "demo", "unknown")


async def test_followers_get_cloud_events_in_order_and_never_a_sealed_card(database: Database) -> None:
    story = a_round()
    told(database, story)
    got = []
    async with reads_of(database) as reads:
        after = 0
        while (feed := await queries.events_after(reads, "demo", after, limit=5)).events:
            got += feed.events
            after = feed.after
        assert (await queries.events_after(reads, "demo", after)).after == len(story.told)
    assert [one["sequence"] for one in got] == [f"{n + 1:019d}" for n in range(len(story.told))]
    assert SEALED not in json.dumps(got)
    opened = next(one for one in got if one["type"] == "studbook.round.opened.v1")
    assert {key: opened[key] for key in ("specversion", "id", "source", "subject")} == {
        "specversion": "1.0",
        "id": opened["sequence"].lstrip("0"),
        "source": "/studbook/demo",
        "subject": f"round/{round_id(1)}",
    }
    assert opened["data"]["commitment"] == "c" * 64  # type: ignore[index, call-overload]  # JSON of any shape
    assert opened["data"]["terms"]["table"] == "T1"  # type: ignore[index, call-overload]  # JSON of any shape


async def test_the_events_of_a_round_are_its_own_its_seats_and_its_pools(database: Database) -> None:
    story = a_settled_round()
    up_to_the_deal(story, 2, "T1")
    told(database, story)
    async with reads_of(database) as reads:
        found = await queries.round_events(reads, "demo", round_id(1), Turn(1_000))
        with pytest.raises(NotFound):
            await queries.round_events(reads, "demo", "unknown", Turn())
    expected = [
        str(n)
        for n, one in enumerate(story.told, 1)
        if getattr(one.event, "round", None) == round_id(1) and one.stream.split("/")[1] in ("round", "seat", "jackpot")
    ]
    assert ([one["id"] for one in found.items], found.next) == (expected, None)
    assert {str(one["type"]).split(".")[1] for one in found.items} == {"round", "seat", "jackpot"}
