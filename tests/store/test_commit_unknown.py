"""A key twice in one batch, and COMMIT's answer cut off: each caller gets what truly happened, once (F03, F04)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from domain.wallets.events import Deposited
from services import commands as c
from services.batch import Order
from tests.adapters.event_store_support import CutAt, Proxy, proxied
from tests.domain.showdowns import LIVE
from tests.postgres import Database
from tests.store.support import Ask, Outcome, Shop, assert_sound, events_of, head_of, shop_of

COMMIT = b"\0COMMIT" + bytes(5)
"""The prepared COMMIT, bound: an unnamed portal, no parameters, and its results."""


def pay_in(player: str, amount_minor: int = 700, name: str = "x") -> c.DepositFunds:
    return c.DepositFunds(player, amount_minor, "EUR", f"{name}-{player}")


def deposits(database: Database) -> list[int]:
    """The balance after each deposit."""
    return [one.event.available_after_minor for one in events_of(database) if isinstance(one.event, Deposited)]


@dataclass(frozen=True, slots=True)
class Cut:
    """A casino whose next COMMIT is cut, and the proxy that does it."""

    shop: Shop
    proxy: Proxy


@asynccontextmanager
async def cut(database: Database, at: CutAt) -> AsyncIterator[Cut]:
    async with proxied(database.conninfo("writer"), COMMIT, at) as (through, proxy), shop_of(through) as shop:
        yield Cut(shop, proxy)
        assert proxy.has_cut


async def furnished(database: Database, *players: str) -> None:
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(players, 1_000)


async def test_the_same_key_twice_in_one_batch_shares_one_effect_and_one_answer(database: Database) -> None:
    await furnished(database, "ann", "bob")
    async with shop_of(database.conninfo("writer")) as shop:
        first, bobs, second = await shop.ask_all(
            [Ask(pay_in("ann"), "k"), Ask(pay_in("bob"), "b"), Ask(pay_in("ann"), "k")]
        )
        assert (first.replayed, second.replayed, bobs.replayed) == (False, True, False)
        assert second == first._replace(replayed=True)
        (later,) = await shop.ask_all([Ask(pay_in("ann"), "k")])
        assert later == second
    assert deposits(database) == [1_000, 1_000, 1_700, 1_700]
    assert_sound(database)


async def test_in_one_batch_another_body_under_the_same_key_is_refused_and_a_refused_key_is_free(
    database: Database,
) -> None:
    await furnished(database, "ann")
    async with shop_of(database.conninfo("writer")) as shop:
        found = await shop.ask_all(
            [
                Ask(c.WithdrawFunds("ann", 1_001, "EUR", "w"), "k"),  # too much: burns neither key nor transaction id
                Ask(c.WithdrawFunds("ann", 900, "EUR", "w"), "k"),
                Ask(c.WithdrawFunds("ann", 100, "EUR", "v"), "k"),
                Ask(c.WithdrawFunds("ann", 100, "EUR", "w"), "other"),
                Ask(c.WithdrawFunds("ann", 100, "EUR", "u"), "u"),
            ]
        )
        codes = ["INSUFFICIENT_FUNDS", "OK", "IDEMPOTENCY_MISMATCH", "IDEMPOTENCY_MISMATCH", "OK"]
        assert [one.code for one in found] == codes
        assert json.loads(found[-1].body)["balance"]["available"] == 0
    assert_sound(database)


@pytest.mark.parametrize("at", [CutAt.ANSWERED, CutAt.SENT])
async def test_a_commit_that_arrived_but_was_not_answered_is_answered_as_done(database: Database, at: CutAt) -> None:
    players = [f"p{nth}" for nth in range(50)]
    await furnished(database, *players)
    head = head_of(database)
    async with cut(database, at) as through:
        shop = through.shop
        orders = [shop.order(pay_in(player), key=f"k-{player}", status=201) for player in players]
        refused = shop.order(c.WithdrawFunds("p0", 10_000, "EUR", "w"), key="refused")
        *told, no = await _all_at_once(shop, [*orders, refused])
        assert [(one.code, one.status, one.replayed) for one in told] == [("OK", 201, False)] * 50
        assert [json.loads(one.body)["balance"]["available"] for one in told] == [1_700] * 50
        assert no.code in {"UNAVAILABLE", "INSUFFICIENT_FUNDS"}
        assert (await shop.ask(refused)).code == "INSUFFICIENT_FUNDS"
        again = [await shop.ask(order) for order in orders]
        assert again == [one._replace(replayed=True) for one in told]
    assert [one.position for one in told] == list(range(head + 2, head + 102, 2))
    assert len(deposits(database)) == 100
    assert_sound(database)


async def test_F03_a_commit_that_never_arrived_is_decided_again_and_felt_by_nobody(database: Database) -> None:
    await furnished(database, "ann", "bob")
    async with cut(database, CutAt.BEFORE) as through:
        shop = through.shop
        orders = [shop.order(pay_in(player), key=f"k-{player}", status=201) for player in ("ann", "bob")]
        told = await _all_at_once(shop, orders)
        assert [(one.code, one.replayed) for one in told] == [("OK", False)] * 2
        assert [await shop.ask(order) for order in orders] == [one._replace(replayed=True) for one in told]
    assert deposits(database) == [1_000, 1_000, 1_700, 1_700]
    assert_sound(database)


async def test_a_commit_that_never_arrived_is_told_as_nothing_and_the_retry_does_it_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)  # told at once, not tried again
    await furnished(database, "ann", "bob")
    async with cut(database, CutAt.BEFORE) as through:
        shop = through.shop
        orders = [shop.order(pay_in(player), key=f"k-{player}", status=201) for player in ("ann", "bob")]
        assert await _all_at_once(shop, orders) == [Outcome("UNAVAILABLE")] * 2
        assert len(deposits(database)) == 2
        told = [await shop.ask(order) for order in orders]
        assert [(one.code, one.replayed) for one in told] == [("OK", False)] * 2
        assert [await shop.ask(order) for order in orders] == [one._replace(replayed=True) for one in told]
    assert deposits(database) == [1_000, 1_000, 1_700, 1_700]
    assert_sound(database)


async def test_a_long_settlement_whose_first_commit_was_not_answered_is_paid_to_the_end_by_the_retry(
    database: Database,
) -> None:
    players = [f"p{nth}" for nth in range(600)]
    async with shop_of(database.conninfo("writer")) as shop:
        await shop.furnish(players, 1_000)
        (round_id,) = await shop.rounds_at(LIVE, 1)
        await shop.all_done(*(Ask(c.PlaceWager(round_id, player, None, 100, 0, 0)) for player in players))
        await shop.close(round_id)
        await shop.deal(round_id, "Ah Kd 9c 8c 7c", "4c 4d 4h 5s 2s")
    async with cut(database, CutAt.ANSWERED) as through:
        shop = through.shop
        settle = shop.order(c.Settle(round_id, None), key="settle")
        first = await shop.ask(settle)
        told = first if first.code == "OK" else await shop.ask(settle)
        assert json.loads(told.body)["phase"] == "SETTLED"
        assert (await shop.ask(settle))[:4] == told[:4]
        asks = [Ask(c.WithdrawFunds(player, 900, "EUR", f"all-{player}")) for player in players]
        assert {json.loads(one.body)["balance"]["held"] for one in await shop.all_done(*asks)} == {0}
    assert_sound(database)


async def _all_at_once(shop: Shop, orders: list[Order]) -> list[Outcome]:
    """Without giving the house time between, so that they share a batch."""
    return list(await asyncio.gather(*(shop.ask(order) for order in orders)))
