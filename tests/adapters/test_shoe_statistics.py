"""The shuffle is fair, by statistics; and the statistics would see it if it were not (S0-03).

200,000 shuffles here; STUDBOOK_LONG=1 makes it the 1,000,000 of the acceptance run, with the same checks.
"""

from __future__ import annotations

import os
import random  # only to build a shuffle that must be caught
import struct

import pytest

from adapters.shoe import Shoe
from domain.cards import DECK
from domain.dealing import published_map
from domain.hands import Category, Hand, rank_five
from tests.adapters.shoe_statistics import CHECKS, SIZE, Permutation, chi_square_p, normal_p, sample_of

DECKS = 1_000_000 if os.environ.get("STUDBOOK_LONG") == "1" else 200_000
TEETH_DECKS = 20_000
FAIR = Shoe().permutation
DEAL = published_map(4)


def faults(name: str, permutation: Permutation, first: bytes, decks: int) -> list[str]:
    """What a check found on the first sample and, only when it found something, on a fresh one."""
    found = CHECKS[name](first)
    if found is None:
        return []
    again = CHECKS[name](sample_of(permutation, decks))
    return [found] if again is None else [found, again]


def swap_with_any() -> list[int]:
    order = list(range(SIZE))
    for place, other in enumerate(numbers(SIZE)):
        order[place], order[other % SIZE] = order[other % SIZE], order[place]
    return order


def byte_mod() -> list[int]:
    """Fisher-Yates, but a byte's remainder is taken as it comes: 52 does not divide 256."""
    order = list(range(SIZE))
    for high, byte in zip(range(SIZE - 1, 0, -1), os.urandom(SIZE - 1), strict=True):
        pick = byte % (high + 1)
        order[high], order[pick] = order[pick], order[high]
    return order


def never_stays() -> list[int]:
    """Off by one: the card that lies there already is never chosen."""
    order = list(range(SIZE))
    for high, number in zip(range(SIZE - 1, 0, -1), numbers(SIZE - 1), strict=True):
        pick = number % high
        order[high], order[pick] = order[pick], order[high]
    return order


def seeded_with_16_bits() -> list[int]:
    order = list(range(SIZE))
    random.Random(int.from_bytes(os.urandom(2), "big")).shuffle(order)
    return order


def friend_of_the_house() -> list[int]:
    """Fair, card by card; but of the hands that seat 1 would win, one in sixteen changes places with the dealer's."""
    order = FAIR()
    if hand(order, DEAL.seat(1)) > hand(order, DEAL.dealer) and os.urandom(1)[0] < 16:
        for own, his in zip(DEAL.seat(1), DEAL.dealer, strict=True):
            order[own], order[his] = order[his], order[own]
    return order


def without_flushes() -> list[int]:
    """Fair, card by card; but seat 1 never gets a flush or a full house."""
    order = FAIR()
    while hand(order, DEAL.seat(1)).category in (Category.FLUSH, Category.FULL_HOUSE):
        order = FAIR()
    return order


def ascending_pair() -> list[int]:
    """Fair, but its last two cards are turned so that the lower comes first."""
    order = FAIR()
    order[-2:] = sorted(order[-2:])
    return order


def numbers(count: int) -> tuple[int, ...]:
    """Numbers of four bytes each, so large that their remainders are as good as uniform."""
    return struct.unpack(f"{count}I", os.urandom(4 * count))


def hand(order: list[int], indexes: tuple[int, ...]) -> Hand:
    return rank_five([DECK[order[index]] for index in indexes])


@pytest.fixture(scope="module")
def own_sample() -> bytes:
    return sample_of(FAIR, DECKS)


@pytest.mark.parametrize("name", CHECKS)
def test_S0_03_the_shuffle_is_fair(name: str, own_sample: bytes) -> None:
    # one fresh repeat is allowed; two failures are a failure
    found = faults(name, FAIR, own_sample, DECKS)
    assert len(found) < 2, found


BAD: dict[Permutation, tuple[str, str]] = {
    swap_with_any: ("positions", "position x card"),
    byte_mod: ("positions", "position x card"),
    never_stays: ("positions", "position x card"),
    seeded_with_16_bits: ("positions", "position x card"),
    without_flushes: ("categories", "categories"),
    friend_of_the_house: ("family", "seat 1 against the dealer"),
    ascending_pair: ("family", "runs"),
}


@pytest.mark.parametrize("shuffle", BAD)
def test_a_bad_shuffle_is_caught_by_the_same_checks(shuffle: Permutation) -> None:
    name, words = BAD[shuffle]
    found = faults(name, shuffle, sample_of(shuffle, TEETH_DECKS), TEETH_DECKS)
    assert len(found) == 2
    assert all(words in fault for fault in found)


@pytest.mark.parametrize("shuffle", [swap_with_any, seeded_with_16_bits])
def test_a_bad_shuffle_is_caught_by_the_next_card_too(shuffle: Permutation) -> None:
    assert "next card" in (CHECKS["family"](sample_of(shuffle, TEETH_DECKS)) or "")


def test_a_16_bit_seed_is_caught_by_its_repeated_decks() -> None:
    assert "came twice" in (CHECKS["duplicates"](sample_of(seeded_with_16_bits, 5_000)) or "")


def test_the_limits_of_the_checks_are_the_99_percent_points_of_chi_square() -> None:
    assert chi_square_p(2_419, 2_601) == pytest.approx(0.01, abs=0.0005)
    assert chi_square_p(2_791, 2_601) == pytest.approx(0.01, abs=0.0005)
    assert chi_square_p(20.09, 8) / 2 == pytest.approx(0.01, abs=0.0005)
    assert normal_p(2.5758) == pytest.approx(0.01, abs=0.0001)
