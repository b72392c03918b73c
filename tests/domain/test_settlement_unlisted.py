"""A pay table that does not list a hand pays nothing on it, and the stake of a call that won comes back."""

from __future__ import annotations

from dataclasses import replace

from domain.hands import Category
from domain.settlement import Decision, Outcome, Stakes, settle_seat, show
from domain.variants import ruleset
from tests.domain.showdowns import DEALER_ACE_KING, DOLLAR, EURO, HANDS, LAND, LIVE, cards


def test_a_win_with_a_hand_that_the_table_does_not_list_returns_the_call() -> None:
    rules = replace(ruleset(LIVE), call_pays=())
    player = cards(HANDS[Category.PAIR])
    result = settle_seat(rules, player, cards(DEALER_ACE_KING), Stakes(100), Decision.CALL)
    assert result.outcome is Outcome.WIN
    assert (result.ante_payout_minor, result.call_payout_minor) == (200, 200)


def test_a_game_without_the_bonus_pays_none() -> None:
    player, dealer = cards(HANDS[Category.FLUSH]), cards(DEALER_ACE_KING)
    found = [show(ruleset(name), player, dealer).side_back for name in (EURO, DOLLAR, LAND, LIVE)]
    assert found == [0, 0, 0, 16]
