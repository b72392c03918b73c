"""Bundles: orders that are carried out all or none, in one append."""

from __future__ import annotations

import pytest

from domain.errors import BettingClosed, IdempotencyMismatch, InsufficientFunds, Unavailable
from services.answers import TransactionAnswer
from services.atomic import PartRefused
from services.batch import Bundle, Order, Result
from services.commands import CloseBetting, DepositFunds, PlaceWager, Settle, WithdrawFunds
from services.desk import Desk
from services.handlers import accounts
from tests.domain.showdowns import LIVE
from tests.services.crowd import betted, folded
from tests.support.casino import Casino
from tests.support.memory_log import Fault, MemoryLog

PLAYERS = [f"p{nth}" for nth in range(5)]


def memory(casino: Casino) -> MemoryLog:
    assert isinstance(casino.log, MemoryLog)
    return casino.log


@pytest.fixture
async def full(casino: Casino) -> Casino:
    """Five players with 30.00 each at a live table whose round is open."""
    for player in PLAYERS:
        await casino.player(player, deposit=3_000)
    await casino.table("t", LIVE)
    await casino.round("t")
    return casino


def wagers(casino: Casino, *antes: int) -> list[Order]:
    """An ante of each player, under keys k0, k1 and on."""
    round_id = casino.books.state("table", "t").open_round
    return [
        casino.order(PlaceWager(round_id, player, None, ante, 0, 0), key=f"k{nth}", status=201)
        for nth, (player, ante) in enumerate(zip(PLAYERS, antes, strict=False))
    ]


async def test_all_orders_of_a_bundle_are_in_one_append_in_their_order(full: Casino) -> None:
    before = memory(full).appends
    parts = await full.send_together(wagers(full, 100, 200, 300, 400, 500))
    assert memory(full).appends == before + 1
    assert [one.status for one in parts] == [201] * 5
    positions = [one.position for one in parts]
    assert positions == sorted(positions)
    assert positions[-1] == full.books.position
    assert [full.books.balance(f"held/{one}") for one in PLAYERS] == [3 * n * 10**8 for n in range(1, 6)]


async def test_one_refused_order_refuses_all_names_itself_and_burns_no_key(full: Casino) -> None:
    orders = wagers(full, 100, 200, 1_001, 400, 500)
    with pytest.raises(PartRefused) as refused:
        await full.send_together(orders)
    assert (refused.value.nth, type(refused.value.fault)) == (2, InsufficientFunds)
    assert [full.books.balance(f"held/{one}") for one in PLAYERS] == [0] * 5
    assert not {key[2] for key in memory(full).records} & {f"k{nth}" for nth in range(5)}
    parts = await full.send_together(wagers(full, 101, 201, 301, 401, 501))
    assert [one.replayed for one in parts] == [False] * 5, "the keys were free"


async def test_orders_that_were_served_before_are_replayed_and_the_others_carried_out(full: Casino) -> None:
    orders = wagers(full, 100, 200, 300)
    first = (await full.send_many(orders[1:2]))[0]
    parts = await full.send_together(orders)
    assert [one.replayed for one in parts] == [False, True, False]
    assert isinstance(first, Result)
    assert (parts[1].body, parts[1].position) == (first.body, first.position)


async def test_a_bundle_again_gets_the_first_answers_and_so_does_each_of_its_orders_alone(full: Casino) -> None:
    orders = wagers(full, 100, 200, 300)
    first = await full.send_together(orders)
    again = await full.send_together(orders)
    assert full.last_news == []
    assert [one.replayed for one in again] == [True] * 3
    assert [one.body for one in again] == [one.body for one in first]
    await full.send(orders[1])
    assert full.last is not None
    assert (full.last.body, full.last.replayed) == (first[1].body, True)


async def test_the_same_key_twice_in_a_bundle_is_one_effect_and_with_another_body_a_mismatch(full: Casino) -> None:
    order = wagers(full, 100)[0]
    first, second = await full.send_together([order, order])
    assert (first.replayed, second.replayed, first.body) == (False, True, second.body)
    other = full.order(DepositFunds("p0", 5, "EUR", "tx"), key="k0")
    with pytest.raises(PartRefused) as refused:
        await full.send_together([full.order(DepositFunds("p0", 5, "EUR", "tx")), other])
    assert (refused.value.nth, type(refused.value.fault)) == (1, IdempotencyMismatch)
    assert full.books.balance("av/p0") == 2_700_000_000


async def test_later_orders_see_what_earlier_ones_did_and_all_of_it_goes_when_one_is_refused(full: Casino) -> None:
    def moves(last: int) -> list[Order]:
        commands = [DepositFunds("p0", 500, "EUR", "in"), WithdrawFunds("p0", 3_500, "EUR", "out")]
        return [full.order(one) for one in [*commands, WithdrawFunds("p0", last, "EUR", "more")]]

    with pytest.raises(PartRefused) as refused:
        await full.send_together(moves(1))
    assert refused.value.nth == 2
    assert full.books.balance("av/p0") == 3_000_000_000
    await full.send_together(moves(1)[:2])
    assert full.books.balance("av/p0") == 0


async def test_what_shares_its_turn_with_a_refused_bundle_is_untouched_by_it(full: Casino) -> None:
    """Deposits of the same players before and behind the bundle, all decided in one turn."""
    before = [full.order(DepositFunds(one, 7, "EUR", f"b-{one}")) for one in PLAYERS]
    behind = [full.order(DepositFunds(one, 9, "EUR", f"a-{one}")) for one in PLAYERS]
    bundle, appends = Bundle(tuple(wagers(full, 100, 200, 300, 400, 9_000))), memory(full).appends
    futures = [full.house._waiting.add(one) for one in [*before, bundle, *behind]]
    found = [await one for one in futures[:5]]
    with pytest.raises(PartRefused):
        await futures[5]
    found += [await one for one in futures[6:]]
    await full.audit()
    assert memory(full).appends == appends + 1
    assert [one.position for one in found] == sorted(one.position for one in found)
    assert [full.books.balance(f"av/{one}") for one in PLAYERS] == [3_016_000_000] * 5
    full.compare()


