from __future__ import annotations

from typing import Any

import pytest

from domain.seats.events import SeatSettled, WagerKind, WagerResult
from domain.views.histories import HistoryKind, line_group, play_group, played_key
from domain.views.model import RowKey
from domain.views.plays import WagerStatus
from domain.wallets.events import VoidPolicy
from tests.domain.views.endings import PRIZE, cancel, facts_of, settle, void
from tests.domain.views.folds import folded, group
from tests.domain.views.plots import round_id, up_to_the_deal
from tests.domain.views.story import ANTE, SIDE, Story

STAKED = 3 * ANTE + SIDE
WON = 6 * ANTE


def lines(rows: dict[RowKey, Any], player: str) -> list[Any]:
    return group(rows, line_group(player))


def balance_after(rows: dict[RowKey, Any], player: str, line: Any) -> int | None:
    if line.round is None:
        return line.available_after_minor  # type: ignore[no-any-return]  # a line's own balance
    return rows[played_key(player, line.round)].balance_after(line.position)  # type: ignore[no-any-return]  # as above


def settled_round(winner: str | None = None) -> tuple[Story, str]:
    story = Story().open_house()
    name = up_to_the_deal(story, 1, "T1")
    story.decide(name, "ann", call=True)
    story.decide(name, "bob", call=False)
    settle(story, name, winner)
    return story, name


def test_S0_42_deposits_and_withdrawals_are_lines_with_the_balance_after() -> None:
    story = Story().open_house(("ann",), deposit=5_000)
    story.withdraw("ann", 2_000)
    rows = folded("histories", facts_of(story.told))
    shown = [(one.kind, one.amount_minor, one.available_after_minor) for one in lines(rows, "ann")]
    assert shown == [(HistoryKind.DEPOSIT, 5_000, 5_000), (HistoryKind.WITHDRAWAL, -2_000, 3_000)]


def test_S0_42_a_round_is_one_line_with_game_bet_payout_and_balance() -> None:
    story, name = settled_round()
    rows = folded("histories", facts_of(story.told))
    _, line = lines(rows, "ann")
    assert (line.kind, line.round, line.table, line.ruleset) == ("ROUND", name, "T1", "euro-progressive-v1")
    assert line.game_number == rows[played_key("ann", name)].game_number
    assert (line.bet_minor, line.payout_minor, line.amount_minor) == (STAKED, WON, WON - STAKED)
    assert balance_after(rows, "ann", line) == story.wallets["ann"].available_minor


def test_S0_42_a_progressive_prize_is_in_the_payout_and_in_the_balance_after() -> None:
    story, _ = settled_round(winner="ann")
    rows = folded("histories", facts_of(story.told))
    _, line = lines(rows, "ann")
    assert line.payout_minor == WON + PRIZE
    assert balance_after(rows, "ann", line) == story.wallets["ann"].available_minor


def test_S0_42_a_fold_loses_the_ante_and_is_a_round_like_any_other() -> None:
    story, name = settled_round()
    rows = folded("histories", facts_of(story.told))
    _, line = lines(rows, "bob")
    assert (line.bet_minor, line.payout_minor) == (ANTE + SIDE, 0)
    assert rows[played_key("bob", name)].play.outcome == "FOLD"


@pytest.mark.parametrize("ending", [cancel, void])
def test_S0_47_stakes_given_back_before_the_settlement_are_a_void_line_and_no_win(ending: Any) -> None:
    story = Story().open_house()
    name = up_to_the_deal(story, 1, "T1")
    ending(story, name)
    rows = folded("histories", facts_of(story.told))
    _, line = lines(rows, "ann")
    assert (line.kind, line.bet_minor, line.payout_minor) == ("VOID", 0, 0)
    assert (line.refund_minor, line.amount_minor) == (STAKED, 0)
    assert balance_after(rows, "ann", line) == 1_000_000
    play = rows[played_key("ann", name)].play
    assert play.voided
    assert {one.status for one in play.wagers} == {WagerStatus.VOIDED}


def test_S0_22_a_void_after_settlement_adds_a_line_and_marks_the_round_which_stays() -> None:
    story, name = settled_round(winner="ann")
    before = lines(folded("histories", facts_of(story.told)), "ann")
    void(story, name, VoidPolicy.CLAW_BACK)
    rows = folded("histories", facts_of(story.told))
    after = lines(rows, "ann")
    assert after[:2] == before
    assert (after[2].kind, after[2].round, after[2].payout_minor) == ("VOID", name, 0)
    assert after[2].amount_minor == after[2].refund_minor == -(WON + PRIZE - STAKED)
    assert balance_after(rows, "ann", after[2]) == 1_000_000
    assert balance_after(rows, "ann", after[1]) == 1_000_000 + WON + PRIZE - STAKED
    play = rows[played_key("ann", name)].play
    assert (play.voided, play.outcome, play.net_minor) == (True, "WIN", WON + PRIZE - STAKED)


def test_bug_060_a_later_settlement_never_overwrites_what_was_voided() -> None:
    story = Story().open_house()
    name = up_to_the_deal(story, 1, "T1", ("ann",))
    void(story, name)
    early = folded("histories", facts_of(story.told))
    result = WagerResult("a9:ante", WagerKind.ANTE, ANTE, 0)
    settled = ("PAIR", "LOSE", (result,), 0, 0, ANTE, 0, -ANTE)
    story.seat(name, "ann", SeatSettled(name, "ann", "euro-progressive-v1", "EUR", *settled))
    late = folded("histories", facts_of(story.told))
    void_line = lines(early, "ann")[1]
    assert lines(late, "ann")[1] == void_line
    assert [one.kind for one in lines(late, "ann")] == ["DEPOSIT", "VOID", "ROUND"]
    assert late[played_key("ann", name)].play.refunded_minor == void_line.refund_minor == STAKED


def test_S0_34_a_round_whose_wagers_were_all_taken_back_was_not_played() -> None:
    story = Story().open_house()
    name = round_id(1)
    story.open_round("T1", name)
    story.undo(name, "ann", story.bet(name, "ann", 1))
    play = folded("histories", facts_of(story.told))[played_key("ann", name)].play
    assert not play.was_played
    assert [one.status for one in play.wagers] == [WagerStatus.UNDONE, WagerStatus.UNDONE]


def test_S0_42_rounds_are_listed_once_each_in_the_order_of_play() -> None:
    story = Story().open_house()
    for number in (1, 2):
        name = round_id(number)
        story.open_round("T0", name)
        story.bet(name, "ann", None)
        story.bet(name, "ann", None)
        cancel(story, name)
    rows = folded("histories", facts_of(story.told))
    assert [one.round for one in group(rows, play_group("ann"))] == [round_id(1), round_id(2)]


def test_a_reference_leads_to_its_transaction_and_whose_it_is() -> None:
    story = Story().open_house(("ann",), deposit=5_000)
    rows = folded("histories", facts_of(story.told))
    (found,) = group(rows, "transaction")
    assert (found.player, found.line) == ("ann", lines(rows, "ann")[0])
