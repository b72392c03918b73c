"""What is counted of decks, against the same counted in the plainest way; and the limits for any number of them."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from domain.cards import DECK
from domain.dealing import dealer_cards, seat_cards
from domain.errors import Invalid
from domain.fairness.tally import CATEGORIES, HEAD, PLACES, SIZE, Tally, count, together
from domain.fairness.verdict import ALL_HANDS, WAYS, category_sum, checks, family, positions
from domain.hands import Category, rank_five

DECKS = 200


@pytest.fixture(scope="module")
def orders() -> list[list[int]]:
    chance = random.Random(52)
    return [chance.sample(range(SIZE), SIZE) for _ in range(DECKS)]


@pytest.fixture(scope="module")
def tally(orders: list[list[int]]) -> Tally:
    return count(b"".join(map(bytes, orders)))


def test_every_card_is_counted_at_its_place(orders: list[list[int]], tally: Tally) -> None:
    found = tally.positions()
    for place in range(SIZE):
        plain = Counter(order[place] for order in orders)
        assert found[place] == [plain[card] for card in range(SIZE)]


def test_every_next_card_is_counted_at_its_place(orders: list[list[int]], tally: Tally) -> None:
    for place in (0, 17, PLACES - 1):
        plain = Counter((order[place], order[place + 1]) for order in orders)
        found = tally.at(place)
        assert {(a, b): found[a][b] for a in range(SIZE) for b in range(SIZE) if found[a][b]} == plain


def test_hands_are_those_of_the_published_map(orders: list[list[int]], tally: Tally) -> None:
    decks = [[DECK[index] for index in order] for order in orders]
    for seat in range(1, 5):
        hands = [(rank_five(seat_cards(deck, seat, 4)), rank_five(dealer_cards(deck, 4))) for deck in decks]
        plain = Counter(own.category for own, _ in hands)
        plain[Category.STRAIGHT_FLUSH] += plain.pop(Category.ROYAL_FLUSH, 0)
        assert tally.hands[seat - 1] == tuple(plain[category] for category in CATEGORIES)
        assert tally.wins[seat - 1] == sum(own > dealer for own, dealer in hands)
        assert tally.losses[seat - 1] == sum(own < dealer for own, dealer in hands)
    assert sum(tally.hands[4]) == DECKS


def test_tallies_of_parts_are_the_tally_of_the_whole(orders: list[list[int]], tally: Tally) -> None:
    parts = [count(b"".join(map(bytes, orders[at : at + 40]))) for at in range(0, DECKS, 40)]
    assert together(parts) == tally


def test_a_deck_that_comes_again_is_counted(orders: list[list[int]]) -> None:
    again = count(b"".join(map(bytes, [*orders, orders[3], orders[3]])))
    assert again.repeated() == 2
    same_head = orders[3][:HEAD] + orders[3][HEAD:][::-1]
    assert count(bytes(orders[3]) + bytes(same_head)).repeated() == 1


@pytest.mark.parametrize("sample", [b"", bytes(51), bytes(53)])
def test_what_is_no_whole_deck_is_no_sample(sample: bytes) -> None:
    with pytest.raises(Invalid, match="52 bytes"):
        count(sample)


def test_the_ways_of_the_categories_are_all_hands() -> None:
    assert sum(WAYS.values()) == ALL_HANDS
    assert tuple(WAYS) == CATEGORIES


@pytest.mark.parametrize(
    ("decks", "freedom"), [(1_000, 4), (5_000, 6), (19_000, 6), (20_000, 7), (300_000, 7), (325_000, 8), (1_000_000, 8)]
)
def test_categories_of_which_too_few_are_to_be_expected_count_as_one(decks: int, freedom: int) -> None:
    expected = [round(decks * WAYS[category] / ALL_HANDS) for category in CATEGORIES]
    value, found = category_sum(expected, decks)
    assert found == freedom
    assert value < 1  # what is expected fits


def test_position_x_card_is_51_52nds_of_the_sum() -> None:
    # given two decks that are one another's reverse: each place has two cards once
    order = bytes(range(SIZE))
    value = positions(count(order + order[::-1])).value
    cells = 2 * SIZE * (1 - 2 / SIZE) ** 2 + (SIZE - 2) * SIZE * (2 / SIZE) ** 2
    assert value == pytest.approx(51 / 52 * cells / (2 / SIZE))


def test_the_family_names_what_it_rejects_and_stops_at_the_first_that_holds(tally: Tally) -> None:
    sound = family(tally)
    assert sound.holds
    assert sound.least == pytest.approx(0.01 / 60)
    # when seat 2 wins more than it should, and seat 3 a little more
    wins = (tally.wins[0], tally.losses[1] + 90, tally.losses[2] + 20, tally.wins[3])
    odd = family(Tally(DECKS, tally.pairs, tally.hands, wins, tally.losses, tally.heads))
    assert not odd.holds
    assert "seat 2 against the dealer" in odd.about
    assert "seat 3" not in odd.about


def test_every_check_has_its_name_and_limits(tally: Tally) -> None:
    found = {one.name: one for one in checks(tally)}
    assert list(found) == ["positions", "categories", "family", "duplicates"]
    assert (found["duplicates"].most, found["categories"].least) == (0, None)
