"""Players, jackpots and tables of their own for tests over HTTP."""

from __future__ import annotations

from typing import Any

from tests.service import Service


def register(service: Service, currency: str = "EUR", deposit: int = 0) -> str:
    """A new player, with money if so wanted."""
    player = service.name("player")
    answer = service.post("/v1/players", {"player": player, "currency": currency})
    assert answer.status_code == 201, answer.text
    if deposit:
        body = {"amount": deposit, "currency": currency, "transaction_id": service.name("deposit")}
        answer = service.post(f"/v1/players/{player}/deposits", body)
        assert answer.status_code == 201, answer.text
    return player


def open_jackpot(service: Service, ruleset: str, currency: str, **more: Any) -> str:
    """A new pool."""
    jackpot = service.name("pool")
    body = {"jackpot": jackpot, "ruleset": ruleset, "currency": currency, "seed": 10_000_000, "reset": 10_000_000}
    answer = service.post("/v1/jackpots", {**body, "handpay_threshold": None, **more})
    assert answer.status_code == 201, answer.text
    return jackpot


def open_table(service: Service, ruleset: str, currency: str, jackpot: str | None = None, **more: Any) -> str:
    """A new table, with antes of 5 to 100 units."""
    table = service.name("table")
    body = {"table": table, "ruleset": ruleset, "currency": currency, "ante_min": 500, "ante_max": 10_000}
    answer = service.post("/v1/tables", {**body, "jackpot": jackpot, **more})
    assert answer.status_code == 201, answer.text
    return table