async def test_a_bundle_is_never_divided_however_little_time_a_turn_has(
    full: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.house.TURN_SECONDS", 0.0)
    monkeypatch.setattr("services.house.BATCH_MAX", 2)
    before = memory(full).appends
    await full.send_together(wagers(full, 100, 200, 300, 400, 500))
    assert memory(full).appends == before + 1


@pytest.mark.parametrize("fault", [Fault.NO_LOCK, Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT])
@pytest.mark.parametrize("served", [0, 2, 3])
async def test_F03_a_fault_that_comes_soon_and_goes_is_felt_by_no_bundle(
    full: Casino, fault: Fault, served: int
) -> None:
    """Some orders, or all, were served before: they stay replayed, the others happen once."""
    orders = wagers(full, 100, 200, 300)
    await full.send_many(orders[:served])
    memory(full).fail(fault)
    parts = await full.send_together(orders)
    assert [one.replayed for one in parts] == [nth < served for nth in range(3)]
    assert [full.books.balance(f"held/{one}") for one in PLAYERS[:3]] == [3 * n * 10**8 for n in (1, 2, 3)]
    assert [one.body for one in await full.send_together(orders)] == [one.body for one in parts]


@pytest.mark.parametrize("fault", [Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT])
async def test_a_bundle_whose_store_stays_away_is_unavailable_and_the_retry_happens_once(
    full: Casino, fault: Fault
) -> None:
    orders = wagers(full, 100, 200, 300)
    memory(full).fail(fault, fault)
    with pytest.raises(Unavailable):
        await full.send_together(orders)
    parts = await full.send_together(orders)
    assert [one.replayed for one in parts] == [False] * 3


async def test_a_refused_bundle_whose_turn_was_lost_is_refused_again(full: Casino) -> None:
    orders = [full.order(DepositFunds("p0", 1, "EUR", "t"), key="d"), *wagers(full, 1_001)]
    memory(full).fail(Fault.LOST_AFTER_COMMIT)
    futures = [
        full.house._waiting.add(full.order(DepositFunds("p1", 1, "EUR", "u"))),
        full.house._waiting.add(Bundle(tuple(orders))),
    ]
    assert (await futures[0]).status == 200
    with pytest.raises(PartRefused) as refused:
        await futures[1]
    await full.audit()
    assert (refused.value.nth, full.books.balance("av/p0")) == (1, 3_000_000_000)


async def test_a_fault_of_ours_in_one_order_leaves_nothing_of_the_bundle(
    full: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = accounts.deposit

    def faulty(desk: Desk, command: DepositFunds) -> TransactionAnswer:
        answer = real(desk, command)
        if command.player == "p1":
            raise ZeroDivisionError("a fault of ours")
        return answer

    monkeypatch.setattr(accounts, "deposit", faulty)
    with pytest.raises(PartRefused) as refused:
        await full.send_together([full.order(DepositFunds(one, 5, "EUR", one)) for one in PLAYERS])
    assert (refused.value.nth, type(refused.value.fault)) == (1, ZeroDivisionError)
    monkeypatch.undo()
    await full.send_together([full.order(DepositFunds(one, 5, "EUR", one)) for one in PLAYERS])


async def test_a_settlement_in_slices_is_no_part_of_a_bundle(crowd: Casino) -> None:
    round_id = await folded(crowd)
    await crowd.audit()
    with pytest.raises(PartRefused) as refused:
        await crowd.send_together(
            [crowd.order(DepositFunds("p0001", 5, "EUR", "x")), crowd.order(Settle(round_id, None))]
        )
    assert (refused.value.nth, type(refused.value.fault)) == (1, Unavailable)
    assert (await crowd.settle(round_id))["phase"] == "SETTLED"


async def test_a_bundle_larger_than_a_turn_and_jobs_beside_it_are_all_served(crowd: Casino) -> None:
    round_id = await betted(crowd)
    await crowd.audit()
    orders = [crowd.order(PlaceWager(round_id, f"p{nth:04d}", None, 100, 0, 0), status=201) for nth in range(500)]
    futures = [crowd.house._waiting.add(one) for one in [orders[0], Bundle(tuple(orders[1:])), orders[0]]]
    first, rest, again = [await one for one in futures]
    assert (len(rest.parts), first.body, again.replayed) == (499, again.body, True)
    await crowd.audit()


async def test_players_who_may_not_and_rounds_that_are_over_refuse_a_bundle_as_they_refuse_a_call(full: Casino) -> None:
    orders = wagers(full, 100, 200)
    with pytest.raises(PartRefused, match="0: no such player"):
        await full.send_together([full.order(DepositFunds("nobody", 1, "EUR", "n")), *orders])
    await full.submit(CloseBetting(full.books.state("table", "t").open_round))
    with pytest.raises(PartRefused) as refused:
        await full.send_together(orders)
    assert isinstance(refused.value.fault, BettingClosed)


async def test_a_house_that_is_full_or_stopping_takes_no_bundle(full: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.house.QUEUE_MAX", 2)
    with pytest.raises(Unavailable):
        await full.send_together(wagers(full, 100, 200, 300))
    await full.send_together(wagers(full, 100, 200))
