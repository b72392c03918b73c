"""Which card of the deck goes to whom (S0-05, S2-09, C1, C2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import DECK
from domain.dealing import dealer_cards, dealer_upcard, published_map, seat_cards
from domain.errors import DuplicateCard, Invalid

SEATS = st.integers(1, 9)
DECKS = st.permutations(DECK).map(tuple)


def dealt_by_hand(deck: tuple[str, ...], seats: int) -> dict[str, list[str]]:
    """The same deal, done as a dealer does it: from the top, one card each, the dealer last, five times round."""
    places = [*(str(seat) for seat in range(1, seats + 1)), "dealer"]
    hands: dict[str, list[str]] = {place: [] for place in places}
    left = list(deck)
    for _ in range(5):
        for place in places:
            hands[place].append(left.pop(0))
    return hands


@given(deck=DECKS, seats=SEATS)
def test_S2_09_cards_go_one_at_a_time_from_the_first_seat_to_the_dealer(deck: tuple[str, ...], seats: int) -> None:
    hands = dealt_by_hand(deck, seats)
    assert dealer_cards(deck, seats) == tuple(hands["dealer"])
    for seat in range(1, seats + 1):
        assert seat_cards(deck, seat, seats) == tuple(hands[str(seat)])


@given(seats=SEATS)
def test_S0_03_no_index_is_dealt_twice_and_none_is_forgotten(seats: int) -> None:
    deal = published_map(seats)
    used = [index for hand in (*deal.hands, deal.dealer, deal.undealt) for index in hand]
    assert sorted(used) == list(range(52))
    assert [len(hand) for hand in (*deal.hands, deal.dealer)] == [5] * (seats + 1)


def test_S2_09_the_map_of_four_seats_is_the_published_one() -> None:
    deal = published_map(4)
    assert deal.seat(1) == (0, 5, 10, 15, 20)
    assert deal.seat(4) == (3, 8, 13, 18, 23)
    assert deal.dealer == (4, 9, 14, 19, 24)
    assert deal.undealt == tuple(range(25, 52))


def test_C1_a_shared_hand_is_the_one_seat_of_its_map() -> None:
    deal = published_map(1)
    assert deal.hands == ((0, 2, 4, 6, 8),)
    assert deal.dealer == (1, 3, 5, 7, 9)


def test_S0_05_and_C2_the_up_card_is_the_first_or_the_last_of_the_dealer() -> None:
    assert dealer_upcard(DECK, 1, 0) == DECK[1]
    assert dealer_upcard(DECK, 4, 4) == DECK[24]


@pytest.mark.parametrize("seats", [0, -1, 10, 52])
def test_a_table_that_one_deck_cannot_serve_is_refused(seats: int) -> None:
    with pytest.raises(Invalid) as refusal:
        published_map(seats)
    assert refusal.value.field == "seats"


@pytest.mark.parametrize("seat", [0, 5, -1])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: int) -> None:
    with pytest.raises(Invalid) as refusal:
        seat_cards(DECK, seat, 4)
    assert refusal.value.field == "seat"


@pytest.mark.parametrize("index", [-1, 5])
def test_an_up_card_that_the_dealer_does_not_have_is_refused(index: int) -> None:
    with pytest.raises(Invalid) as refusal:
        dealer_upcard(DECK, 4, index)
    assert refusal.value.field == "dealer_upcard_index"


def test_S0_03_nothing_is_dealt_from_a_deck_that_is_not_52_different_cards() -> None:
    with pytest.raises(Invalid):
        seat_cards(DECK[:51], 1, 4)
    with pytest.raises(DuplicateCard):
        dealer_cards((*DECK[:51], DECK[0]), 4)
