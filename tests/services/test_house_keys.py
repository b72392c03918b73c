"""Keys: one key, one effect, one answer (docs/api.md, Idempotency)."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyExists, IdempotencyMismatch, InsufficientFunds, NotFound
from services.batch import Result
from services.commands import DepositFunds, OpenRound, PlaceWager, RegisterPlayer, WithdrawFunds
from tests.domain.showdowns import LIVE
from tests.support.casino import Casino
from tests.support.entries import posted


def taken(result: Result | BaseException) -> Result:
    assert isinstance(result, Result), result
    return result


async def test_the_same_key_twice_in_one_batch_has_one_effect_and_both_get_the_same_bytes(casino: Casino) -> None:
    await casino.player("alice")
    command = DepositFunds("alice", 700, "EUR", "tx1")
    first, second = map(taken, await casino.send_all([casino.order(command, key="k"), casino.order(command, key="k")]))
    assert (first.status, first.body, first.position) == (second.status, second.body, second.position)
    assert (first.replayed, second.replayed) == (False, True)
    assert len(posted(casino)) == 1


async def test_the_same_key_later_gets_the_first_answer_byte_by_byte_and_nothing_happens(casino: Casino) -> None:
    await casino.player("alice", deposit=1_000)
    await casino.table("t", LIVE)
    round_id = await casino.round("t")
    command = PlaceWager(round_id, "alice", None, 100, 0, 0)
    await casino.submit(command, key="k", status=201)
    first = casino.last
    await casino.wager(round_id, "alice", ante=100)
    await casino.submit(command, key="k", status=201)
    assert first is not None
    assert casino.last is not None
    assert (casino.last.status, casino.last.body, casino.last.replayed) == (201, first.body, True)
    assert casino.last_news == []


async def test_the_same_key_with_another_body_is_a_mismatch_and_the_first_answer_stays(casino: Casino) -> None:
    await casino.player("alice", deposit=1_000)
    withdrawal = WithdrawFunds("alice", 500, "EUR", "tx1")
    await casino.submit(withdrawal, key="k", status=201)
    first = casino.last
    with pytest.raises(IdempotencyMismatch) as refusal:
        await casino.submit(WithdrawFunds("alice", 400, "EUR", "tx2"), key="k", status=201)
    assert refusal.value.field == "Idempotency-Key"
    await casino.submit(withdrawal, key="k", status=201)
    assert first is not None
    assert casino.body == {**casino.body, "amount": 500}
    assert casino.last is not None
    assert casino.last.body == first.body


async def test_the_same_key_with_another_body_in_one_batch_is_a_mismatch(casino: Casino) -> None:
    await casino.player("alice")
    one, other = (DepositFunds("alice", amount, "EUR", f"tx{amount}") for amount in (500, 700))
    first, second = await casino.send_all([casino.order(one, key="k"), casino.order(other, key="k")])
    assert taken(first).position == casino.books.position
    assert isinstance(second, IdempotencyMismatch)
    assert casino.books.balance("av/alice") == 500_000_000


async def test_a_refusal_burns_nothing_and_the_same_key_may_succeed_later(casino: Casino) -> None:
    await casino.player("alice")
    withdrawal = WithdrawFunds("alice", 500, "EUR", "tx1")
    with pytest.raises(InsufficientFunds):
        await casino.submit(withdrawal, key="k", status=201)
    await casino.deposit("alice", 500)
    await casino.submit(withdrawal, key="k", status=201)
    assert casino.body["balance"]["available"] == 0


async def test_a_refused_key_may_even_serve_another_request(casino: Casino) -> None:
    await casino.player("alice")
    with pytest.raises(NotFound):
        await casino.submit(OpenRound("nowhere"), key="k")
    await casino.submit(DepositFunds("alice", 500, "EUR", "tx1"), key="k", status=201)
    assert casino.books.balance("av/alice") == 500_000_000


async def test_a_refused_command_and_its_twin_in_one_batch_are_both_refused(casino: Casino) -> None:
    await casino.player("alice")
    command = RegisterPlayer("alice", "EUR")
    found = await casino.send_all([casino.order(command, key="k"), casino.order(command, key="k")])
    assert [type(one) for one in found] == [AlreadyExists, AlreadyExists]
    assert casino.last_news == []


async def test_the_same_transaction_under_another_key_answers_200_with_the_first_answer(casino: Casino) -> None:
    await casino.player("alice")
    command = DepositFunds("alice", 700, "EUR", "tx1")
    await casino.submit(command, key="k1", status=201)
    first = casino.last
    assert first is not None
    for key in ("k2", "k2", "k3"):
        await casino.submit(command, key=key, status=201)
        assert casino.last is not None
        assert (casino.last.status, casino.last.body, casino.last.replayed) == (200, first.body, True)
    assert casino.books.balance("av/alice") == 700_000_000


async def test_the_same_transaction_twice_in_one_batch_is_paid_once(casino: Casino) -> None:
    await casino.player("alice")
    command = DepositFunds("alice", 700, "EUR", "tx1")
    orders = [casino.order(command, key=f"k{nth}", status=201) for nth in range(3)]
    found = [taken(one) for one in await casino.send_all(orders)]
    assert [one.status for one in found] == [201, 200, 200]
    assert len({one.body for one in found}) == 1
    assert casino.books.balance("av/alice") == 700_000_000


@pytest.mark.parametrize(
    "other",
    [
        DepositFunds("alice", 701, "EUR", "tx1"),
        DepositFunds("bob", 700, "EUR", "tx1"),
        WithdrawFunds("alice", 700, "EUR", "tx1"),
    ],
)
async def test_a_transaction_id_of_another_player_kind_or_amount_is_a_mismatch(
    casino: Casino, other: DepositFunds | WithdrawFunds
) -> None:
    await casino.player("alice")
    await casino.player("bob")
    await casino.deposit("alice", 700, transaction="tx1")
    with pytest.raises(IdempotencyMismatch) as refusal:
        await casino.submit(other)
    assert refusal.value.field == "transaction_id"


async def test_keys_are_kept_by_a_house_that_never_saw_them(casino: Casino) -> None:
    await casino.player("alice")
    command = DepositFunds("alice", 700, "EUR", "tx1")
    await casino.submit(command, key="k", status=201)
    first = casino.last
    await casino.throw_away()
    await casino.submit(command, key="k", status=201)
    assert first is not None
    assert casino.last is not None
    assert casino.last.body == first.body
    assert casino.books.balance("av/alice") == 700_000_000
