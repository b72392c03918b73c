"""Deals of single cards that are broken off, paused, taken up again, or lose a seat (S2-09, S0-22, S0-46, F29)."""

from __future__ import annotations

import pytest

from domain.errors import DuplicateCard, Unavailable, WrongPhase
from domain.rounds.events import Dealt, OpenedCards, Phase
from domain.rounds.scans import CardScanned, ScansOpened
from services import commands as c
from tests.services.test_rows_scans import FULL, TWO, closed, events, order_of, scan, scan_all, state
from tests.support.cards import ACE_KING, cards
from tests.support.casino import Casino
from tests.support.fixtures import GlassVault


@pytest.mark.parametrize("end", ["void", "cancel"])
async def test_S0_22_single_cards_of_a_broken_off_deal_are_opened_with_the_round(casino: Casino, end: str) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, [("2", 1, "7h"), *FULL[1:4]])
    await casino.submit(c.CorrectScan(round_id, "2", 1, FULL[0][2], "misread"))
    if end == "void":
        await casino.void(round_id)
    else:
        casino.clock.forward(3_600)
        await casino.submit(c.CancelAbandoned(round_id))
    (opened,) = await events(casino, ScansOpened)
    assert isinstance(opened, ScansOpened)
    assert [(one.to, one.number, one.card) for one in opened.cards] == FULL[:4]
    assert [one.read for one in opened.misread] == ["7h"]


async def test_S2_09_single_cards_are_opened_once_though_the_settled_round_is_voided(casino: Casino) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, FULL)
    await casino.settle(round_id)
    await casino.void(round_id)
    assert len(await events(casino, ScansOpened)) == 1


async def test_C17_a_seat_whose_bets_are_voided_during_the_deal_gets_its_cards_and_no_part_in_it(
    casino: Casino,
) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, FULL[:3])
    (ante,) = [one.wager for one in casino.seat(round_id, "bob").wagers]
    await casino.void(round_id, wagers=(ante,))
    await scan_all(casino, round_id, FULL[3:])
    (dealt,) = await events(casino, Dealt)
    assert isinstance(dealt, Dealt)
    assert dealt.seats == (2,)
    await casino.settle(round_id)
    shown = state(casino, round_id).cards
    assert isinstance(shown, OpenedCards)
    assert [one.seat for one in shown.seats] == [2]


async def test_S0_03_the_dealer_has_no_card_that_lies_at_a_seat_whose_bets_were_voided_during_the_deal(
    casino: Casino,
) -> None:
    round_id = await closed(casino)
    *down, up = cards(ACE_KING)
    deal = order_of(TWO, [None] * 4 + [up])
    await scan_all(casino, round_id, deal[:2])
    (ante,) = [one.wager for one in casino.seat(round_id, "bob").wagers]
    await casino.void(round_id, wagers=(ante,))
    await scan_all(casino, round_id, deal[2:])
    await casino.call(round_id, "ann")
    bobs = deal[1][2]
    with pytest.raises(DuplicateCard) as found:
        await casino.submit(c.Settle(round_id, (bobs, *down[1:])))
    assert found.value.field == "dealer"
    await casino.submit(c.Settle(round_id, tuple(down)))


@pytest.mark.parametrize(("end", "phase"), [("void", Phase.VOIDED), ("cancel", Phase.CANCELLED)])
async def test_S0_22_a_round_whose_single_cards_cannot_be_opened_is_ended_and_they_stay_sealed(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, end: str, phase: Phase
) -> None:
    round_id = await closed(casino)
    await scan_all(casino, round_id, FULL[:4])

    def without_key(*_: object) -> tuple[str, ...]:
        raise Unavailable("the card key is not here")

    monkeypatch.setattr(GlassVault, "open_cards", without_key)
    with pytest.raises(Unavailable):
        await scan(casino, round_id, FULL[4])
    if end == "void":
        await casino.void(round_id)
    else:
        casino.clock.forward(3_600)
        await casino.submit(c.CancelAbandoned(round_id))
    assert state(casino, round_id).phase is phase
    assert casino.books.balance("av/ann") == 100_000 * 10**6
    assert await events(casino, ScansOpened) == []


async def test_F29_a_deal_of_single_cards_goes_on_after_a_restart_where_it_stood(casino: Casino) -> None:
    round_id = await closed(casino)
    for one in FULL[:-1]:
        await scan(casino, round_id, one)
        await casino.throw_away()
    assert len(await events(casino, CardScanned)) == len(FULL) - 1
    assert (await scan(casino, round_id, FULL[-1]))["phase"] == "DECIDING"


async def test_S0_46_nothing_is_scanned_or_put_right_while_the_round_is_paused(casino: Casino) -> None:
    round_id = await closed(casino)
    await scan(casino, round_id, FULL[0])
    await casino.submit(c.Pause(round_id, "the shift manager looks"))
    for command in (c.ScanCard(round_id, *FULL[1], False), c.CorrectScan(round_id, "2", 1, "7h", "misread")):
        with pytest.raises(WrongPhase):
            await casino.submit(command)
    await casino.submit(c.Resume(round_id, "all is well"))
    await scan_all(casino, round_id, FULL[1:])
