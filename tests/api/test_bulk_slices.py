"""Bulk calls at the front, on a house in memory: slices, a store that goes away between them, faults of ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest

from api.auth import KeyRing, make_key
from api.dispatcher import Dispatcher
from api.orders import Orders
from api.routes import command_routes
from services.answers import TransactionAnswer
from services.commands import DepositFunds
from services.desk import Desk
from services.handlers import accounts
from tests.api.front import KeysInMemory, Reply, ask, assert_problem, reads
from tests.support.casino import Casino
from tests.support.memory_log import Fault, MemoryLog

PATH = "/v1/deposits/bulk"


async def named(_: str) -> bool:
    """`four_eyes` of an operator whose approvers are names."""
    return False


class Desked:
    """Three players known to the house, and the front before it."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        store = KeysInMemory()
        self.key = store.add(make_key(), {"operator"}, "op")
        ring = KeyRing(store)
        orders = Orders(casino.house, casino.clock, casino.ids, lambda fingerprint: fingerprint, named)
        self.app = Dispatcher(reads(), command_routes(orders), ring)

    @property
    def log(self) -> MemoryLog:
        assert isinstance(self.casino.log, MemoryLog)
        return self.casino.log

    async def post(self, path: str, body: Any, key: str | None = None) -> Reply:
        headers = [("authorization", f"Bearer {self.key}")]
        headers += [] if key is None else [("idempotency-key", key)]
        reply = await ask(self.app, "POST", path, headers, orjson.dumps(body))
        await self.casino.audit()
        return reply


@pytest.fixture
async def front(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Desked]:
    """Slices of two items."""
    monkeypatch.setattr("api.bulk.SLICE", 2)
    async with Casino() as casino:
        for player in ("ann", "bob", "cy"):
            await casino.player(player)
        yield Desked(casino)
        casino.compare()


def deposits(*amounts: int) -> dict[str, Any]:
    items = [
        {"player": "ann", "amount": one, "currency": "EUR", "transaction_id": f"t{one}", "key": f"k{one}"}
        for one in amounts
    ]
    return {"deposits": items}


async def test_each_slice_is_an_append_of_its_own(front: Desked) -> None:
    before = front.log.appends
    found = (await front.post(PATH, deposits(1, 2, 3, 4, 5))).json
    assert front.log.appends == before + 3
    assert [one["status"] for one in found["results"]] == [201] * 5
    assert found["position"] == front.casino.books.position


async def test_a_single_call_gets_its_turn_between_the_slices(front: Desked) -> None:
    alone = {"amount": 9, "currency": "EUR", "transaction_id": "alone"}
    bulk, single = await asyncio.gather(
        front.post(PATH, deposits(*range(1, 9))), front.post("/v1/players/bob/deposits", alone, "alone")
    )
    positions = [one["position"] for one in bulk.json["results"]]
    assert positions == sorted(positions)
    assert single.status == 201
    assert single.json["position"] < positions[4], "it did not wait for the whole call"


