"""What comes at the wrong time is refused by the house and leaves no trace (the books look after each command)."""

from __future__ import annotations

import pytest

from domain.errors import AlreadyExists, BettingClosed, Invalid, NotFound, Refusal, WrongPhase
from domain.money import MICRO
from domain.settlement import Decision
from services import commands as c
from tests.domain.showdowns import EURO, LIVE
from tests.support.cards import FLUSH, HIGH, PAIR, cards, hand
from tests.support.casino import Casino, Play


@pytest.fixture
async def live(casino: Casino) -> Casino:
    """Alice and bob, 100.00 each, at a live table that gives ten seconds to decide."""
    for player in ("alice", "bob"):
        await casino.player(player, deposit=10_000)
    await casino.table("t", LIVE, decision_seconds=10)
    return casino


async def test_S0_10_no_wager_moves_once_betting_is_closed(live: Casino) -> None:
    round_id = await live.bets_closed("t", {"alice": Play(ante=1_000)})
    for command in (
        c.PlaceWager(round_id, "bob", None, 1_000, 0, 0),
        c.UndoWager(round_id, "alice"),
        c.CloseBetting(round_id),
    ):
        with pytest.raises(BettingClosed):
            await live.submit(command)


async def test_what_comes_in_the_wrong_phase_is_refused(live: Casino) -> None:
    deal = c.Deal("", cards(hand(HIGH)), None, cards("As Ks 4c 3d 2h"))
    round_id = await live.round("t")
    await live.wager(round_id, "alice", ante=1_000)
    deal = c.Deal(round_id, deal.shared, None, deal.dealer)
    early = [deal, c.Decide(round_id, "alice", Decision.CALL), c.Settle(round_id, None), c.PayOn(round_id)]
    for command in (*early, c.Resume(round_id, "seen")):
        with pytest.raises(WrongPhase):
            await live.submit(command)
    await live.close(round_id)
    for command in early[1:]:
        with pytest.raises(WrongPhase):
            await live.submit(command)
    await live.submit(deal)
    with pytest.raises(WrongPhase):
        await live.submit(deal)
    await live.call(round_id, "alice")
    await live.settle(round_id)
    for command in (deal, *early[1:3], c.Pause(round_id, "look"), c.CancelAbandoned(round_id)):
        with pytest.raises(WrongPhase):
            await live.submit(command)


async def test_a_settled_round_that_is_to_be_paid_on_answers_that_it_is_settled(live: Casino) -> None:
    round_id = await live.played("t", {"alice": Play(ante=1_000)})
    answer = await live.submit(c.PayOn(round_id))
    assert (answer["phase"], answer["seats"], live.last_news) == ("SETTLED", 1, [])


async def test_a_close_that_lets_nothing_go_touches_no_wallet(live: Casino) -> None:
    await live.bets_closed("t", {"alice": Play(ante=1_000), "bob": Play(ante=1_000)})
    assert [type(one.event).__name__ for one in live.last_news] == ["BettingClosed"]


async def test_S0_46_S0_47_a_paused_round_stands_still_until_it_goes_on(live: Casino) -> None:
    round_id = await live.round("t")
    await live.wager(round_id, "alice", ante=1_000)
    assert (await live.submit(c.Pause(round_id, "look")))["phase"] == "PAUSED"
    for command in (
        c.PlaceWager(round_id, "bob", None, 1_000, 0, 0),
        c.UndoWager(round_id, "alice"),
        c.CloseBetting(round_id),
        c.Pause(round_id, "look"),
    ):
        with pytest.raises(WrongPhase):
            await live.submit(command)
    assert (await live.submit(c.Resume(round_id, "seen")))["phase"] == "BETTING_OPEN"
    await live.wager(round_id, "bob", ante=1_000)


async def test_S0_06_who_has_decided_decides_no_more(live: Casino) -> None:
    round_id = await live.bets_closed("t", {"alice": Play(ante=1_000), "bob": Play(ante=1_000)})
    await live.deal(round_id, hand(HIGH))
    await live.call(round_id, "alice")
    await live.fold(round_id, "bob")
    for player in ("alice", "bob"):
        for decision in Decision:
            with pytest.raises(WrongPhase) as refused:
                await live.decide(round_id, player, decision)
            assert refused.value.field == "decision"


async def test_who_has_no_wager_decides_and_undoes_nothing(live: Casino) -> None:
    round_id = await live.round("t")
    for command in (c.UndoWager(round_id, "alice"), c.LeaveRound(round_id, "alice")):
        with pytest.raises(NotFound):
            await live.submit(command)
    await live.wager(round_id, "alice", ante=1_000)
    await live.undo(round_id, "alice")
    with pytest.raises(WrongPhase):
        await live.undo(round_id, "alice")
    await live.leave(round_id, "alice")
    assert live.last_news == []
    await live.close(round_id)
    await live.deal(round_id, hand(HIGH))
    for player in ("alice", "bob"):
        with pytest.raises(NotFound):
            await live.call(round_id, player)


