"""What a settled seat's event says: outcome and hand by name, each wager's payout, what was staked, returned, won."""

from __future__ import annotations

import pytest

from domain.seats.events import SeatSettled
from domain.settlement import DecidedBy
from tests.domain.showdowns import EURO, LAND, LIVE
from tests.support.cards import ACE_KING, FLUSH, FOURS, HIGH, PAIR, QUEEN_HIGH, ROYAL, hand
from tests.support.casino import Casino, Play
from tests.support.entries import events_of

TIE = "Ac Kc 4d 3h 2c"


@pytest.mark.parametrize(
    ("play", "dealer", "said", "net"),
    [
        (Play(cards=hand(PAIR)), ACE_KING, ("PAIR", "WIN"), 1_000 + 2_000),
        (Play(cards=hand(FLUSH)), FOURS, ("FLUSH", "LOSE"), -3_000),
        (Play(cards=TIE), "As Ks 4c 3d 2h", ("HIGH_CARD", "PUSH"), 0),
        (Play(cards=hand(PAIR)), QUEEN_HIGH, ("PAIR", "DEALER_NOT_QUALIFIED"), 1_000),
        (Play(cards=hand(PAIR), call=False), ACE_KING, ("PAIR", "FOLD"), -1_000),
    ],
)
async def test_S0_15_to_S0_19_a_seats_result_names_its_hand_and_its_outcome(
    casino: Casino, play: Play, dealer: str, said: tuple[str, str], net: int
) -> None:
    await casino.player("ann", deposit=10_000)
    await casino.table("t", LIVE)
    await casino.played("t", {"ann": play}, dealer=dealer)
    (settled,) = events_of(casino, SeatSettled)
    assert (settled.player_hand, settled.outcome) == said
    staked = 3_000 if play.call else 1_000
    assert (settled.staked_minor, settled.returned_minor, settled.net_minor) == (staked, staked + net, net)
    assert [one.kind.value for one in settled.results] == (["ANTE", "CALL"] if play.call else ["ANTE"])


@pytest.mark.parametrize(("threshold", "paid", "pending"), [(None, 5_000, 0), (4_999, 0, 5_000)])
async def test_S4_07_S4_08_a_prize_counts_to_what_is_returned_once_it_is_paid(
    casino: Casino, threshold: int | None, paid: int, pending: int
) -> None:
    await casino.player("ann", "USD", deposit=10_000)
    await casino.jackpot("gold", LAND, handpay_threshold_minor=threshold)
    await casino.table("t", LAND, jackpot="gold")
    await casino.played("t", {"ann": Play(cards=hand(FLUSH), call=False)})
    (settled,) = events_of(casino, SeatSettled)
    assert (settled.prize_minor, settled.pending_minor) == (paid, pending)
    assert (settled.staked_minor, settled.returned_minor, settled.net_minor) == (1_100, paid, paid - 1_100)


async def test_S2_20_a_prize_belongs_to_the_seat_that_won_it(casino: Casino) -> None:
    await casino.jackpot("gold", EURO)
    await casino.table("t", EURO, jackpot="gold")
    plays = {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(HIGH, 2)), "cas": Play(3, progressive=False)}
    for player in plays:
        await casino.player(player, deposit=10_000)
    round_id = await casino.played("t", plays)
    assert [(one.player, one.prize_minor) for one in events_of(casino, SeatSettled)] == [
        ("cas", 0), ("bob", 0), ("ann", 1_500),
    ]  # fmt: skip
    assert casino.books.state("round", round_id).order == ("cas", "bob", "ann")


async def test_a_round_names_the_turn_of_the_pools_stream_at_which_each_award_and_reset_was_made(
    casino: Casino,
) -> None:
    """By it a later void tells which awards are older than a shortfall."""
    await casino.jackpot("gold", LAND, reserve_ppm=100_000)
    await casino.table("t", LAND, jackpot="gold")
    plays = {"ann": Play(1, hand(ROYAL, 1), call=False), "bob": Play(2, hand(FLUSH, 2), call=False)}
    for player in plays:
        await casino.player(player, "USD", deposit=10_000)
    round_id = await casino.decided("t", plays)
    await casino.settle(round_id)
    round_ = casino.books.state("round", round_id)
    found = {type(one.event).__name__: [] for one in casino.last_news}
    for one in casino.last_news:
        found[type(one.event).__name__].append(one.version)
    assert [one.turn for one in round_.awards] == found["Awarded"] == [3, 5]
    assert [one.turn for one in round_.resets] == found["PoolReset"] == [4]


async def test_S3_10_a_close_says_what_the_pool_gets_for_meter_and_reserve_together(casino: Casino) -> None:
    await casino.jackpot("gold", EURO, reserve_ppm=100_000)
    await casino.table("t", EURO, jackpot="gold")
    await casino.player("ann", deposit=10_000)
    await casino.bets_closed("t", {"ann": Play()})
    assert casino.body["contribution_micro"] == "25000000"


async def test_R19_a_decision_for_an_absent_player_is_the_systems_and_each_call_has_a_wager_of_its_own(
    casino: Casino,
) -> None:
    await casino.table("t", EURO)
    plays = {"ann": Play(1), "bob": Play(2), "cas": Play(3)}
    for player in plays:
        await casino.player(player, deposit=10_000)
    round_id = await casino.bets_closed("t", plays)
    await casino.deal(round_id, {seat: hand(PAIR, seat) for seat in (1, 2, 3)})
    answer = await casino.call(round_id, "ann")
    assert (answer["decision"], answer["decided_by"]) == ("CALL", DecidedBy.PLAYER.value)
    await casino.settle(round_id)
    wagers = [wager for seat in casino.books.of_kind("seat") for wager in seat.wagers]
    assert sorted(one.kind.value for one in wagers) == ["ANTE"] * 3 + ["CALL"] * 3
    assert len({one.wager for one in wagers}) == 6
