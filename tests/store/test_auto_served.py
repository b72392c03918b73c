"""AUTO tables as served, while no timer comes: windows end to the moment, and nothing is lost (C16, F29).

A test that holds the timers' lock is another process that runs the timers of this database, and is slow.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

import httpx2
import pytest

from adapters.clock import SystemClock
from adapters.round_watch import RoundWatch
from domain.rounds.events import RoundCancelled, RoundSettled
from domain.seats.events import SeatDecided
from domain.settlement import DecidedBy, Decision
from tests.domain.showdowns import EURO, LIVE
from tests.postgres import Database
from tests.store.in_process import Client, serving
from tests.store.support import assert_sound, events_of
from tests.support.cards import ACE_KING, HIGH, PAIR, cards, hand

SECONDS = 60
ABANDON = 600


@asynccontextmanager
async def no_timer_comes(database: Database) -> AsyncIterator[RoundWatch]:
    """Hold the timers' lock, until what is given is closed."""
    watch = RoundWatch(database.conninfo("projector"))
    try:
        async with asyncio.timeout(SECONDS):
            while await watch.look() is None:
                await asyncio.sleep(0.05)
        yield watch
    finally:
        await watch.close()


async def open_table(client: Client, table: str, ruleset: str, **terms: Any) -> None:
    body = {"table": table, "ruleset": ruleset, "currency": "EUR", "ante_min": 500, "ante_max": 10_000, "pace": "AUTO"}
    await client.done("/v1/tables", {**body, **terms})


async def player(client: Client, name: str) -> None:
    await client.done("/v1/players", {"player": name, "currency": "EUR"})
    await client.done(f"/v1/players/{name}/deposits", {"amount": 10_000, "currency": "EUR", "transaction_id": name})


async def bet(client: Client, table: str, *players: str, seated: bool = True) -> str:
    """A round of the table, opened by a call, with an ante of each."""
    for name in players:
        await player(client, name)
    found = (await client.done(f"/v1/tables/{table}/rounds"))["round"]
    for seat, name in enumerate(players, 1):
        body = {"player": name, "ante": 1_000, **({"seat": seat} if seated else {})}
        await client.done(f"/v1/rounds/{found}/wagers", body)
    return str(found)


async def shown(client: Client, path: str) -> dict[str, Any]:
    position = (await client.get("/readyz")).json()["position"]
    found: dict[str, Any] = (await client.get(path, min_position=position)).json()
    return found


class Watch:
    """The service's clock, which can be put forward: so no window of a test ends because the machine is busy."""

    ahead = timedelta()

    def now(self) -> datetime:
        """The time here."""
        return SystemClock().now() + self.ahead

    def until(self, moment: str) -> None:
        """Let a time that an answer gave come."""
        type(self).ahead += max(timedelta(), datetime.fromisoformat(moment) - self.now()) + timedelta(milliseconds=10)

    def forward(self, seconds: float) -> None:
        """Let so many seconds pass."""
        type(self).ahead += timedelta(seconds=seconds)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """The clock that the application is given."""
    with patch("api.main.application.SystemClock", Watch), patch.object(Watch, "ahead", timedelta()):
        yield Watch()


async def settled(client: Client, round_: str, phase: str = "SETTLED") -> dict[str, Any]:
    async with asyncio.timeout(SECONDS):
        while (found := await shown(client, f"/v1/rounds/{round_}"))["phase"] != phase:
            await asyncio.sleep(0.1)
    return found


def refused(answer: httpx2.Response, code: str, detail: str) -> None:
    found = answer.json()
    assert (answer.status_code, found["code"], found["detail"]) == (409, code, detail), answer.text


