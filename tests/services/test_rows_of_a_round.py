"""What a round is: who plays against whom, what starts it, what each player gets to know of its end."""

from __future__ import annotations

import pytest

from domain.errors import AboveMaximum, BettingClosed, InsufficientFunds, NotFound
from domain.jackpots.events import Awarded
from domain.pools import MultiWinnerPolicy
from domain.seats.events import SeatSettled, WagerKind, WagersRejected
from domain.settlement import Outcome
from services import commands as c
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.support.cards import ACE_KING, FLUSH, HIGH, PAIR, QUEEN_HIGH, ROYAL, cards, hand
from tests.support.casino import CURRENCY, Casino, Play

MICRO = 10**6


async def furnish(casino: Casino, ruleset: str, *, jackpot: bool = False, **terms: int) -> None:
    """A table of the game, with a pool where one is wanted, and two players with 1,000.00."""
    if jackpot:
        await casino.jackpot("j", ruleset)
    await casino.table("t", ruleset, jackpot="j" if jackpot else None, **terms)
    for player in ("ann", "bob"):
        await casino.player(player, CURRENCY[ruleset], deposit=100_000)


async def results(casino: Casino) -> dict[str, SeatSettled]:
    """The result event of each player."""
    return {one.event.player: one.event for one in await casino.everything() if isinstance(one.event, SeatSettled)}


async def test_S0_01_each_player_plays_against_the_house_alone(casino: Casino) -> None:
    await furnish(casino, EURO)
    nets = []
    for others in ({}, {"bob": Play(2, hand(HIGH, 2))}, {"bob": Play(2, hand(FLUSH, 2), call=False)}):
        await casino.played("t", {"ann": Play(1, hand(PAIR, 1)), **others})
        nets.append((await results(casino))["ann"].net_minor)
    assert nets == [3_000] * 3
    for entry in casino.books.entries:
        touched = {line.account.partition("/")[2] for line in entry.lines if line.account.startswith(("av/", "held/"))}
        assert len(touched) <= 1, "no money goes from player to player"


async def test_S0_04_a_round_is_played_by_those_with_an_ante(casino: Casino) -> None:
    await furnish(casino, DOLLAR, jackpot=True)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=1_000)
    await casino.wager(round_id, "bob", seat=2, progressive=100)
    closed = await casino.close(round_id)
    assert (closed["seats"], [one["player"] for one in closed["rejected"]]) == (1, ["bob"])
    assert casino.books.balance("held/bob") == 0


async def test_S2_19_a_bet_needs_the_same_players_ante(casino: Casino) -> None:
    await furnish(casino, EURO)
    round_id = await casino.bets_closed("t", {"ann": Play(1)})
    await casino.deal(round_id, {1: hand(HIGH)})
    with pytest.raises(NotFound):
        await casino.call(round_id, "bob")
    await casino.call(round_id, "ann")


async def test_S0_12_every_player_gets_a_result_of_his_own(casino: Casino) -> None:
    await furnish(casino, EURO)
    await casino.played("t", {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(HIGH, 2))})
    found = await results(casino)
    assert (found["ann"].outcome, found["ann"].net_minor) == (Outcome.WIN, 1_000 + 6 * 2_000)
    assert (found["bob"].outcome, found["bob"].net_minor) == (Outcome.LOSE, -3_000)


async def test_S0_37_who_folded_watches_the_round_and_bets_in_the_next(casino: Casino) -> None:
    await furnish(casino, LIVE)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    await casino.deal(round_id, hand(HIGH))
    await casino.fold(round_id, "ann")
    with pytest.raises(BettingClosed):
        await casino.wager(round_id, "ann", ante=500)
    await casino.settle(round_id)
    assert (await results(casino))["ann"].outcome == Outcome.FOLD
    await casino.wager(await casino.round("t"), "ann", ante=500)


@pytest.mark.parametrize("ruleset", [EURO, DOLLAR])
async def test_S2_17_S3_17_ante_bet_and_winnings_are_separate_amounts(casino: Casino, ruleset: str) -> None:
    await furnish(casino, ruleset, jackpot=True)
    await casino.played("t", {"ann": Play(1, hand(FLUSH, 1))})
    found = (await results(casino))["ann"]
    parts = {one.kind: (one.stake_minor, one.payout_minor) for one in found.results}
    pays = 6 if ruleset == EURO else 5
    assert parts[WagerKind.ANTE] == (1_000, 2_000)
    assert parts[WagerKind.CALL] == (2_000, 2_000 + pays * 2_000)
    assert (parts[WagerKind.PROGRESSIVE][1], found.prize_minor) == (0, 1_500 if ruleset == EURO else 5_000)


@pytest.mark.parametrize(("ruleset", "row"), [(DOLLAR, "S3-11"), (LAND, "S4-02")])
async def test_S3_11_S4_02_five_down_to_each_player_and_the_dealers_last_card_up(
    casino: Casino, ruleset: str, row: str
) -> None:
    await furnish(casino, ruleset)
    round_id = await casino.bets_closed("t", {"ann": Play(1), "bob": Play(2)})
    dealt = await casino.deal(round_id, {1: hand(HIGH, 1), 2: hand(PAIR, 2)})
    assert dealt["dealer"] == [None] * 4 + [cards(ACE_KING)[4]], row
    assert dealt["player"] is None


