"""Public bug reports about money that is undone (voids, rollbacks, settlements put right), tried here."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyVoided, IdempotencyMismatch, WrongPhase
from domain.money import MICRO
from domain.seats.events import SeatResettled, SeatSettled, SeatVoided, WagerKind
from domain.views.plays import WagerStatus
from domain.wallets.events import VoidPolicy
from services import commands as c
from tests.domain.showdowns import EURO, LIVE
from tests.ledger.prizes import opened
from tests.support.cards import ACE_KING, FLUSH, HIGH, PAIR, hand
from tests.support.casino import Casino, Play
from tests.support.entries import posted, table
from tests.support.views import lines_of, plays_of, rows_of


async def seated(casino: Casino) -> None:
    """Ann, with 100.00, at a table of the live game."""
    await casino.table("t", LIVE)
    await casino.player("ann", deposit=10_000)


async def test_bug_058_a_win_that_is_voided_is_paid_once_and_taken_once(casino: Casino) -> None:
    await seated(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))})
    won = posted(casino)[-1]
    await casino.void(round_id)
    taken = posted(casino)[-1]
    assert won == table("""
        held/ann                     -3_000
        av/ann                      +18_000
        REV/live-5plus1-v1/ANTE      -1_000
        REV/live-5plus1-v1/CALL     -14_000
    """)
    assert taken == table("""
        av/ann                      -15_000
        REV/live-5plus1-v1/ANTE      +1_000
        REV/live-5plus1-v1/CALL     +14_000
    """)
    with pytest.raises(WrongPhase):
        await casino.settle(round_id)
    with pytest.raises(AlreadyVoided):
        await casino.resettle(round_id, hand(HIGH))
    assert casino.books.balance("av/ann") == 10_000 * MICRO


async def test_bug_058_a_win_corrected_to_a_loss_nets_to_the_corrected_result_in_linked_entries(casino: Casino) -> None:
    """Held, settled as a win, settled again as a loss: each in the history, by the round's id, and the last counts."""
    await seated(casino)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))})
    await casino.resettle(round_id, hand(HIGH))
    assert casino.books.balance("av/ann") == (10_000 - 3_000) * MICRO
    assert {name: micro for (_, name), micro in casino.books.standing().items() if name.startswith("REV")} == {
        "REV/live-5plus1-v1/ANTE": 1_000 * MICRO, "REV/live-5plus1-v1/CALL": 2_000 * MICRO,
    }  # fmt: skip
    linked = [one.event for one in await casino.everything() if isinstance(one.event, SeatSettled | SeatResettled)]
    assert [(type(one).__name__, one.round, one.net_minor) for one in linked] == [
        ("SeatSettled", round_id, 15_000), ("SeatResettled", round_id, -3_000),
    ]  # fmt: skip


async def test_bug_060_what_was_voided_stays_in_the_history_when_the_main_bet_is_settled(casino: Casino) -> None:
    await seated(casino)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000, five_plus_one=100)
    await casino.close(round_id)
    await casino.void(round_id, None, approver=None, wagers=(casino.wager_id(round_id, "ann", WagerKind.SIDE),))
    await casino.deal(round_id, hand(PAIR), ACE_KING)
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    ann = (await plays_of(casino, round_id))["ann"]
    voided = [one for one in ann.wagers if one.status is WagerStatus.VOIDED]
    assert [(one.kind.value, one.stake_minor) for one in voided] == [("SIDE", 100)]
    assert ann.staked_minor == 3_000
    lines = lines_of(await rows_of(casino, "histories"), "ann")
    assert [(line.kind.value, line.refund_minor) for line, _ in lines] == [("DEPOSIT", 0), ("VOID", 100), ("ROUND", 0)]


@pytest.mark.parametrize("kind", ["deposit", "withdraw"])
async def test_bug_067_a_rollback_before_its_movement_leaves_a_tombstone(casino: Casino, kind: str) -> None:
    await casino.player("ann", deposit=1_000)
    first = await casino.roll_back("X")
    with pytest.raises(IdempotencyMismatch):
        await getattr(casino, kind)("ann", 100, transaction="X")
    await casino.throw_away()
    assert await casino.roll_back("X") == first
    with pytest.raises(IdempotencyMismatch):
        await getattr(casino, kind)("ann", 100, transaction="X")
    assert casino.books.balance("av/ann") == 1_000 * MICRO


async def test_bug_067_an_older_round_undone_under_newer_ones_refunds_its_own_stakes_once(casino: Casino) -> None:
    await opened(casino, EURO)
    rounds = [await casino.played("t", {"ann": Play(cards=hand(HIGH), call=False)}) for _ in range(3)]
    await casino.void(rounds[0])
    await casino.throw_away()
    with pytest.raises(AlreadyVoided):
        await casino.void(rounds[0])
    assert casino.books.balance("av/ann") == (10_000 - 2 * 1_050) * MICRO


REACHED = {
    "before the deal": "closed", "after the deal": "dealt", "after settlement": "settled",
    "after a jackpot": "jackpot", "after the winnings were spent": "spent",
}  # fmt: skip


@pytest.mark.parametrize("point", REACHED.values(), ids=REACHED)
async def test_F30_a_malfunction_void_gives_stakes_back_once_and_reverses_all_else(casino: Casino, point: str) -> None:
    await opened(casino, EURO, reserve_ppm=100_000)
    before = casino.books.standing()
    round_id = await casino.bets_closed("t", {"ann": Play(), "bob": Play(2)})
    if point != "closed":
        hands = {1: hand("ROYAL_FLUSH" if point == "jackpot" else FLUSH, 1), 2: hand(HIGH, 2)}
        await casino.deal(round_id, hands)
    if point in {"settled", "jackpot", "spent"}:
        await casino.call(round_id, "ann")
        await casino.fold(round_id, "bob")
        await casino.settle(round_id)
    spent = 0
    if point == "spent":
        spent = casino.books.balance("av/ann") // MICRO
        await casino.withdraw("ann", spent)
    order = c.Void(round_id, "malfunction", VoidPolicy.CLAW_BACK, "boss", "ticket 7", dry_run=False)
    await casino.submit(order)
    (voided,) = {one.event.stage for one in casino.last_news if isinstance(one.event, SeatVoided)}
    assert voided.value == ("BEFORE_SETTLEMENT" if point in {"closed", "dealt"} else "AFTER_SETTLEMENT")
    noted = next(one for one in casino.last_news if type(one.event).__name__ == "RoundVoided")
    assert (noted.event.reason, noted.meta.actor) == ("malfunction", "pit")
    expected = dict(before)
    if spent:
        expected["EUR", "av/ann"] -= spent * MICRO
        expected["EUR", "cash"] += spent * MICRO
    assert casino.books.standing() == expected
    with pytest.raises(AlreadyVoided):
        await casino.submit(order)
    assert casino.books.standing() == expected
