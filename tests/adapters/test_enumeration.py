"""Counting with blocked cards gives what going through the dealer's hands one by one gives."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from adapters.enumeration import OTHERS, Enumeration
from adapters.optimal_play import Tally
from domain.returns import OUTCOMES
from domain.second_settlement import HANDS, Seat, best_of, qualifies, settle, value_of

DECK = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
"""By the number that the counting gives a card."""


@pytest.fixture(scope="module")
def tables() -> Enumeration:
    return Enumeration()


def faced(tables: Enumeration, hand: str, up_card: str) -> tuple[int, ...]:
    """Not qualified, beaten, tied, and the kind of the best of six."""
    cards = np.array([sorted(DECK.index(card) for card in hand.split())], np.int8)
    places = cards.astype(np.int64)[0]
    own = tables.value[[sum(place_of(tuple(places)))]]
    found = tables.faced(cards, own, DECK.index(up_card))
    assert found.possible.all()
    return tuple(int(one[0]) for one in (found.unqualified, found.beaten, found.tied, found.best_of_six))


def place_of(cards: tuple[int, ...]) -> list[int]:
    """The terms of an ascending hand's place in the order that the tables keep."""
    return [comb(card, nth) for nth, card in enumerate(cards, 1)]


@cache
def one_by_one(hand: str, up_card: str) -> tuple[int, ...]:
    own = value_of(hand.split())
    rest = [card for card in DECK if card not in {*hand.split(), up_card}]
    counts = [0, 0, 0]
    for others in combinations(rest, 4):
        house = value_of((up_card, *others))
        if not qualifies(house):
            counts[0] += 1
        elif own >= house:
            counts[1 if own > house else 2] += 1
    return (*counts, best_of([*hand.split(), up_card])[0])


@pytest.mark.parametrize(
    ("hand", "up_card"),
    [("Ac Kd Jh 7s 3c", "Jd"), ("9h 8h 7h 6h 2c", "5h")],
)
def test_a_hand_and_an_up_card_face_as_many_as_are_found_one_by_one(
    tables: Enumeration, hand: str, up_card: str
) -> None:
    assert faced(tables, hand, up_card) == one_by_one(hand, up_card)


def test_all_hands_are_ranked_as_the_second_settlement_ranks_them(tables: Enumeration) -> None:
    assert len(tables.category_of) == 7462
    named = [[DECK[card] for card in hand] for hand in tables.hands[::97].tolist()]
    theirs = tables.own[::97].tolist()
    by_theirs = sorted(range(len(named)), key=theirs.__getitem__)
    mine = [value_of(named[nth]) for nth in by_theirs]
    assert mine == sorted(mine)
    assert [one[0] for one in mine] == tables.category_of[[theirs[nth] for nth in by_theirs]].tolist()
    ties = {theirs[nth]: value_of(named[nth]) for nth in by_theirs}
    assert len(set(ties.values())) == len(ties), "values are equal where hands tie, and only there"


@pytest.mark.parametrize("ruleset", ["euro-progressive-v1", "live-5plus1-v1"])
def test_outcomes_of_a_hand_are_what_settling_deal_by_deal_gives(tables: Enumeration, ruleset: str) -> None:
    """Every 200th deal of a pair against a deuce: each outcome's share within three per cent."""
    hand, up_card = "Kc Kd Qh 7s 3c", "2d"
    unqualified, beaten, tied, _ = faced(tables, hand, up_card)
    rest = [card for card in DECK if card not in {*hand.split(), up_card}]
    found = dict.fromkeys(OUTCOMES, 0)
    deals = list(combinations(rest, 4))[::200]
    for others in deals:
        dealer = (up_card, *others) if ruleset.startswith("live") else (*others, up_card)
        done = settle(ruleset, dealer, [Seat(hand.split(), {"ANTE": 100}, "CALL")])
        found[done.seats[0].outcome or ""] += 1
    for name, count in (("DEALER_NOT_QUALIFIED", unqualified), ("WIN", beaten), ("PUSH", tied)):
        assert abs(found[name] / len(deals) - count / OTHERS) < 0.03


def test_a_player_calls_where_a_call_loses_less_than_the_ante(tables: Enumeration) -> None:
    """Against the four deuces (one alone says nothing of a kind of hands): every pair calls, most lesser hands fold."""
    tally = Tally("live-5plus1-v1", tables.categories, tables.weights)
    for deuce in range(4):
        tally.take(tables.faced(tables.hands, tables.own, deuce))
    counts = tally.counts()
    assert sum(counts.best_of_six) == 4 * comb(51, 5)
    assert sum(map(sum, counts.main)) == OTHERS * 4 * comb(51, 5)
    assert all(row[0] == 0 for row in counts.main[HANDS.index("PAIR") :])
    assert 0 < OTHERS * counts.called[0] < counts.main[0][0]