@pytest.mark.parametrize(
    ("kind", "dealer"),
    [(HIGH, ACE_KING), (PAIR, QUEEN_HIGH), (FLUSH, ACE_KING), (FLUSH, QUEEN_HIGH)],
)
async def test_S3_20_a_bonus_wager_never_comes_back_with_a_result(casino: Casino, kind: str, dealer: str) -> None:
    await furnish(casino, DOLLAR, jackpot=True)
    await casino.played("t", {"ann": Play(1, hand(kind, 1))}, dealer)
    (bonus,) = [one for one in (await results(casino))["ann"].results if one.kind is WagerKind.PROGRESSIVE]
    assert (bonus.stake_minor, bonus.payout_minor) == (100, 0)


async def test_S4_01_no_ante_after_no_more_bets(casino: Casino) -> None:
    await furnish(casino, LAND)
    round_id = await casino.bets_closed("t", {"ann": Play(1)})
    with pytest.raises(BettingClosed):
        await casino.wager(round_id, "bob", seat=2, ante=1_000)


async def test_C8_a_lost_hand_of_003_costs_three_antes(casino: Casino) -> None:
    await furnish(casino, DOLLAR)
    await casino.played("t", {"ann": Play(1, hand(HIGH, 1))})
    assert (await results(casino))["ann"].net_minor == -3_000
    assert casino.books.balance("av/ann") == 97_000 * MICRO


async def test_C9_a_side_wager_falls_with_the_ante_that_the_close_rejects(casino: Casino) -> None:
    await furnish(casino, EURO, jackpot=True, ante_min_minor=500)
    round_id = await casino.round("t")
    await casino.wager(round_id, "ann", seat=1, ante=499, progressive=50)
    await casino.close(round_id)
    (gone,) = [one.event for one in await casino.everything() if isinstance(one.event, WagersRejected)]
    assert (len(gone.wagers), gone.release_minor) == (2, 3 * 499 + 50)
    assert casino.books.balance("m/j") == 100_000 * MICRO


async def test_C11_the_maximum_of_003_is_of_the_ante_and_the_bet_may_be_twice_it(casino: Casino) -> None:
    await furnish(casino, DOLLAR, ante_max_minor=30_000)
    round_id = await casino.round("t")
    with pytest.raises(AboveMaximum):
        await casino.wager(round_id, "ann", seat=1, ante=30_001)
    await casino.wager(round_id, "ann", seat=1, ante=30_000)
    await casino.close(round_id)
    await casino.deal(round_id, {1: hand(PAIR)})
    called = await casino.call(round_id, "ann")
    assert [one["stake"] for one in called["wagers"]] == [60_000]


async def test_C12_money_covers_three_antes_and_the_side_wager(casino: Casino) -> None:
    await furnish(casino, EURO, jackpot=True)
    await casino.withdraw("ann", 100_000 - 3_049)
    round_id = await casino.round("t")
    with pytest.raises(InsufficientFunds):
        await casino.wager(round_id, "ann", seat=1, ante=1_000, progressive=50)
    await casino.deposit("ann", 1)
    await casino.wager(round_id, "ann", seat=1, ante=1_000, progressive=50)
    assert casino.books.balance("av/ann") == 0


@pytest.mark.parametrize(
    ("policy", "prizes"),
    [
        (MultiWinnerPolicy.SEQUENTIAL, [100_080, 100_000]),
        (MultiWinnerPolicy.FULL_TO_EACH, [100_080, 100_080]),
        (MultiWinnerPolicy.EQUAL_SPLIT, [50_040, 50_040]),
    ],
)
async def test_C23_two_winners_are_paid_in_order_in_full_or_in_equal_parts(
    casino: Casino, policy: MultiWinnerPolicy, prizes: list[int]
) -> None:
    await casino.jackpot("j", LAND, multi_winner_policy=policy)
    await casino.table("t", LAND, jackpot="j")
    for player in ("ann", "bob"):
        await casino.player(player, "USD", deposit=100_000)
    await casino.played("t", {"ann": Play(1, hand(ROYAL, 1)), "bob": Play(2, hand(ROYAL, 2))})
    awards = [one.event for one in await casino.everything() if isinstance(one.event, Awarded)]
    assert [(one.player, one.prize_minor) for one in awards] == list(zip(("ann", "bob"), prizes, strict=True))


async def test_S2_08_ante_and_progressive_are_placed_within_the_tables_time(casino: Casino) -> None:
    await furnish(casino, EURO, jackpot=True)
    await casino.table("timed", EURO, jackpot="j", pace="AUTO", betting_seconds=20)
    round_id = await casino.round("timed")
    casino.clock.forward(19)
    await casino.wager(round_id, "ann", seat=1, ante=1_000, progressive=50)
    casino.clock.forward(1)
    with pytest.raises(BettingClosed):
        await casino.submit(c.PlaceWager(round_id, "bob", 2, 1_000, 0, 50))
