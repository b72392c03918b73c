"""Lines of a player's account, one of each kind, folded from what a casino did (S0-42, R3, R5)."""

from __future__ import annotations

from domain.seats.events import WagerKind
from domain.views.plays import WagerStatus
from domain.wallets.events import VoidPolicy
from tests.domain.showdowns import EURO, LAND
from tests.ledger.prizes import opened
from tests.support.cards import ACE_KING, FLUSH, HIGH, QUEEN_HIGH, ROYAL, hand
from tests.support.casino import Casino, Play
from tests.support.views import lines_of, plays_of, rows_of

HOLD = VoidPolicy.HOLD_FOR_REVIEW


async def shown(casino: Casino, player: str = "ann") -> list[tuple[str, int, int | None]]:
    """Kind, amount and balance after of each line since the first deposit."""
    found = lines_of(await rows_of(casino, "histories"), player)
    return [(line.kind.value, line.amount_minor, after) for line, after in found][1:]


async def test_an_adjustment_is_a_line_and_no_deposit(casino: Casino) -> None:
    await casino.player("ann", deposit=1_000)
    await casino.adjust("ann", 250)
    await casino.adjust("ann", -1_300)
    assert await shown(casino) == [("ADJUSTMENT", 250, 1_250), ("ADJUSTMENT", -1_300, -50)]


async def test_a_rollback_is_a_line_that_names_its_transaction(casino: Casino) -> None:
    await casino.player("ann", deposit=1_000)
    await casino.deposit("ann", 700, transaction="X")
    await casino.withdraw("ann", 100, transaction="Y")
    await casino.roll_back("Y")
    await casino.roll_back("X")
    assert await shown(casino) == [
        ("DEPOSIT", 700, 1_700), ("WITHDRAWAL", -100, 1_600), ("ROLLBACK", 100, 1_700), ("ROLLBACK", -700, 1_000),
    ]  # fmt: skip
    lines = lines_of(await rows_of(casino, "histories"), "ann")
    assert [line.transaction_id for line, _ in lines][-2:] == ["Y", "X"]


async def test_a_resettlement_is_a_line_beside_the_round_for_all_who_played(casino: Casino) -> None:
    await opened(casino, EURO)
    plays = {"ann": Play(1, hand(FLUSH, 1)), "bob": Play(2, hand(HIGH, 2), call=False)}
    round_id = await casino.played("t", plays)
    await casino.deposit("bob", 5)
    await casino.resettle(round_id, {1: hand(HIGH, 1), 2: hand(HIGH, 2)})
    assert await shown(casino) == [("ROUND", 14_450, 24_450), ("RESETTLEMENT", -17_500, 6_950)]
    assert await shown(casino, "bob") == [
        ("ROUND", -1_050, 8_950), ("DEPOSIT", 5, 8_955), ("RESETTLEMENT", 0, 8_955),
    ]  # fmt: skip
    ann = (await plays_of(casino, round_id))["ann"]
    assert (ann.outcome, ann.returned_minor, ann.net_minor, ann.prize_minor) == ("LOSE", 0, -3_050, 0)


async def test_the_end_of_a_review_is_a_void_line_where_it_takes_more(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=QUEEN_HIGH)
    await casino.withdraw("ann", 12_000)
    await casino.void(round_id, HOLD)
    await casino.resolve(round_id, VoidPolicy.CLAW_BACK)
    assert await shown(casino) == [
        ("ROUND", 2_450, 12_450), ("WITHDRAWAL", -12_000, 450), ("VOID", -450, 0), ("VOID", -2_000, -2_000),
    ]  # fmt: skip


async def test_the_end_of_a_review_that_the_house_bears_is_no_line(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.played("t", {"ann": Play(cards=hand(FLUSH))}, dealer=QUEEN_HIGH)
    await casino.withdraw("ann", 12_000)
    await casino.void(round_id, HOLD)
    before = await shown(casino)
    await casino.resolve(round_id, VoidPolicy.HOUSE_ABSORBS)
    assert await shown(casino) == before


async def test_a_verified_prize_is_a_round_line_and_a_refused_one_is_none(casino: Casino) -> None:
    await opened(casino, LAND, handpay_threshold_minor=0)
    plays = {"ann": Play(1, hand(ROYAL, 1), call=False), "bob": Play(2, hand(FLUSH, 2), call=False)}
    round_id = await casino.played("t", plays)
    await casino.verify("gold", f"{round_id}:1")
    await casino.refuse("gold", f"{round_id}:2")
    assert await shown(casino) == [("ROUND", -1_100, 8_900), ("ROUND", 100_080, 108_980)]
    assert await shown(casino, "bob") == [("ROUND", -1_100, 8_900)]
    played = await plays_of(casino, round_id)
    assert (played["ann"].prize_minor, played["ann"].pending_minor) == (100_080, 0)
    assert (played["bob"].prize_minor, played["bob"].pending_minor) == (0, 0)


async def test_partial_voids_are_void_lines_and_the_round_keeps_what_was_voided(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    await casino.void(round_id, wagers=(casino.wager_id(round_id, "ann", WagerKind.PROGRESSIVE),))
    await casino.deal(round_id, {1: hand(FLUSH)}, ACE_KING)
    await casino.call(round_id, "ann")
    await casino.settle(round_id)
    await casino.void(round_id)
    assert await shown(casino) == [("VOID", 0, 7_000), ("ROUND", 13_000, 23_000), ("VOID", -13_000, 10_000)]
    ann = (await plays_of(casino, round_id))["ann"]
    assert [(one.kind.value, one.stake_minor, one.status) for one in ann.wagers] == [
        ("ANTE", 1_000, WagerStatus.VOIDED),
        ("PROGRESSIVE", 50, WagerStatus.VOIDED),
        ("CALL", 2_000, WagerStatus.VOIDED),
    ]
    assert ann.voided


async def test_the_pool_shows_which_awards_stand(casino: Casino) -> None:
    await opened(casino, EURO)
    plays = {"ann": Play(1, hand(ROYAL, 1), call=False), "bob": Play(2, hand(FLUSH, 2), call=False)}
    round_id = await casino.played("t", plays)
    await casino.void(round_id, wagers=(casino.wager_id(round_id, "bob", WagerKind.PROGRESSIVE),))
    await casino.resettle(round_id, {1: hand(FLUSH, 1), 2: hand(ROYAL, 2)})
    pool = next(row for key, row in (await rows_of(casino, "jackpots")).items() if key.grp == "pool")
    assert pool.meter_micro == casino.books.balance("m/gold")
    assert [(one.award, one.category, one.voided) for one in pool.awards] == [
        (f"{round_id}:1r1", "FLUSH", False),
        (f"{round_id}:1", "ROYAL_FLUSH", True),
        (f"{round_id}:2", "FLUSH", True),
    ]


async def test_a_line_keeps_its_balance_when_the_round_goes_on(casino: Casino) -> None:
    await opened(casino, EURO)
    round_id = await casino.bets_closed("t", {"ann": Play()})
    await casino.void(round_id, wagers=(casino.wager_id(round_id, "ann", WagerKind.PROGRESSIVE),))
    await casino.deal(round_id, {1: hand(FLUSH)})
    await casino.fold(round_id, "ann")
    assert await shown(casino) == [("VOID", 0, 7_000)]
    await casino.settle(round_id)
    assert await shown(casino) == [("VOID", 0, 7_000), ("ROUND", -1_000, 9_000)]
