"""What a showdown says beside who wins: unlisted hands, games without the bonus, a dealer who does not play."""

from __future__ import annotations

from dataclasses import replace

from domain.hands import Category
from domain.settlement import Decision, Outcome, Stakes, settle_seat, show
from domain.variants import ruleset
from tests.domain.showdowns import DEALER_ACE_KING, DEALER_ACE_QUEEN, DOLLAR, EURO, HANDS, LAND, LIVE, cards


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


def test_a_showdown_says_whether_the_dealer_plays() -> None:
    player = cards(HANDS[Category.FLUSH])
    found = [show(ruleset(LIVE), player, cards(dealer)).qualifies for dealer in (DEALER_ACE_KING, DEALER_ACE_QUEEN)]
    assert found == [True, False]
