"""An export that tells of nothing before its time reads the log from there, and is the same as from the beginning."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from adapters.embedded import Cluster
from adapters.event_store import PostgresLog
from adapters.projector import FactReader
from api.main.exporting import TakenUp, make, told_for
from services.exports.asking import Wish, order_of
from services.exports.kinds import Format
from services.exports.making import Order
from services.reports.scope import Clock
from tests.postgres import Database, new_database
from tests.support.evening import evening, evening_on

TIMES = sorted({one.recorded_at for one in evening().events})
BEGINS = [*TIMES[::19], TIMES[-1], TIMES[-1] + timedelta(microseconds=1), TIMES[0] - timedelta(days=1)]


@pytest.fixture(scope="module")
def played(cluster: Cluster, template: str) -> Iterator[Database]:
    """The evening on a real store."""

    async def told(made: Database) -> None:
        log = PostgresLog(made.conninfo("writer"))
        await evening_on(log)
        await log.aclose()

    with new_database(cluster, template) as made:
        asyncio.run(told(made))
        yield made


def ordered(kind: str, form: Format, **choices: Any) -> Order:
    return order_of("op", ZoneInfo("UTC"), Wish(kind, form, **choices), TIMES[-1])


def told(order: Order, log: TakenUp, path: Path) -> dict[str, Any]:
    """What its manifest says, and how many events were read."""
    events = list(log.events)
    made = make(order, TakenUp(log.position, events), path, lambda _: None)
    return {**made, "generated_at": None, "read": len(events)}


@pytest.mark.parametrize(("kind", "form"), [("events", Format.NDJSON), ("journal", Format.CSV)])
def test_what_begins_later_reads_less_and_says_the_same(
    played: Database, tmp_path: Path, kind: str, form: Format
) -> None:
    with played.connect("projector") as conn:
        everything = list(FactReader().told(conn, "op"))
        assert [one.one.recorded_at for one in everything] == sorted(one.one.recorded_at for one in everything)
        for begin in BEGINS:
            order = ordered(kind, form, begin=begin)
            whole = told(order, TakenUp(0, everything), tmp_path / "whole")
            later = told(order, told_for(conn, order), tmp_path / "later")
            assert later.pop("read") == sum(one.one.recorded_at >= begin for one in everything)
            assert whole.pop("read") == len(everything)
            assert later == whole
            assert (tmp_path / "later").read_bytes() == (tmp_path / "whole").read_bytes()


def test_what_needs_what_was_before_reads_the_whole_log(played: Database) -> None:
    begin = TIMES[-1]
    for order in (
        ordered("journal", Format.HLEDGER, begin=begin), ordered("trial-balance", Format.CSV, begin=begin),
        ordered("events", Format.NDJSON, begin=begin, clock=Clock.EFFECTIVE), ordered("events", Format.NDJSON),
    ):  # fmt: skip
        with played.connect("projector") as conn:
            assert len(list(told_for(conn, order).events)) == len(list(FactReader().told(conn, "op")))
