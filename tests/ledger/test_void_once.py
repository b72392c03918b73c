"""A void happens once, is asked for by two, and can be looked at before it is done (C17 to C19)."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyVoided, Forbidden, Invalid, Refusal, WrongPhase
from domain.money import MICRO
from domain.seats import decider as seats
from domain.seats.commands import VoidSeat
from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.domain.showdowns import EURO
from tests.support.cards import FLUSH, HIGH, hand
from tests.support.casino import Casino, Play


@pytest.fixture
async def euro(casino: Casino) -> Casino:
    """Ann and bob, 100.00 each, at a euro table with a pool."""
    await casino.jackpot("gold", EURO, reserve_ppm=100_000)
    await casino.table("t", EURO, jackpot="gold")
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    return casino


@pytest.mark.parametrize("policy", VoidPolicy)
async def test_C19_a_second_void_is_refused(euro: Casino, policy: VoidPolicy) -> None:
    before = await euro.bets_closed("t", {"ann": Play()})
    await euro.void(before)
    after = await euro.played("t", {"ann": Play(cards=hand(FLUSH))})
    await euro.void(after)
    standing = euro.books.standing()
    for round_id in (before, after):
        with pytest.raises(AlreadyVoided):
            await euro.void(round_id, policy)
        with pytest.raises(AlreadyVoided):
            await euro.void(round_id, policy, dry_run=True)
    assert euro.books.standing() == standing


async def test_C19_a_cancelled_round_cannot_be_voided(euro: Casino) -> None:
    round_id = await euro.bets_closed("t", {"ann": Play()})
    euro.clock.forward(3_600)
    await euro.submit(c.CancelAbandoned(round_id))
    with pytest.raises(AlreadyVoided):
        await euro.void(round_id)
    with pytest.raises(WrongPhase):
        await euro.submit(c.CancelAbandoned(round_id))


async def test_C19_a_seat_is_voided_once(euro: Casino) -> None:
    """The round asks first; the seat would refuse by itself."""
    rounds = [await euro.bets_closed("t", {"ann": Play()})]
    await euro.void(rounds[0])
    rounds.append(await euro.played("t", {"ann": Play()}))
    await euro.void(rounds[1])
    voided = [one for one in euro.books.of_kind("seat") if isinstance(one, seats.Seat)]
    assert [one.round for one in voided] == rounds
    for seat in voided:
        with pytest.raises(AlreadyVoided):
            seats.decide(VoidSeat(EURO, "EUR", ("w",), 0, 0, review=False), seat)
        with pytest.raises(Refusal):
            seats.decide(_settling(), seat)


def _settling() -> seats.SettleSeat:
    return seats.SettleSeat(EURO, "EUR", "PAIR", "WIN", (), 0, 0)


async def test_a_settled_seat_is_settled_once(euro: Casino) -> None:
    await euro.played("t", {"ann": Play()})
    (seat,) = euro.books.of_kind("seat")
    assert isinstance(seat, seats.Seat)
    with pytest.raises(WrongPhase):
        seats.decide(_settling(), seat)


async def test_a_dry_run_shows_the_void_and_changes_nothing(euro: Casino) -> None:
    plays = {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(HIGH, 2), call=False)}
    round_id = await euro.played("t", plays)
    head = euro.books.position
    shown = await euro.void(round_id, dry_run=True)
    assert euro.last_news == []
    assert shown["dry_run"] is True
    done = await euro.void(round_id)
    assert done["dry_run"] is False
    assert (shown["position"], done["position"]) == (head, euro.books.position)
    same = {"dry_run": None, "position": None}
    assert shown | same == done | same


async def test_the_answer_of_a_void_after_settlement_adds_up(euro: Casino) -> None:
    plays = {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(HIGH, 2), call=False)}
    answer = await euro.void(await euro.played("t", plays), VoidPolicy.HOUSE_ABSORBS)
    assert (answer["phase"], answer["stage"], answer["policy"]) == ("VOIDED", "AFTER_SETTLEMENT", "HOUSE_ABSORBS")
    # ann: ante 1,000 even, call 2,000 at 6, prize 1,500, less the stake of 50; bob: ante 1,000 and stake 50 lost
    money = {"available": 10_000, "held": 0, "currency": "EUR", "exponent": 2}
    assert answer["players"] == [
        {"player": "ann", "refund": 0, "owed": 14_450, "taken": 14_450, "loss": 0, "balance": money},
        {"player": "bob", "refund": 1_050, "owed": 0, "taken": 0, "loss": 0, "balance": money},
    ]
    assert answer["players_count"] == 2
    assert answer["jackpots"] == [
        {
            "jackpot": "gold",
            "meter_change_micro": "-40000000",
            "reserve_change_micro": "-10000000",
            "overflow_change_micro": "0",
            "shortfall_micro": "0",
            "meter_after_micro": str(100_000 * MICRO),
        }
    ]


async def test_the_answer_of_a_void_before_settlement_names_what_comes_back(euro: Casino) -> None:
    answer = await euro.void(await euro.bets_closed("t", {"ann": Play()}), None, approver=None)
    assert (answer["phase"], answer["stage"], answer["policy"]) == ("VOIDED", "BEFORE_SETTLEMENT", None)
    (ann,) = answer["players"]
    assert (ann["refund"], ann["owed"], ann["taken"], ann["loss"]) == (3_050, 0, 0, 0)


async def test_who_had_left_before_has_no_part_in_a_void(euro: Casino) -> None:
    round_id = await euro.round("t")
    await euro.wager(round_id, "ann", seat=1, ante=1_000)
    await euro.wager(round_id, "bob", seat=2, ante=1_000)
    left = await euro.leave(round_id, "bob")
    assert left["seat"] == 2
    await euro.close(round_id)
    answer = await euro.void(round_id)
    assert ([one["player"] for one in answer["players"]], answer["players_count"]) == (["ann"], 1)


async def test_C18_a_void_after_settlement_takes_two_persons_and_a_policy(euro: Casino) -> None:
    round_id = await euro.played("t", {"ann": Play()})
    with pytest.raises(Forbidden) as refused:
        await euro.void(round_id, approver="pit")
    assert refused.value.field == "approver"
    for policy, approver, field in ((None, "boss", "policy"), (VoidPolicy.CLAW_BACK, None, "approver")):
        with pytest.raises(Invalid) as invalid:
            await euro.void(round_id, policy, approver=approver)
        assert invalid.value.field == field
    await euro.void(round_id)
