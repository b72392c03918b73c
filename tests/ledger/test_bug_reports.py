"""Public faults of other systems, tried on ours. Each test is named after its row; amounts are minor units."""

from __future__ import annotations

import pytest

from domain.errors import (
    AboveMaximum,
    AlreadyVoided,
    BelowMinimum,
    InsufficientFunds,
    Invalid,
    NotFound,
    WrongPhase,
)
from domain.jackpots.events import Awarded, PoolReset
from domain.money import MICRO
from domain.rounds.events import ShowdownHeld
from domain.seats.events import SeatSettled
from domain.wallets.events import BalanceWentNegative, OutcomeReversed, PrizePaid
from services.commands import CloseBetting, Deal, OpenRound, PlaceWager, RegisterPlayer, Settle
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.books import Books
from tests.support.cards import ACE_KING, FLUSH, HIGH, ROYAL, cards, hand
from tests.support.casino import CURRENCY, Casino, Play
from tests.support.entries import events_of
from tests.support.memory_log import MemoryLog

SEAT_1 = ((1, cards(hand(HIGH))),)


async def seated(casino: Casino, ruleset: str, players: str, deposit: int = 10_000, **terms: int) -> None:
    """A table of the rule set, its pool where it has one, and these players."""
    if ruleset != LIVE:
        await casino.jackpot("gold", ruleset, **terms)
    await casino.table("t", ruleset, jackpot=None if ruleset == LIVE else "gold")
    for player in players.split():
        await casino.player(player, CURRENCY[ruleset], deposit=deposit)


async def test_bug_015_a_refused_hold_cannot_be_played_on(casino: Casino) -> None:
    await seated(casino, LIVE, "ann bob", deposit=5_000)
    round_id = await casino.round("t")
    with pytest.raises(InsufficientFunds):
        await casino.wager(round_id, "ann", ante=10_000)
    await casino.close(round_id)
    await casino.deal(round_id, hand(HIGH))
    with pytest.raises(NotFound):
        await casino.call(round_id, "ann")
    await casino.settle(round_id)
    assert (casino.books.balance("av/ann"), casino.books.balance("held/ann")) == (5_000 * MICRO, 0)


@pytest.mark.parametrize(("deposit", "taken"), [(13_000, 4), (5_000, 1)])
async def test_bug_016_open_holds_count_against_the_balance(casino: Casino, deposit: int, taken: int) -> None:
    await seated(casino, LIVE, "ann", deposit=deposit)
    round_id = await casino.round("t")
    orders = [casino.order(PlaceWager(round_id, "ann", None, 1_000, 0, 0)) for _ in range(6)]
    found = await casino.send_all(orders)
    assert [type(one).__name__ for one in found] == ["Result"] * taken + ["InsufficientFunds"] * (6 - taken)
    assert casino.books.balance("held/ann") == taken * 3_000 * MICRO


async def test_bug_017_a_second_void_is_refused_and_the_first_answer_has_no_empty_amount(casino: Casino) -> None:
    await seated(casino, LIVE, "ann")
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))})
    answer = await casino.void(round_id)
    assert answer["players"] == [
        {
            "player": "ann", "refund": 0, "owed": 15_000, "taken": 15_000, "loss": 0,
            "balance": {"available": 10_000, "held": 0, "currency": "EUR", "exponent": 2},
        }
    ]  # fmt: skip
    with pytest.raises(AlreadyVoided):
        await casino.void(round_id)


async def test_bug_029_a_void_counts_from_its_own_time_and_names_what_it_reverses(casino: Casino) -> None:
    await seated(casino, LIVE, "ann", deposit=100)
    casino.clock.forward(60)
    await casino.deposit("ann", 2_900)
    round_id = await casino.played("t", {"ann": Play(ante=1_000, cards=hand(FLUSH))})
    won_at = casino.clock.now()
    casino.clock.forward(60)
    await casino.void(round_id)
    (reversal,) = events_of(casino, OutcomeReversed)
    assert reversal.round == round_id
    as_of = Books()
    as_of.read([one for one in await casino.everything() if one.recorded_at <= won_at])
    assert as_of.balance("av/ann") == (3_000 + 15_000) * MICRO
    assert casino.books.balance("av/ann") == 3_000 * MICRO