async def test_S0_07_there_is_no_showdown_while_a_seat_may_still_decide(live: Casino) -> None:
    round_id = await live.bets_closed("t", {"alice": Play(ante=1_000)})
    await live.deal(round_id, hand(PAIR))
    live.clock.forward(9.999)
    with pytest.raises(WrongPhase):
        await live.settle(round_id)
    live.clock.forward(0.001)
    await live.settle(round_id)
    assert live.body["phase"] == "SETTLED"


async def test_S0_40_a_table_has_one_round_at_a_time(live: Casino) -> None:
    round_id = await live.played("t", {"alice": Play(ante=1_000)})
    await live.round("t")
    with pytest.raises(WrongPhase) as refused:
        await live.round("t")
    assert refused.value.field == "table"
    await live.void(round_id)
    with pytest.raises(WrongPhase):
        await live.round("t")


async def test_S0_40_C26_rounds_of_one_second_have_numbers_of_their_own(live: Casino) -> None:
    numbers = []
    for seconds in (0, 0, 0, 1, 0):
        live.clock.forward(seconds)
        round_id = await live.round("t")
        numbers.append(live.body["game_number"])
        await live.void(round_id, None)
    assert numbers == [
        "20260102-030405-t", "20260102-030405-t-2", "20260102-030405-t-3", "20260102-030406-t", "20260102-030406-t-2",
    ]  # fmt: skip


async def test_C16_F29_a_round_is_given_up_only_when_nobody_has_touched_it_for_long(live: Casino) -> None:
    round_id = await live.round("t")
    live.clock.forward(3_599)
    await live.wager(round_id, "alice", ante=1_000)
    live.clock.forward(3_599.999)
    with pytest.raises(WrongPhase):
        await live.submit(c.CancelAbandoned(round_id))
    live.clock.forward(0.001)
    answer = await live.submit(c.CancelAbandoned(round_id))
    assert (answer["phase"], answer["stage"]) == ("CANCELLED", "BEFORE_SETTLEMENT")
    assert live.books.balance("av/alice") == 10_000 * MICRO
    await live.round("t")


async def test_who_is_known_is_not_made_known_again(live: Casino) -> None:
    with pytest.raises(AlreadyExists) as refused:
        await live.player("alice", "EUR")
    assert refused.value.field == "player"
    with pytest.raises(AlreadyExists) as refused:
        await live.table("t", LIVE)
    assert refused.value.field == "table"


@pytest.mark.parametrize(
    "command",
    [
        c.PlaceWager("r", "alice", None, 100, 0, 0),
        c.UndoWager("r", "alice"),
        c.LeaveRound("r", "alice"),
        c.CloseBetting("r"),
        c.Deal("r", None, None, None),
        c.Decide("r", "alice", Decision.CALL),
        c.Settle("r", None),
        c.PayOn("r"),
        c.Pause("r", "look"),
        c.Resume("r", "seen"),
        c.Void("r", "malfunction", None, None, None, False),
        c.CancelAbandoned("r"),
    ],
    ids=lambda one: type(one).__name__,
)
async def test_a_round_that_is_not_there_is_not_found(live: Casino, command: c.RoundCommand) -> None:
    with pytest.raises(NotFound) as refused:
        await live.submit(command)
    assert refused.value.field == "round"


async def test_a_player_a_table_and_a_pool_that_are_not_there_are_not_found(live: Casino) -> None:
    round_id = await live.round("t")
    for command, field in (
        (c.PlaceWager(round_id, "nobody", None, 100, 0, 0), "player"),
        (c.DepositFunds("nobody", 100, "EUR", "d"), "player"),
        (c.OpenRound("elsewhere"), "table"),
    ):
        with pytest.raises(NotFound) as refused:
            await live.submit(command)
        assert refused.value.field == field
    with pytest.raises(Refusal) as refused_table:
        await live.table("u", EURO, jackpot="nowhere")
    assert (refused_table.value.code, refused_table.value.field) == ("NOT_FOUND", "jackpot")


async def test_S0_05_a_studio_names_the_cards_that_the_table_deals(live: Casino) -> None:
    round_id = await live.bets_closed("t", {"alice": Play(ante=1_000)})
    shared, dealer = cards(hand(FLUSH)), cards("As Ks 4c 3d 2h")
    for wrong, field in (
        (c.Deal(round_id, None, None, dealer), "player"),
        (c.Deal(round_id, shared, ((1, shared),), dealer), "player"),
        (c.Deal(round_id, shared, None, None), "dealer"),
        (c.Deal(round_id, shared, None, dealer[:2]), "dealer"),
        (c.Deal(round_id, shared, None, (*dealer[:4], shared[0])), "player"),
        (c.Deal(round_id, shared[:4], None, dealer), "player"),
    ):
        with pytest.raises(Invalid) as refused:
            await live.submit(wrong)
        assert refused.value.field == field, wrong
    await live.submit(c.Deal(round_id, shared, None, dealer[:1]))
