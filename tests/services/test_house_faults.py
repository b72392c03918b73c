"""Faults of the log and of a handler: each caller gets what truly happened, and the next turn works."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from domain.errors import InsufficientFunds, Unavailable
from domain.flows import Line, postings
from domain.streams import Event
from services.answers import TransactionAnswer
from services.batch import Order, Result
from services.commands import CloseBetting, DepositFunds, OpenRound, PlaceWager, Settle, UndoWager, WithdrawFunds
from services.desk import Desk, UnbalancedEntry
from services.handlers import accounts
from services.house import House
from tests.domain.showdowns import EURO, LIVE
from tests.support.cards import HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.counter import Counter
from tests.support.memory_log import Fault, MemoryLog


def memory(casino: Counter) -> MemoryLog:
    assert isinstance(casino.log, MemoryLog)
    return casino.log


@pytest.fixture
async def rich(casino: Casino) -> Casino:
    """Alice with 10.00."""
    await casino.player("alice", deposit=1_000)
    return casino


def deposits(casino: Casino, *amounts: int) -> list[Order]:
    return [casino.order(DepositFunds("alice", one, "EUR", f"tx{one}"), status=201) for one in amounts]


@pytest.mark.parametrize("fault", [Fault.NO_LOCK, Fault.NO_LOAD, Fault.NO_APPEND])
async def test_a_log_that_cannot_be_written_is_unavailable_nothing_happens_and_the_next_turn_works(
    rich: Casino, fault: Fault
) -> None:
    await rich.throw_away()
    orders = deposits(rich, 100, 200)
    memory(rich).fail(fault, fault)
    found = await rich.send_all(orders)
    assert [type(one) for one in found] == [Unavailable, Unavailable]
    assert all(isinstance(one, Unavailable) and one.retryable for one in found)
    assert rich.last_news == []
    again = await rich.send_all(orders)
    assert all(isinstance(one, Result) and not one.replayed for one in again)
    assert rich.books.balance("av/alice") == 1_300_000_000


@pytest.mark.parametrize("fault", [Fault.NO_LOCK, Fault.NO_LOAD, Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT])
async def test_F03_a_fault_that_comes_soon_and_goes_is_felt_by_nobody(rich: Casino, fault: Fault) -> None:
    await rich.throw_away()
    memory(rich).fail(fault)
    found = await rich.send_all(deposits(rich, 100, 200))
    assert [(one.status, one.replayed) for one in found if isinstance(one, Result)] == [(201, False), (201, False)]
    assert rich.books.balance("av/alice") == 1_300_000_000


async def test_F28_a_fault_that_comes_late_is_told_at_once(rich: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)
    memory(rich).fail(Fault.NO_LOCK)
    (found,) = await rich.send_all(deposits(rich, 100))
    assert isinstance(found, Unavailable)
    assert rich.last_news == []


async def test_F28_who_has_waited_long_is_told_with_the_turn_that_failed_who_has_just_come_gets_a_turn(
    rich: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.house.BATCH_MAX", 1)
    memory(rich).fail(Fault.NO_LOCK, Fault.NO_LOCK)
    first, second = await rich.send_all(deposits(rich, 100, 200))
    assert isinstance(first, Unavailable)
    assert isinstance(second, Result), "it had not waited long"
    monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)
    memory(rich).fail(Fault.NO_LOCK)
    told = await rich.send_all(deposits(rich, 300, 400))
    assert [type(one) for one in told] == [Unavailable, Unavailable]
    assert all(isinstance(one, Result) for one in await rich.send_all(deposits(rich, 300, 400)))


async def test_bug_024_a_turn_ends_when_its_time_is_up_and_what_waits_keeps_its_order(
    rich: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.house.TURN_SECONDS", 0.0)
    before = memory(rich).appends
    found = await rich.send_all(deposits(rich, 1, 2, 3, 4))
    assert memory(rich).appends - before == 4
    positions = [one.position for one in found if isinstance(one, Result)]
    assert positions == sorted(positions)
    assert len(set(positions)) == 4


async def test_a_commit_lost_before_it_took_effect_is_unavailable_and_the_retry_happens_once(rich: Casino) -> None:
    orders = deposits(rich, 100, 200)
    memory(rich).fail(Fault.LOST_BEFORE_COMMIT, Fault.LOST_BEFORE_COMMIT)
    assert [type(one) for one in await rich.send_all(orders)] == [Unavailable, Unavailable]
    assert rich.last_news == []
    await rich.send_all(orders)
    assert rich.books.balance("av/alice") == 1_300_000_000


async def test_a_commit_lost_after_it_took_effect_answers_each_caller_with_what_happened(rich: Casino) -> None:
    refused = rich.order(WithdrawFunds("alice", 9_999, "EUR", "w"))
    orders = [*deposits(rich, 100, 200), refused]
    memory(rich).fail(Fault.LOST_AFTER_COMMIT)
    first, second, third = await rich.send_all(orders)
    assert isinstance(first, Result)
    assert isinstance(second, Result)
    assert (first.status, second.status) == (201, 201)
    assert b'"available": 1100' in first.body
    assert b'"available": 1300' in second.body
    assert isinstance(third, InsufficientFunds), "it left no record, so it is decided again"
    assert rich.books.balance("av/alice") == 1_300_000_000
    retried = await rich.send_all(orders)
    assert [one.body for one in retried if isinstance(one, Result)] == [first.body, second.body]
    assert isinstance(retried[2], InsufficientFunds)
    assert rich.last_news == []


async def test_a_transaction_repeated_while_a_commit_is_lost_still_answers_200(rich: Casino) -> None:
    await rich.deposit("alice", 100, transaction="tx100")
    first = rich.last
    memory(rich).fail(Fault.LOST_BEFORE_COMMIT)
    (found,) = await rich.send_all(deposits(rich, 100))
    assert first is not None
    assert isinstance(found, Result)
    assert (found.status, found.body, found.replayed) == (200, first.body, True)


@pytest.mark.parametrize("then", [Fault.NO_LOCK, Fault.LOST_AFTER_COMMIT])
async def test_a_log_that_fails_twice_leaves_the_truth_to_the_retry(rich: Casino, then: Fault) -> None:
    orders = deposits(rich, 100)
    memory(rich).fail(Fault.LOST_AFTER_COMMIT, then)
    (found,) = await rich.send_all(orders)
    if then is Fault.NO_LOCK:
        assert isinstance(found, Unavailable)
    (again,) = await rich.send_all(orders)
    if then is not Fault.NO_LOCK:
        assert isinstance(again, Result)
    assert rich.books.balance("av/alice") == 1_100_000_000


async def test_a_settlement_whose_commit_is_lost_is_found_out_by_the_same_key(casino: Casino) -> None:
    await casino.player("alice", deposit=10_000)
    await casino.table("t", LIVE)
    round_id = await casino.decided("t", {"alice": Play(cards=hand(HIGH))})
    order = casino.order(Settle(round_id, None))
    memory(casino).fail(Fault.LOST_AFTER_COMMIT)
    body = await casino.send(order)
    assert body["phase"] == "SETTLED"
    assert await casino.send(order) == body
    assert casino.last_news == []


@pytest.fixture
def bug(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A handler with a fault of ours: it posts one half of a deposit and falls over for player `cursed`."""
    real = accounts.deposit

    def faulty(desk: Desk, command: DepositFunds) -> TransactionAnswer:
        answer = real(desk, command)
        if command.player == "cursed":
            raise ZeroDivisionError("a fault of ours")
        return answer

    monkeypatch.setattr(accounts, "deposit", faulty)
    return "cursed"


