"""What a round in slices has in common with one that is done at once: refusals, answers, lists, ids."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from unittest.mock import patch

import pytest

from domain.errors import DuplicateCard, Invalid, Refusal, Unavailable
from domain.seats.decider import Seat
from domain.seats.events import WagerKind
from domain.wallets.events import VoidPolicy
from services.batch import Order, Result
from services.commands import CancelAbandoned, Deal, PayOn, Settle, TimeOut, Void
from tests.domain.showdowns import LIVE
from tests.support.cards import ACE_KING, FLUSH, HIGH, cards, hand
from tests.support.casino import Casino
from tests.support.interleaved import slices_of
from tests.support.memory_log import Fault, MemoryLog
from tests.support.open_casino import casino

__all__ = ["casino"]

SEATS = 7
PLAYERS = [f"p{nth}" for nth in range(SEATS)]
DEALER = cards(ACE_KING)


@pytest.fixture(autouse=True)
def slices_of_two_seats_and_lists_of_three() -> Iterator[None]:
    with ExitStack() as stack:
        stack.enter_context(slices_of(2))
        for module in ("handlers.undoing", "late"):
            stack.enter_context(patch(f"services.{module}.LIST_PAGE", 3))
        yield


async def closed(casino: Casino, **terms: object) -> str:
    """Everybody has an ante of 10.00 and a side wager of 1.00; betting is closed."""
    await casino.table("t", LIVE, **terms)
    for one in PLAYERS:
        await casino.player(one, deposit=10_000)
    round_id = await casino.round("t")
    for one in PLAYERS:
        await casino.wager(round_id, one, ante=1_000, five_plus_one=100)
    await casino.close(round_id)
    return round_id


async def settled(casino: Casino) -> str:
    round_id = await closed(casino)
    await casino.deal(round_id, hand(FLUSH))
    await casino.settle(round_id)
    return round_id


@pytest.mark.parametrize(
    ("told", "refusal"),
    [(None, Invalid), (DEALER[1:4], Invalid), ((*DEALER[1:4], DEALER[0]), DuplicateCard)],
)
async def test_S2_21_a_settlement_that_is_refused_for_its_cards_decides_for_nobody_who_is_absent(
    casino: Casino, told: tuple[str, ...] | None, refusal: type[Refusal]
) -> None:
    round_id = await closed(casino)
    await casino.submit(Deal(round_id, cards(hand(FLUSH)), None, DEALER[:1]))
    with pytest.raises(refusal):
        await casino.submit(Settle(round_id, told))
    await casino.call(round_id, PLAYERS[0])
    body = await casino.submit(Settle(round_id, DEALER[1:]))
    assert body["phase"] == "SETTLED"


async def test_R19_timers_leave_the_absent_to_a_studio_that_kept_the_dealers_cards(casino: Casino) -> None:
    round_id = await closed(casino, pace="AUTO")
    await casino.submit(Deal(round_id, cards(hand(FLUSH)), None, DEALER[:1]))
    casino.clock.forward(3_000)
    with pytest.raises(Invalid):
        await casino.send(replace(casino.order(TimeOut(round_id)), keys=()))


async def test_a_settlement_answers_the_same_bytes_after_the_round_was_settled_anew(casino: Casino) -> None:
    round_id = await closed(casino)
    await casino.deal(round_id, hand(FLUSH))
    order = casino.order(Settle(round_id, None))
    await casino.send(order)
    first = casino.last
    await casino.resettle(round_id, hand(HIGH), dealer="Qs Qd 7c 4h 2s")
    await casino.send(order)
    assert first is not None
    assert casino.last is not None
    assert (casino.last.body, casino.last.position) == (first.body, first.position)


@pytest.mark.parametrize("timer", [CancelAbandoned, TimeOut])
async def test_C16_what_a_timer_does_in_slices_has_one_answer_under_one_key(
    casino: Casino, timer: type[CancelAbandoned] | type[TimeOut]
) -> None:
    round_id = await closed(casino, pace="AUTO")
    await casino.deal(round_id, hand(FLUSH))
    casino.clock.forward(4_000)
    order = casino.order(timer(round_id))
    body = await casino.send(order)
    assert body["phase"] == ("CANCELLED" if timer is CancelAbandoned else "SETTLED")
    assert await casino.send(order) == body
    assert casino.last is not None
    assert casino.last.replayed


async def called(casino: Casino, round_id: str) -> None:
    """Everybody has decided, so that a settlement has only to pay."""
    await casino.deal(round_id, hand(FLUSH))
    for one in PLAYERS:
        await casino.call(round_id, one)


def seats_of(casino: Casino, round_id: str) -> list[Seat]:
    return [one for one in casino.books.of_kind("seat") if isinstance(one, Seat) and one.round == round_id]


def voiding(round_id: str, *, dry_run: bool = False) -> Void:
    return Void(round_id, "malfunction", VoidPolicy.CLAW_BACK, "boss", None, dry_run)


@pytest.mark.parametrize("is_settled", [False, True])
async def test_a_void_lists_as_many_players_as_its_dry_run_when_some_were_voided_before(
    casino: Casino, is_settled: bool
) -> None:
    round_id = await settled(casino) if is_settled else await closed(casino)
    for one in PLAYERS[:2]:
        await casino.void(round_id, wagers=tuple(one.wager for one in casino.seat(round_id, one).wagers))
    shown = await casino.submit(voiding(round_id, dry_run=True))
    done = await casino.submit(voiding(round_id))
    assert [one["player"] for one in shown["players"]] == PLAYERS[2:5]
    assert done["players"] == shown["players"]
    assert done["players_count"] == shown["players_count"] == 5


def cut_short(casino: Casino, monkeypatch: pytest.MonkeyPatch, how: Fault | None) -> None:
    """The first slice that follows meets a fault, or a queue that is full."""
    monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)
    real = casino.house._enqueue

    async def cut(order: Order) -> Result:
        if isinstance(order.command, PayOn):
            monkeypatch.setattr(casino.house, "_enqueue", real)
            assert isinstance(casino.log, MemoryLog)
            if how is None:
                with patch("services.house.QUEUE_MAX", 0):
                    return await real(order)
            casino.log.fail(how)
        return await real(order)

    monkeypatch.setattr(casino.house, "_enqueue", cut)


@pytest.mark.parametrize("how", [None, Fault.NO_LOCK, Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT])
@pytest.mark.parametrize("is_settled", [False, True])
async def test_F28_nobody_is_told_that_nothing_happened_once_work_in_slices_has_begun(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, how: Fault | None, *, is_settled: bool
) -> None:
    """A settlement, and a void: the same request sent again gets the answer."""
    round_id = await settled(casino) if is_settled else await closed(casino)
    if not is_settled:
        await called(casino, round_id)
    order = casino.order(voiding(round_id) if is_settled else Settle(round_id, None))
    for _ in range(2):
        cut_short(casino, monkeypatch, how)
        with pytest.raises(Unavailable) as told:
            await casino.house.submit(order)
        assert "nothing happened" not in told.value.detail
        assert "begun" in told.value.detail
        await casino.audit()
        assert not is_settled or casino.books.balance(f"av/{PLAYERS[-1]}") > 10_000 * 10**6
    body = await casino.send(order)
    assert body["phase"] == ("VOIDED" if is_settled else "SETTLED")


async def test_F28_what_waits_for_anothers_slices_is_told_that_nothing_of_its_own_happened(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_id = await settled(casino)
    cut_short(casino, monkeypatch, Fault.NO_LOCK)
    with pytest.raises(Unavailable):
        await casino.house.submit(casino.order(voiding(round_id)))
    await casino.audit()
    cut_short(casino, monkeypatch, Fault.NO_LOCK)
    with pytest.raises(Unavailable) as told:
        await casino.house.submit(casino.order(voiding(round_id)))
    assert "nothing happened" in told.value.detail


async def test_of_two_that_wait_with_one_key_one_is_told_that_it_was_served_before(casino: Casino) -> None:
    round_id = await closed(casino)
    await called(casino, round_id)
    void = casino.order(voiding(round_id))
    found = await casino.send_all([casino.order(Settle(round_id, None)), void, void])
    _, one, other = [one for one in found if isinstance(one, Result)]
    assert one.body == other.body
    assert sorted([one.replayed, other.replayed]) == [False, True]


async def test_I3_a_slice_whose_commit_was_lost_and_the_next_one_are_two_commands(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call that the system makes is a wager of its own id."""
    round_id = await closed(casino, timeout_policy="BET_IF_PAIR_OR_BETTER")
    await casino.deal(round_id, hand(FLUSH))
    cut_short(casino, monkeypatch, Fault.LOST_AFTER_COMMIT)
    monkeypatch.setattr("services.house.WEARY_SECONDS", 60.0)
    await casino.settle(round_id)
    calls = [one.wager for one in seats_of(casino, round_id) for one in one.wagers if one.kind is WagerKind.CALL]
    assert len(calls) == SEATS
    assert len({*calls}) == SEATS