async def test_bug_030_a_thousand_contributions_of_a_cent_and_a_half_are_15_00_exactly(casino: Casino) -> None:
    """Ten players a table would do no better: each wager's share is a fraction, and none is rounded."""
    await seated(casino, EURO, "ann", deposit=700_000, increment_ppm=30_000)
    casino.is_checked = False
    for _ in range(1_000):
        round_id = str((await casino.submit(OpenRound("t")))["round"])
        await casino.wager(round_id, "ann", seat=1, ante=100, progressive=50)
        for command in (CloseBetting(round_id), Deal(round_id, None, SEAT_1, cards(ACE_KING)), Settle(round_id, None)):
            await casino.submit(command)
    casino.is_checked = True
    await casino.audit()
    assert casino.books.balance("m/gold") == (100_000 + 1_500) * MICRO
    assert casino.books.balance("CON/gold") == -1_500 * MICRO


async def test_bug_035_what_fails_its_last_check_leaves_nothing_behind(casino: Casino) -> None:
    await seated(casino, LIVE, "ann")
    await casino.table("small", LIVE, total_max_minor=1_000)
    round_id = await casino.round("small")
    log = casino.log
    assert isinstance(log, MemoryLog)
    before = len(log.events), len(log.records)
    with pytest.raises(AboveMaximum):
        await casino.wager(round_id, "ann", ante=1_000, five_plus_one=100)
    with pytest.raises(NotFound):
        await casino.wager(round_id, "nobody", ante=500)
    assert (len(log.events), len(log.records)) == before
    await casino.wager(round_id, "ann", ante=500)
    dry = await casino.void(round_id, dry_run=True)
    assert dry["dry_run"] is True
    assert casino.last_news == []
    assert len(log.records) == before[1] + 1


async def test_bug_037_a_retry_makes_no_second_object(casino: Casino) -> None:
    register = RegisterPlayer("ann", "EUR")
    first = await casino.submit(register, key="k1", status=201)
    assert await casino.submit(register, key="k1", status=201) == first
    await casino.table("t", LIVE)
    opened = await casino.submit(OpenRound("t"), key="k2", status=201)
    again = await casino.submit(OpenRound("t"), key="k2", status=201)
    assert (again["round"], again["game_number"]) == (opened["round"], opened["game_number"])
    assert len(casino.books.of_kind("round")) == 1


@pytest.mark.parametrize(("dealer", "call_pays"), [("Ac Js 4c 3d 2h", 2_000), (ACE_KING, 14_000)])
async def test_bug_056_four_flushes_are_all_paid(casino: Casino, dealer: str, call_pays: int) -> None:
    await seated(casino, EURO, "ann bob cas dan")
    flushes = {1: "Qc 9c 8c 7c 6c", 2: "Qd 9d 8d 7d 6d", 3: "Qh 9h 8h 7h 6h", 4: "9s 8s 7s 6s 3s"}
    plays = {name: Play(seat, flushes[seat]) for seat, name in enumerate(["ann", "bob", "cas", "dan"], 1)}
    await casino.played("t", plays, dealer=dealer)
    assert [(one.player, one.prize_minor) for one in events_of(casino, Awarded)] == [
        (name, 1_500) for name in ("dan", "cas", "bob", "ann")
    ]
    for settled in events_of(casino, SeatSettled):
        assert [one.payout_minor for one in settled.results] == [2_000, 0, call_pays]
        assert settled.prize_minor == 1_500


@pytest.mark.parametrize(("ruleset", "second"), [(DOLLAR, 10_000_000), (LAND, 5_000)])
async def test_bug_057_of_two_royals_the_second_finds_the_pool_restarted(
    casino: Casino, ruleset: str, second: int
) -> None:
    await seated(casino, ruleset, "ann bob", seed_minor=10_000_000, reset_minor=5_000)
    await casino.played("t", {name: Play(n, hand(ROYAL, n), call=False) for n, name in ((1, "ann"), (2, "bob"))})
    awards = events_of(casino, Awarded)
    assert [(one.player, one.prize_minor, one.pool_micro) for one in awards] == [
        ("ann", 10_000_080, awards[0].prize_minor * MICRO),
        ("bob", second, 5_000 * MICRO),
    ]
    assert len(events_of(casino, PoolReset)) == 2
    (showdown,) = events_of(casino, ShowdownHeld)
    assert showdown.order == ("ann", "bob")