async def test_S0_10_served_at_the_end_of_betting_bets_are_fixed_though_no_timer_has_come(
    database: Database, watch: Watch
) -> None:
    async with no_timer_comes(database), serving(database) as client:
        await open_table(client, "t", LIVE, betting_seconds=60)
        round_ = await bet(client, "t", "ann", seated=False)
        watch.until((await shown(client, f"/v1/rounds/{round_}"))["closes_at"])
        body: dict[str, Any] = {"player": "ann"}
        for act in ("undo", "double", "repeat", "pass"):
            refused(await client.post(f"/v1/rounds/{round_}/{act}", body), "BETTING_CLOSED", "betting time is over")
        late = await client.post(f"/v1/rounds/{round_}/wagers", {**body, "ante": 500})
        refused(late, "BETTING_CLOSED", "betting time is over")
        assert (await shown(client, "/v1/players/ann/balance"))["held"] == 3_000
    assert_sound(database)


async def test_S0_38_C16_served_a_decision_at_the_deadline_is_refused_though_no_timer_has_come(
    database: Database, watch: Watch
) -> None:
    async with no_timer_comes(database) as timers, serving(database) as client:
        await open_table(client, "t", LIVE, betting_seconds=60, decision_seconds=60)
        round_ = await bet(client, "t", "ann", seated=False)
        for step in ("close", "deal"):
            await client.done(f"/v1/rounds/{round_}/{step}")
        watch.until((await shown(client, f"/v1/rounds/{round_}/players/ann"))["deadline"])
        for decision in ("call", "fold"):
            late = await client.post(f"/v1/rounds/{round_}/decisions", {"player": "ann", "decision": decision})
            refused(late, "WRONG_PHASE", "decision time is over")
        await timers.close()
        (seat,) = (await settled(client, round_))["seats"]
        assert (seat["decision"], seat["decided_by"]) == ("FOLD", "SYSTEM")
    assert_sound(database)


async def test_F29_R19_served_after_a_long_absence_what_is_due_is_done_and_only_the_rest_given_up(
    database: Database, watch: Watch
) -> None:
    """002, where time-outs bet a pair. A studio that kept the dealer's cards is nobody's to settle: it is given up."""
    hands = {"1": cards(hand(PAIR, 1)), "2": cards(hand(HIGH, 2))}
    async with no_timer_comes(database), serving(database) as client:
        terms = {"decision_seconds": 1, "abandon_seconds": ABANDON, "pause_seconds": 3_600, "card_source": "FEED"}
        rounds = {}
        for table in ("due", "stuck"):
            await open_table(client, table, EURO, betting_seconds=60, **terms)
            rounds[table] = await bet(client, table, f"{table}-ann", f"{table}-bob")
            await client.done(f"/v1/rounds/{rounds[table]}/close")
            dealer = cards(ACE_KING) if table == "due" else cards(ACE_KING)[-1:]
            await client.done(f"/v1/rounds/{rounds[table]}/deal", {"seats": hands, "dealer": dealer})
        await open_table(client, "open", LIVE, betting_seconds=60, **{**terms, "card_source": "SHOE"})
        rounds["open"] = await bet(client, "open", "open-ann", seated=False)
    watch.forward(ABANDON + 0.5)
    async with serving(database) as client:
        await settled(client, rounds["due"])
        await settled(client, rounds["stuck"], "CANCELLED")
        await settled(client, rounds["open"])
        for name in ("ann", "bob"):
            assert (await shown(client, f"/v1/players/stuck-{name}/balance"))["available"] == 10_000
    log = [one.event for one in events_of(database)]
    assert [one.round for one in log if isinstance(one, RoundCancelled)] == [rounds["stuck"]]
    assert {one.round for one in log if isinstance(one, RoundSettled)} == {rounds["due"], rounds["open"]}
    decided = {one.player: (one.decision, one.decided_by) for one in log if isinstance(one, SeatDecided)}
    assert decided == {
        "due-ann": (Decision.CALL, DecidedBy.SYSTEM),
        "due-bob": (Decision.FOLD, DecidedBy.SYSTEM),
        "open-ann": (Decision.FOLD, DecidedBy.SYSTEM),
    }
    assert_sound(database)
