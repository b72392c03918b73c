"""The journal in pages, read from the log of a real store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from importlib import import_module
from random import Random

import pytest

from domain.errors import Invalid, Unavailable
from domain.views.model import RowKey, time_text
from services import queries
from services.queries import JournalFilter, JournalLine, Reads, Turn
from services.queries.pages import cursor_of
from tests.adapters.viewing import StillClock, opened, reads_of, told
from tests.domain.views.plots import one_of_everything, random_story
from tests.domain.views.story import START, Story
from tests.postgres import Database
from tests.support.journal import journal_of

WHOLE = JournalFilter()


async def paged(reads: Reads, wanted: JournalFilter, limit: int, operator: str = "demo") -> list[JournalLine]:
    """All pages, one after another."""
    lines: list[JournalLine] = []
    cursor = None
    while True:
        page = await queries.journal(reads, operator, wanted, Turn(limit, cursor))
        assert len(page.items) <= limit
        lines += page.items
        if (cursor := page.next) is None:
            return lines


def within(lines: Sequence[JournalLine], begin: datetime, end: datetime) -> list[JournalLine]:
    """Those lines of a period, by their own times."""
    return [line for line in lines if time_text(begin) <= line.at < time_text(end)]


async def test_R5_the_journal_in_pages_is_the_whole_and_sums_to_zero(database: Database) -> None:
    told(database, one_of_everything())
    async with reads_of(database) as reads:
        whole = (await queries.journal(reads, "demo", JournalFilter(), Turn(1_000))).items
        paged, cursor = [], None
        while True:
            page = await queries.journal(reads, "demo", JournalFilter(), Turn(9, cursor))
            paged += page.items
            if (cursor := page.next) is None:
                break
    assert tuple(paged) == whole
    assert sum(int(one.amount_micro) for one in whole) == 0
    assert list(whole) == sorted(whole, key=lambda one: (one.position, one.line))


async def test_the_journal_of_a_period_and_a_currency_holds_only_that(database: Database) -> None:
    story = one_of_everything()
    told(database, story)
    begin, end = story.told[30].at, story.told[60].at
    async with reads_of(database) as reads:
        page = await queries.journal(reads, "demo", JournalFilter(begin, end, "EUR"), Turn(1_000))
        whole = (await queries.journal(reads, "demo", JournalFilter(), Turn(1_000))).items
        within = {n for n, one in enumerate(story.told, 1) if begin <= one.at < end}
        assert 0 < len(page.items) < len(whole)
        assert page.items == tuple(one for one in whole if one.position in within)
        assert (await queries.journal(reads, "demo", JournalFilter(currency="USD"), Turn(5))).items == ()
        first = await queries.journal(reads, "demo", JournalFilter(currency="EUR"), Turn(5))
        with pytest.raises(Invalid, match="other parameters"):
            await queries.journal(reads, "demo", JournalFilter(), Turn(5, first.next))


async def test_a_period_that_ends_before_it_begins_is_invalid() -> None:
    with pytest.raises(Invalid, match="before"):
        JournalFilter(START, START - timedelta(seconds=1))
    with pytest.raises(Invalid, match="offset"):
        JournalFilter(START.replace(tzinfo=None))


async def test_pages_of_any_size_give_the_lines_of_the_period_whatever_its_borders(database: Database) -> None:
    story = random_story(5)
    told(database, story, project=False)
    whole = journal_of(story)
    times = sorted({one.at for one in story.told})
    draw = Random(7)
    async with reads_of(database) as reads:
        for limit in (1, 2, 3, 7, len(whole) - 1, len(whole), len(whole) + 1):
            assert await paged(reads, WHOLE, min(limit, 1_000)) == whole
        for _ in range(40):
            begin, end = sorted(draw.choice(times) + timedelta(microseconds=draw.choice((-1, 0, 1))) for _ in "ab")
            found = await paged(reads, JournalFilter(begin, end, "EUR"), draw.randint(1, 60))
            assert found == within(whole, begin, end)


async def test_from_is_included_and_to_is_not_to_the_microsecond_also_where_a_day_ends(database: Database) -> None:
    midnight = START.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    story = Story().open_house(("ann",))
    for amount in range(1, 4):
        story.deposit("ann", amount)
    after = {story.told[-1].command: midnight + timedelta(microseconds=1), story.told[-1].command - 1: midnight}
    after[story.told[-1].command - 2] = midnight - timedelta(microseconds=1)
    story.told = [replace(one, at=after.get(one.command, one.at)) for one in story.told]
    told(database, story, project=False)

    async def amounts(begin: datetime | None, end: datetime | None) -> list[int]:
        lines = await paged(reads, JournalFilter(begin, end), 50)
        return [int(one.amount_micro) // 10**6 for one in lines if one.account == "av/ann"]

    async with reads_of(database) as reads:
        assert await amounts(midnight, midnight + timedelta(days=1)) == [2, 3]
        assert await amounts(midnight - timedelta(microseconds=1), midnight) == [1]
        assert (await amounts(midnight - timedelta(days=1), midnight))[-1] == 1
        assert await amounts(midnight + timedelta(microseconds=1), None) == [3]
        assert await amounts(midnight + timedelta(microseconds=2), None) == []
        assert await amounts(midnight, midnight) == []


async def test_a_rare_currency_is_looked_for_in_bounded_steps(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = one_of_everything()
    told(database, story, project=False)
    module = import_module("services.queries.journal")  # the package's attribute of that name is the query
    monkeypatch.setattr(module, "_EVENTS_LEAST", 2)
    monkeypatch.setattr(module, "_LOOKED_AT_MOST", 3)
    answers, cursor = 0, None
    async with reads_of(database) as reads:
        while True:
            page = await queries.journal(reads, "demo", JournalFilter(currency="USD"), Turn(1, cursor))
            assert page.items == ()
            answers += 1
            if (cursor := page.next) is None:
                break
        assert await paged(reads, WHOLE, 1) == journal_of(story)
    assert answers == len(story.told) // 6 + 1


async def test_each_operator_has_a_journal_of_its_own(database: Database) -> None:
    ours, theirs = random_story(3), random_story(4, operator="other")
    told(database, ours, project=False)
    both = Story(told=[*ours.told, *theirs.told])
    head = told(database, both, project=False)
    async with reads_of(database) as reads:
        assert await paged(reads, WHOLE, 9) == journal_of(ours)
        lines = await paged(reads, JournalFilter(begin=theirs.told[0].at), 9, "other")
        assert lines == [line for line in journal_of(both) if line.position > len(ours.told)]
        assert (await queries.journal(reads, "other", WHOLE, Turn(1))).position == head
        assert (await queries.journal(reads, "nobody", JournalFilter(begin=START), Turn(1))).items == ()


async def test_the_journal_holds_what_was_just_written_and_no_model_is_waited_for(database: Database) -> None:
    story = Story().open_house()
    head = told(database, story, project=False)
    async with reads_of(database) as reads:
        page = await queries.journal(reads, "demo", WHOLE, Turn(1_000), head)
    assert (page.position, list(page.items)) == (head, journal_of(story))


async def test_a_position_past_the_log_is_waited_for_and_then_unavailable(database: Database) -> None:
    head = told(database, Story().open_house())
    async with opened(database, wait_seconds=0.1) as store:
        reads = Reads(store, StillClock(), {"EUR": 2})
        with pytest.raises(Unavailable, match=f"the log stands at position {head}, {head + 1} is asked for"):
            await queries.journal(reads, "demo", WHOLE, Turn(1), head + 1)


async def test_the_position_of_another_operators_event_is_reached_when_a_model_has_it(database: Database) -> None:
    ours, theirs = Story().open_house(), Story(operator="other").open_house()
    head = told(database, Story(told=[*ours.told, *theirs.told]))
    async with reads_of(database) as reads:
        page = await queries.journal(reads, "demo", WHOLE, Turn(1_000), head)
    assert (page.position, list(page.items)) == (head, journal_of(ours))


@pytest.mark.parametrize(
    "key",
    [
        RowKey("day/2026-11-29", "0000000000000000001.00000"),
        RowKey("1", "00000"),
        RowKey("0" * 19, "00000"),
        RowKey("9" * 19, "00000"),
        RowKey("0" * 18 + "1", "-0001"),
        RowKey("0" * 18 + "\u0661", "00000"),
    ],
)
async def test_a_cursor_that_names_no_place_of_the_log_is_invalid(database: Database, key: RowKey) -> None:
    async with reads_of(database) as reads:
        with pytest.raises(Invalid, match="no cursor") as refused:
            await queries.journal(reads, "demo", WHOLE, Turn(1, cursor_of(key, ("journal", None, None, None))))
    assert refused.value.field == "cursor"
