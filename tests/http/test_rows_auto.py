"""A table that timers drive, as a client sees it: a whole evening of two rounds without a call from the floor (C16)."""

from __future__ import annotations

import time
from typing import Any

from tests.http.floor import EURO, LIVE, bet, done, money, open_table, read, refused, register, step
from tests.service import Service

_SECONDS = 60


def until(service: Service, path: str, **wanted: Any) -> dict[str, Any]:
    """The answer, once these fields of it are so."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        answer = service.get(path)
        if answer.status_code == 200 and all(answer.json()[name] == value for name, value in wanted.items()):
            found: dict[str, Any] = answer.json()
            return found
        time.sleep(0.1)
    raise AssertionError(f"{path} did not come to {wanted}: {service.get(path).text}")


def rounds_of(service: Service, table: str, count: int) -> list[str]:
    """The table's rounds, newest first, once there are so many."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        items = read(service, "/v1/rounds", table=table)["items"]
        if len(items) >= count:
            return [one["round"] for one in items]
        time.sleep(0.1)
    raise AssertionError(f"{table} has fewer than {count} rounds")


def test_S0_10_S0_28_S0_38_over_http_an_auto_table_plays_by_itself(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    seconds = {"betting_seconds": 2, "closing_soon_seconds": 2, "decision_seconds": 1, "pause_seconds": 0}
    table = open_table(service, LIVE, "EUR", pace="AUTO", **seconds)
    round_, before = in_time(service, table, player)
    settled = until(service, f"/v1/rounds/{round_}", phase="SETTLED")
    (seat,) = settled["seats"]
    assert (seat["decision"], seat["decided_by"], seat["outcome"]) == ("FOLD", "SYSTEM", "FOLD")
    refused(bet(service, round_, player, 500, seat=None), 409, "BETTING_CLOSED")
    assert money(service, player)[1] == 0
    assert rounds_of(service, table, before + 2)[-before - 1] == round_
    done(service.post("/v1/disable", {"scope": "TABLE", "id": table, "reason": "the test is over"}))


def in_time(service: Service, table: str, player: str) -> tuple[str, int]:
    """A round with a bet of the player's that was seen while bets could still be placed, and how many came before it.
    On a busy machine one or another is over before that; the table goes on to the next.
    """
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        found = rounds_of(service, table, 1)
        answer = bet(service, found[0], player, 500, seat=None)
        if answer.status_code != 409:
            done(answer, 201)
            if read(service, f"/v1/rounds/{found[0]}/players/{player}")["phase"] == "CLOSING_SOON":
                return found[0], len(found) - 1
        time.sleep(0.1)
    raise AssertionError(f"no bet at {table} came in time")


def test_S0_46_S0_47_over_http_a_pause_stops_the_clock_of_an_auto_table(service: Service) -> None:
    player = register(service, "EUR", 10_000)
    table = open_table(service, EURO, "EUR", pace="AUTO", betting_seconds=60, decision_seconds=60)
    (round_,) = rounds_of(service, table, 1)
    done(bet(service, round_, player, 500), 201)
    before = read(service, f"/v1/rounds/{round_}")["closes_at"]
    done(step(service, round_, "pause", {"reason": "camera"}))
    refused(bet(service, round_, player, 500), 409, "WRONG_PHASE")
    assert read(service, f"/v1/rounds/{round_}")["pause_reason"] == "camera"
    done(step(service, round_, "resume", {"reason": "seen"}))
    assert read(service, f"/v1/rounds/{round_}")["closes_at"] > before
    done(step(service, round_, "close"))
    own = until(service, f"/v1/rounds/{round_}/players/{player}", phase="DECIDING")
    assert own["deadline"] is not None
    done(service.post("/v1/disable", {"scope": "TABLE", "id": table, "reason": "the test is over"}))
    done(step(service, round_, "void", {"reason": "the test is over"}))
    assert money(service, player) == (10_000, 0)