async def test_bug_059_a_void_after_the_winnings_were_spent_nets_to_nothing_and_says_what_is_owed(
    casino: Casino,
) -> None:
    await seated(casino, LIVE, "ann", deposit=1_600)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=500, five_plus_one=100)
    await casino.close(round_id)
    await casino.deal(round_id, hand(FLUSH), ACE_KING)
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    winnings = casino.books.balance("av/ann") // MICRO
    assert winnings == 1_000 + 8_000 + 1_600
    await casino.withdraw("ann", winnings)
    answer = await casino.void(round_id)
    assert answer["players"][0]["owed"] == winnings - 1_600
    assert events_of(casino, BalanceWentNegative) == [BalanceWentNegative("ann", "EUR", round_id, 1_600 - winnings)]
    assert casino.books.balance("av/ann") == (1_600 - winnings) * MICRO
    assert not any(name.startswith("REV") for _, name in casino.books.standing())


@pytest.mark.parametrize(
    ("ruleset", "ante", "refusal", "field"),
    [
        (LIVE, 0, Invalid, "ante"),
        (LIVE, -1, Invalid, "ante"),
        (LIVE, 100_001, AboveMaximum, "ante"),
        (DOLLAR, 0, Invalid, "ante"),
        (DOLLAR, -1, Invalid, "ante"),
        (DOLLAR, 100_001, AboveMaximum, "ante"),
    ],
)
async def test_bug_062_a_stake_of_nothing_or_less_or_above_the_maximum_is_refused(
    casino: Casino, ruleset: str, ante: int, refusal: type[Invalid], field: str
) -> None:
    await seated(casino, ruleset, "ann", deposit=1_000_000)
    round_id = await casino.round("t")
    with pytest.raises(refusal) as found:
        await casino.wager(round_id, "ann", seat=None if ruleset == LIVE else 1, ante=ante)
    assert (type(found.value), found.value.field) == (refusal, field)


async def test_bug_062_a_negative_stake_beside_a_good_one_is_refused(casino: Casino) -> None:
    await seated(casino, LIVE, "ann")
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=1_000)
    with pytest.raises(Invalid) as found:
        await casino.wager(round_id, "ann", ante=-100, five_plus_one=500)
    assert found.value.field == "ante"
    with pytest.raises(Invalid) as found:
        await casino.wager(round_id, "ann", ante=500, five_plus_one=-100)
    assert found.value.field == "side.five_plus_one"


async def test_bug_062_below_the_minimum_is_let_go_at_the_close_or_raised_at_once(casino: Casino) -> None:
    await seated(casino, LIVE, "ann")
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", ante=99)
    with pytest.raises(BelowMinimum):
        await casino.wager(round_id, "ann", five_plus_one=50)
    closed = await casino.close(round_id)
    assert closed["rejected"] == [
        {"player": "ann", "reason": "BELOW_MINIMUM", "wagers": closed["rejected"][0]["wagers"], "released": 297}
    ]
    await casino.table("raises", DOLLAR)
    await casino.player("bob", "USD", deposit=10_000)
    raised = await casino.wager(await casino.round("raises"), "bob", seat=1, ante=1)
    assert raised["raised"] == {"asked": 1, "used": 100}


async def test_bug_065_a_settlement_delivered_three_times_counts_once(casino: Casino) -> None:
    await seated(casino, EURO, "ann", increment_ppm=5_000)
    round_id = await casino.decided("t", {"ann": Play()})
    for key in ("k", "k", "k"):
        await casino.submit(Settle(round_id, None), key=key)
    assert casino.last_news == []
    with pytest.raises(WrongPhase):
        await casino.submit(Settle(round_id, None), key="other")
    assert casino.books.balance("REV/euro-progressive-v1/PROGRESSIVE") == 50 * MICRO
    assert casino.books.balance("m/gold") == 100_000 * MICRO + MICRO // 4


async def test_bug_069_a_hit_shows_the_same_figure_everywhere(casino: Casino) -> None:
    await seated(casino, EURO, "ann", seed_minor=5_000_000, reset_minor=1_000)
    await casino.played("t", {"ann": Play(cards=hand(ROYAL), call=False)})
    (award,), (paid,), (settled,), (showdown,) = (
        events_of(casino, kind) for kind in (Awarded, PrizePaid, SeatSettled, ShowdownHeld)
    )
    figures = {award.prize_minor, paid.amount_minor, settled.prize_minor, showdown.awards[0].prize_minor}
    assert figures == {5_000_020}
    assert award.meter_before_micro == 5_000_020 * MICRO
    assert casino.books.balance("m/gold") == 1_000 * MICRO
