"""A large round is paid in slices of its seats, and its settlement answers when the last one is paid."""

from __future__ import annotations

import pytest

from domain.errors import Unavailable
from domain.wallets.events import VoidPolicy
from services.batch import Result
from services.commands import Settle, Void
from services.handlers.slices import SEATS_PER_APPEND
from tests.services.crowd import SEATS, folded, memory, paid
from tests.support.casino import Casino
from tests.support.memory_log import Fault


async def test_1200_seats_are_paid_in_three_appends_and_the_retried_key_answers_the_same_bytes(crowd: Casino) -> None:
    assert SEATS_PER_APPEND == 500
    round_id = await folded(crowd)
    order, before = crowd.order(Settle(round_id, None)), memory(crowd).appends
    body = await crowd.send(order)
    first = crowd.last
    assert (body["phase"], body["seats"], paid(crowd)) == ("SETTLED", SEATS, SEATS)
    assert body["position"] == next(
        one.position for one in memory(crowd).events if type(one.event).__name__ == "RoundSettled"
    )
    assert memory(crowd).appends - before == 3
    await crowd.send(order)
    assert first is not None
    assert crowd.last == Result(first.status, first.body, first.position, replayed=True)
    assert crowd.last_news == []
    await crowd.throw_away()
    await crowd.send(order)
    assert crowd.last == Result(first.status, first.body, first.position, replayed=True)
    assert crowd.books.balance("REV/live-5plus1-v1/SIDE") == -SEATS * 1_500 * 1_000_000


async def test_the_answer_is_the_same_bytes_after_a_void_of_the_round(crowd: Casino) -> None:
    round_id = await folded(crowd)
    order = crowd.order(Settle(round_id, None))
    await crowd.send(order)
    first = crowd.last
    answer = await crowd.void(round_id)
    assert (answer["players_count"], len(answer["players"])) == (SEATS, 1_000)
    await crowd.send(order)
    assert first is not None
    assert crowd.last is not None
    assert crowd.last.body == first.body
    assert crowd.books.balance("av/p0000") == 10_000_000_000


@pytest.mark.parametrize("fault", [Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT])
async def test_a_house_thrown_away_between_slices_resumes_where_it_stood(
    crowd: Casino, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_id = await folded(crowd)
    order = crowd.order(Settle(round_id, None))
    monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)  # told at once, not tried again
    real = crowd.house._pay_to_the_end

    async def falling_over(late: object, unfinished: str) -> Result:
        memory(crowd).fail(fault)
        return await real(order, unfinished)

    monkeypatch.setattr(crowd.house, "_pay_to_the_end", falling_over)
    with pytest.raises(Unavailable):
        await crowd.house.submit(order)
    assert paid(crowd) == (1_000 if fault is Fault.LOST_AFTER_COMMIT else 500)
    await crowd.throw_away()
    await crowd.audit()
    body = await crowd.send(order)
    first = crowd.last
    assert (body["phase"], paid(crowd)) == ("SETTLED", SEATS)
    await crowd.send(order)
    assert first is not None
    assert crowd.last is not None
    assert (crowd.last.body, crowd.last.position) == (first.body, first.position)
    assert crowd.last_news == []


async def test_one_settlement_asked_for_twice_at_once_is_paid_once(crowd: Casino) -> None:
    round_id = await folded(crowd)
    order = crowd.order(Settle(round_id, None))
    first, second = await crowd.send_all([order, order])
    assert isinstance(first, Result)
    assert isinstance(second, Result)
    assert (first.body, first.position) == (second.body, second.position)
    assert paid(crowd) == SEATS


async def test_a_void_while_the_seats_are_paid_runs_the_remaining_slices_first(crowd: Casino) -> None:
    round_id = await folded(crowd)
    settle = crowd.order(Settle(round_id, None))
    void = crowd.order(Void(round_id, "malfunction", VoidPolicy.CLAW_BACK, "boss", None, False))
    settled, voided = await crowd.send_all([settle, void])
    assert isinstance(settled, Result), settled
    assert isinstance(voided, Result), voided
    assert b'"phase": "SETTLED"' in settled.body
    assert b'"phase": "VOIDED"' in voided.body
    assert paid(crowd) == SEATS
    assert crowd.books.balance("av/p1199") == 10_000_000_000