@pytest.mark.parametrize("fault", [Fault.NO_LOCK, Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT])
async def test_a_store_that_goes_away_in_the_middle_leaves_the_rest_unavailable_and_a_retry_finishes(
    front: Desked, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, turns = front.casino.house._turn, 0

    async def away_from_the_second_on(jobs: Any) -> None:
        nonlocal turns
        turns += 1
        if turns > 1:
            front.log.fail(fault)
        await real(jobs)

    monkeypatch.setattr(front.casino.house, "_turn", away_from_the_second_on)
    reply = await front.post(PATH, deposits(*range(1, 8)))
    found = reply.json
    assert (reply.status, found["succeeded"], found["refused"]) == (200, 2, 5)
    for nth, one in enumerate(found["results"][2:], 3):
        assert (one["status"], one["code"], one["retryable"], one["key"]) == (503, "UNAVAILABLE", True, f"k{nth}")
    assert turns == 3, "one slice was tried, twice, and no other"
    assert front.casino.books.balance("av/ann") == 3_000_000
    monkeypatch.undo()
    again = (await front.post(PATH, deposits(*range(1, 8)))).json
    assert [one["replayed"] for one in again["results"]] == [True] * 2 + [False] * 5
    assert again["results"][0] == {**found["results"][0], "replayed": True}
    assert front.casino.books.balance("av/ann") == 28_000_000


async def test_a_call_of_bad_items_alone_lets_other_calls_in_between_its_slices(front: Desked) -> None:
    answered: list[str] = []

    async def ask_for(name: str, path: str, body: Any) -> Reply:
        reply = await front.post(path, body, name)
        answered.append(name)
        return reply

    bad, alone = deposits(*range(-200, 0)), {"amount": 9, "currency": "EUR", "transaction_id": "alone"}
    bulk, single = await asyncio.gather(
        ask_for("bulk", PATH, bad), ask_for("single", "/v1/players/bob/deposits", alone)
    )
    assert (bulk.json["refused"], single.status) == (200, 201)
    assert answered == ["single", "bulk"]


async def test_an_atomic_call_of_too_many_items_is_told_so_before_any_item_is_looked_at(front: Desked) -> None:
    body = {**deposits(*range(-501, 0)), "atomic": True}
    assert_problem(await front.post(PATH, body), 422, "INVALID", "atomic")


async def test_F11_a_slice_of_items_whose_object_cannot_be_read_does_not_hold_up_those_behind(front: Desked) -> None:
    front.log.broken["op/wallet/ann"] = "position 4: broken bytes"
    front.casino.house._forget()
    body = deposits(1, 2, 3)
    body["deposits"][2]["player"] = "bob"
    found = (await front.post(PATH, body)).json["results"]
    assert [(one["status"], one.get("code")) for one in found] == [(503, "UNAVAILABLE")] * 2 + [(201, None)]
    assert front.casino.books.balance("av/bob") == 3_000_000


async def test_an_atomic_call_whose_store_is_away_is_unavailable_as_a_whole(front: Desked) -> None:
    front.log.fail(Fault.NO_LOCK, Fault.NO_LOCK)
    body = {**deposits(1, 2, 3), "atomic": True}
    assert_problem(await front.post(PATH, body), 503, "UNAVAILABLE")
    assert front.casino.last_news == []
    before = front.log.appends
    assert (await front.post(PATH, body)).json["succeeded"] == 3
    assert front.log.appends == before + 1, "one append, whatever the size of a slice"


async def test_a_fault_of_ours_in_one_item_is_told_in_its_place(front: Desked, monkeypatch: pytest.MonkeyPatch) -> None:
    real = accounts.deposit

    def faulty(desk: Desk, command: DepositFunds) -> TransactionAnswer:
        if command.amount_minor == 2:
            raise ZeroDivisionError("a fault of ours")
        return real(desk, command)

    monkeypatch.setattr(accounts, "deposit", faulty)
    found = (await front.post(PATH, deposits(1, 2, 3))).json
    assert [one["status"] for one in found["results"]] == [201, 500, 201]
    assert (found["results"][1]["code"], found["results"][1]["retryable"]) == ("INTERNAL", True)
    assert_problem(await front.post(PATH, {**deposits(4, 2), "atomic": True}), 500, "INTERNAL")
    assert front.casino.books.balance("av/ann") == 4_000_000


async def test_a_key_with_quotes_comes_back_as_it_was(front: Desked) -> None:
    body = deposits(1)
    body["deposits"][0]["key"] = key = 'a "key" \\ of ours'
    assert (await front.post(PATH, body)).json["results"][0]["key"] == key
    alone = {"amount": 1, "currency": "EUR", "transaction_id": "t1"}
    reply = await front.post("/v1/players/ann/deposits", alone, key)
    assert (reply.status, reply.headers["idempotency-replayed"]) == (201, "true")
