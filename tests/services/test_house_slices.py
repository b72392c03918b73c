"""A large round is decided for, voided and cancelled in slices that let others through; the answer comes at the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.errors import AlreadyVoided, NotFound, Unavailable
from domain.rounds.events import RoundCancelled, RoundUndoing, RoundVoided
from domain.seats.events import SeatDecided, SeatVoided
from domain.wallets.events import VoidPolicy
from services.batch import Result
from services.commands import CancelAbandoned, DepositFunds, PayOn, Resolve, Settle, Void
from tests.services.crowd import PLAYERS, SEATS, betted, count, dealt, folded, memory, paid
from tests.support.casino import Casino
from tests.support.memory_log import Fault

LEFT = 8_900
"""Minor units that a player has left beside the bets, after a fold."""


def void_of(round_id: str, policy: VoidPolicy = VoidPolicy.CLAW_BACK, *, dry_run: bool = False) -> Void:
    return Void(round_id, "malfunction", policy, "boss", None, dry_run)


async def test_a_dry_run_of_1200_seats_is_listed_whole_in_pages_and_changes_nothing(crowd: Casino) -> None:
    round_id = await folded(crowd)
    await crowd.submit(Settle(round_id, None))
    before = memory(crowd).appends
    first = await crowd.submit(void_of(round_id, dry_run=True))
    rest = await crowd.submit(replace(void_of(round_id, dry_run=True), after=first["players"][-1]["player"]))
    assert [one["player"] for page in (first, rest) for one in page["players"]] == sorted(PLAYERS)
    assert (rest["dry_run"], rest["phase"], rest["players_count"], len(rest["players"])) == (True, "VOIDED", SEATS, 200)
    assert rest["players"][-1]["balance"]["available"] == 10_000
    assert memory(crowd).appends == before
    with pytest.raises(NotFound, match="no such player"):
        await crowd.submit(replace(void_of(round_id, dry_run=True), after="nobody"))


def av(casino: Casino, player: str) -> int:
    """Available money in minor units."""
    return casino.books.balance(f"av/{player}") // 1_000_000


async def test_who_is_absent_is_decided_for_in_slices_before_the_showdown(crowd: Casino) -> None:
    round_id = await dealt(crowd)
    before = memory(crowd).appends
    body = await crowd.submit(Settle(round_id, None))
    assert (body["phase"], count(crowd, SeatDecided), paid(crowd)) == ("SETTLED", SEATS, SEATS)
    assert memory(crowd).appends - before == 2 + 3, "500 and 500, then the last 200 with the first 500 that are paid"


async def test_a_void_of_1200_seats_takes_three_appends_and_the_retried_key_answers_the_same_bytes(
    crowd: Casino,
) -> None:
    round_id = await folded(crowd)
    await crowd.submit(Settle(round_id, None))
    assert av(crowd, "p0000") == LEFT + 1_600
    order, before = crowd.order(void_of(round_id)), memory(crowd).appends
    body = await crowd.send(order)
    first = crowd.last
    assert memory(crowd).appends - before == 3 + 1, "three slices, and the answer that is kept"
    assert (body["phase"], body["stage"], body["policy"]) == ("VOIDED", "AFTER_SETTLEMENT", "CLAW_BACK")
    assert (body["players_count"], len(body["players"])) == (SEATS, 1_000)
    assert body["players"][0] == {
        "player": "p0000", "refund": 0, "owed": 500, "taken": 500, "loss": 0,
        "balance": {"available": 10_000, "held": 0, "currency": "EUR", "exponent": 2},
    }  # fmt: skip
    assert {av(crowd, one) for one in PLAYERS} == {10_000}
    assert first is not None
    assert not first.replayed
    await crowd.submit(DepositFunds("p0000", 1, "EUR", "later"), status=201)
    await crowd.send(order)
    assert crowd.last == Result(first.status, first.body, first.position, replayed=True)
    await crowd.throw_away()
    await crowd.send(order)
    assert crowd.last == Result(first.status, first.body, first.position, replayed=True)
    with pytest.raises(AlreadyVoided):
        await crowd.submit(void_of(round_id))


async def test_a_void_before_the_deal_gives_every_stake_back_and_frees_the_table(crowd: Casino) -> None:
    round_id = await betted(crowd)
    body = await crowd.submit(void_of(round_id))
    assert (body["phase"], body["stage"]) == ("VOIDED", "BEFORE_SETTLEMENT")
    assert {av(crowd, one) for one in PLAYERS} == {10_000}
    await crowd.round("t")


async def test_a_dry_run_shows_the_first_thousand_and_changes_nothing(crowd: Casino) -> None:
    round_id = await folded(crowd)
    await crowd.submit(Settle(round_id, None))
    shown = await crowd.submit(void_of(round_id, dry_run=True))
    assert crowd.last_news == []
    assert (shown["phase"], shown["players_count"], len(shown["players"])) == ("VOIDED", SEATS, 1_000)
    done = await crowd.submit(void_of(round_id))
    assert shown["players"] == done["players"]


async def test_others_get_their_turn_between_the_slices(crowd: Casino) -> None:
    round_id = await folded(crowd)
    await crowd.submit(Settle(round_id, None))
    orders = [crowd.order(void_of(round_id)), crowd.order(DepositFunds("p1199", 5, "EUR", "meanwhile"))]
    _, deposit = await crowd.send_all(orders)
    assert isinstance(deposit, Result)
    ended = next(one.position for one in memory(crowd).events if isinstance(one.event, RoundVoided))
    assert deposit.position < ended
    assert av(crowd, "p1199") == 10_005


@pytest.mark.parametrize("fault", [Fault.NO_APPEND, Fault.LOST_BEFORE_COMMIT, Fault.LOST_AFTER_COMMIT])
async def test_a_void_that_is_cut_short_is_carried_on_by_timers_or_by_its_own_retry(
    crowd: Casino, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_id = await folded(crowd)
    await crowd.submit(Settle(round_id, None))
    order = crowd.order(void_of(round_id))
    monkeypatch.setattr("services.house.WEARY_SECONDS", 0.0)  # told at once, not tried again
    real = crowd.house._pay_to_the_end

    async def falling_over(late: object, unfinished: str) -> Result:
        memory(crowd).fail(fault)
        return await real(order, unfinished)

    monkeypatch.setattr(crowd.house, "_pay_to_the_end", falling_over)
    with pytest.raises(Unavailable):
        await crowd.house.submit(order)
    assert count(crowd, SeatVoided) == (1_000 if fault is Fault.LOST_AFTER_COMMIT else 500)
    await crowd.throw_away()
    await crowd.audit()
    while not any(isinstance(one.event, RoundVoided) for one in memory(crowd).events):
        await crowd.house.submit(replace(crowd.order(PayOn(round_id)), keys=()))
    await crowd.audit()
    body = await crowd.send(order)
    first = crowd.last
    assert (body["players_count"], count(crowd, SeatVoided)) == (SEATS, SEATS)
    await crowd.send(order)
    assert first is not None
    assert crowd.last is not None
    assert crowd.last.body == first.body


async def test_while_a_round_is_undone_reviews_wait_and_end_as_the_policy_at_once_would_have(crowd: Casino) -> None:
    round_id = await folded(crowd)
    await crowd.submit(Settle(round_id, None))
    held = crowd.order(void_of(round_id, VoidPolicy.HOLD_FOR_REVIEW))
    resolved = crowd.order(Resolve(round_id, VoidPolicy.CLAW_BACK))
    found = await crowd.send_all([held, resolved])
    assert all(isinstance(one, Result) for one in found), found
    assert {av(crowd, one) for one in PLAYERS} == {10_000}
    assert crowd.books.balance("review/p0700") == 0


async def test_C16_an_abandoned_round_of_many_is_cancelled_in_slices(crowd: Casino) -> None:
    round_id = await dealt(crowd)
    crowd.clock.forward(7_200)
    await crowd.house.submit(replace(crowd.order(CancelAbandoned(round_id)), keys=()))
    await crowd.audit()
    begun = [one.event for one in memory(crowd).events if isinstance(one.event, RoundUndoing)]
    assert [(one.seats, one.ends_as.value) for one in begun] == [(SEATS, "CANCELLED")]
    assert isinstance(memory(crowd).events[-2].event, RoundCancelled)
    assert {av(crowd, one) for one in PLAYERS} == {10_000}