async def test_a_handler_that_fails_leaves_the_others_of_its_batch_untouched(casino: Casino, bug: str) -> None:
    await casino.player("alice")
    await casino.player(bug)
    orders = [
        casino.order(DepositFunds(player, amount, "EUR", f"tx{amount}"), status=201)
        for player, amount in (("alice", 100), (bug, 200), ("alice", 300))
    ]
    first, second, third = await casino.send_all(orders)
    assert isinstance(first, Result)
    assert isinstance(second, ZeroDivisionError)
    assert isinstance(third, Result)
    assert casino.books.balance("av/alice") == 400_000_000
    assert casino.books.balance(f"av/{bug}") == 0
    casino.compare()


@pytest.mark.parametrize(("short", "long"), [(0, 10), (10, 0), (0, -10), (-10, 0)])
async def test_bug_028_an_entry_that_does_not_sum_to_zero_is_never_written_whichever_side_is_larger(
    rich: Casino, monkeypatch: pytest.MonkeyPatch, short: int, long: int
) -> None:
    def uneven(event: Event) -> tuple[Line, ...]:
        more = (short, long)[: len(postings(event))]
        return tuple(
            line._replace(amount_micro=line.amount_micro + one) for line, one in zip(postings(event), more, strict=True)
        )

    monkeypatch.setattr("services.desk.postings", uneven)
    (found,) = await rich.send_all(deposits(rich, 100))
    assert isinstance(found, UnbalancedEntry)
    assert rich.last_news == []
    monkeypatch.undo()
    await rich.deposit("alice", 100)


async def test_two_houses_on_one_log_see_each_other_and_one_seat_goes_to_one_player(casino: Casino) -> None:
    await casino.table("t", EURO)
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    round_id = await casino.round("t")
    async with Counter(casino.log, ids="other") as other:
        await other.submit(PlaceWager(round_id, "ann", 1, 1_000, 0, 0))
        (found,) = await casino.send_all([casino.order(PlaceWager(round_id, "bob", 1, 1_000, 0, 0))])
        assert type(found).__name__ == "SeatTaken"
        await casino.wager(round_id, "bob", seat=2, ante=1_000)
        await other.submit(CloseBetting(round_id))
        (late,) = await casino.send_all([casino.order(PlaceWager(round_id, "bob", 2, 100, 0, 0))])
        assert type(late).__name__ == "BettingClosed"


async def test_a_load_in_the_middle_of_a_batch_does_not_undo_what_the_batch_decided(casino: Casino) -> None:
    """Bob's wager makes the house load the seats of the round, of which alice's has changed in this very batch."""
    await casino.table("t", EURO)
    for player in ("alice", "bob"):
        await casino.player(player, deposit=10_000)
    round_id = await casino.round("t")
    await casino.wager(round_id, "alice", seat=1, ante=1_000)
    await casino.throw_away()
    undo = UndoWager(round_id, "alice")
    found = await casino.send_all(
        [casino.order(undo), casino.order(PlaceWager(round_id, "bob", 2, 1_000, 0, 0)), casino.order(undo)]
    )
    assert [type(one).__name__ for one in found] == ["Result", "Result", "WrongPhase"]
    casino.compare()


async def test_a_full_house_tells_the_next_to_come_again(rich: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.house.QUEUE_MAX", 2)
    found = await rich.send_all(deposits(rich, 1, 2, 3))
    assert [type(one) for one in found] == [Result, Result, Unavailable]
    assert rich.house.waiting == 0


async def test_a_house_that_stops_finishes_what_waits_and_takes_no_more(rich: Casino) -> None:
    house: House = rich.house
    command = OpenRound("nowhere")
    await rich.deposit("alice", 5)
    await house.stop()
    with pytest.raises(Unavailable):
        await house.submit(rich.order(command))
    await rich.throw_away()
