"""Players, jackpots, tables and rounds of their own for tests over HTTP."""

from __future__ import annotations

import time
from typing import Any
from weakref import WeakKeyDictionary

import httpx2

from tests.service import Service

ACES = ["As", "Ad", "Qh", "7c", "2s"]
"""A hand that beats DEALER."""

DEALER = ["Ac", "Kh", "4d", "3s", "2h"]
"""Plays; the last card is up."""

PATIENCE_SECONDS = 150.0

_SEEN: WeakKeyDictionary[httpx2.Client, int] = WeakKeyDictionary()

LIVE, EURO, DOLLAR, LAND = "live-5plus1-v1", "euro-progressive-v1", "dollar-jackpot-v1", "land-progressive-v1"


def currency_of(ruleset: str) -> str:
    """What a game is played in here."""
    return "USD" if ruleset in {DOLLAR, LAND} else "EUR"


def done(answer: httpx2.Response, status: int = 200) -> dict[str, Any]:
    """The body of an answer that must be a success."""
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(answer: httpx2.Response, status: int, code: str, field: str | None = None) -> dict[str, Any]:
    """The problem of an answer that must be this refusal."""
    found: dict[str, Any] = answer.json()
    assert (answer.status_code, found.get("code")) == (status, code), answer.text
    assert field is None or found.get("field") == field, answer.text
    return found


def register(service: Service, currency: str = "EUR", deposit: int = 0) -> str:
    """A new player, with money if so wanted."""
    player = service.name("player")
    done(service.post("/v1/players", {"player": player, "currency": currency}), 201)
    if deposit:
        body = {"amount": deposit, "currency": currency, "transaction_id": service.name("deposit")}
        done(service.post(f"/v1/players/{player}/deposits", body), 201)
    return player


def open_jackpot(service: Service, ruleset: str, currency: str, **more: Any) -> str:
    """A new pool."""
    jackpot = service.name("pool")
    body = {"jackpot": jackpot, "ruleset": ruleset, "currency": currency, "seed": 10_000_000, "reset": 10_000_000}
    done(service.post("/v1/jackpots", {**body, "handpay_threshold": None, **more}), 201)
    return jackpot


def open_table(service: Service, ruleset: str, currency: str, jackpot: str | None = None, **more: Any) -> str:
    """A new table, with antes of 5 to 100 units."""
    table = service.name("table")
    body = {"table": table, "ruleset": ruleset, "currency": currency, "ante_min": 500, "ante_max": 10_000}
    done(service.post("/v1/tables", {**body, "jackpot": jackpot, **more}), 201)
    return table


def open_round(service: Service, table: str) -> str:
    """The table's next round."""
    found: str = done(service.post(f"/v1/tables/{table}/rounds"), 201)["round"]
    return found


def new_round(service: Service, ruleset: str = EURO, *, jackpot: str | None = None, **more: Any) -> str:
    """A round that is open for betting, at a table of its own."""
    table = open_table(service, ruleset, currency_of(ruleset), jackpot, **more)
    return open_round(service, table)


def bet(
    service: Service, round_: str, player: str, ante: int | None = 1000, *, seat: int | None = 1, **side: int
) -> httpx2.Response:
    """A wager; `five_plus_one` or `progressive` for the side."""
    body = {"player": player, "seat": seat, "ante": ante, "side": side or None}
    return service.post(f"/v1/rounds/{round_}/wagers", {name: value for name, value in body.items() if value})


def step(service: Service, round_: str, what: str, body: Any = None) -> httpx2.Response:
    """`close`, `deal`, `settle`, `pause` and the like."""
    return service.post(f"/v1/rounds/{round_}/{what}", body)


def decide(service: Service, round_: str, player: str, decision: str = "call") -> httpx2.Response:
    """The player's decision."""
    return step(service, round_, "decisions", {"player": player, "decision": decision})


def money(service: Service, player: str) -> tuple[int, int]:
    """Available and held, as everything that was answered until now left them."""
    position = service.get("/readyz").json()["position"]
    found = done(asked(service, f"/v1/players/{player}/balance", min_position=position))
    return found["available"], found["held"]


def head(service: Service) -> int:
    """The position of the log's last event; what this client has seen before is not read again."""
    after = _SEEN.get(service.client, 0)
    while True:
        feed = done(service.get("/v1/events", params={"after": after, "limit": 1000}))
        if not feed["events"]:
            _SEEN[service.client] = after
            return after
        after = feed["after"]


def read(service: Service, path: str, **query: Any) -> dict[str, Any]:
    """A read that holds everything answered until now."""
    position = service.get("/readyz").json()["position"]
    return done(asked(service, path, min_position=position, **query))


def asked(service: Service, path: str, **query: Any) -> httpx2.Response:
    """The answer to a read; where the projector of a busy machine is late, it is asked again, as the answer says."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (answer := service.get(path, params=query)).status_code == 503 and time.monotonic() < end:
        time.sleep(0.1)
    return answer


def deposit(service: Service, player: str, amount: int, kind: str = "deposits") -> dict[str, Any]:
    body = {"amount": amount, "currency": "EUR", "transaction_id": service.name("bank")}
    return done(service.post(f"/v1/players/{player}/{kind}", body), 201)


def played(service: Service, player: str) -> tuple[str, dict[str, Any]]:
    """A round of a live feed that the player won with a pair of aces: ante and call even money."""
    round_ = new_round(service, EURO, card_source="FEED")
    done(bet(service, round_, player, 500), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal", {"seats": {"1": ACES}, "dealer": DEALER}))
    done(decide(service, round_, player))
    return round_, done(step(service, round_, "settle"))
