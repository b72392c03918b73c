"""The shuffle is fair, by statistics; and the statistics would see it if it were not (S0-03).

60,000 shuffles here; `make fairness` makes it 1,000,000, with the same checks.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable

import pytest

from adapters.broken_shuffles import BROKEN
from adapters.shoe import Shoe
from api.main.fairness import Finding, judged
from domain.cards import DECK
from domain.dealing import published_map
from domain.fairness.tally import SIZE, Tally, count
from domain.fairness.verdict import checks
from domain.hands import Category, Hand, rank_five

DECKS = 60_000
TEETH_DECKS = 10_000
MORE_DECKS = 30_000
"""For the faults that 10,000 decks show by three standard deviations only: the test would fail by chance."""
FAIR = Shoe().permutation
DEAL = published_map(4)

Permutation = Callable[[], list[int]]


def tally_of(permutation: Permutation, decks: int) -> Tally:
    return count(b"".join(bytes(permutation()) for _ in range(decks)))


def finding(permutation: Permutation, decks: int) -> Finding:
    return judged("", decks, lambda _name, wanted: tally_of(permutation, wanted))


def never_stays() -> list[int]:
    """Off by one: the card that lies there already is never chosen."""
    order = list(range(SIZE))
    for high, number in zip(range(SIZE - 1, 0, -1), numbers(SIZE - 1), strict=True):
        pick = number % high
        order[high], order[pick] = order[pick], order[high]
    return order


def friend_of_the_house() -> list[int]:
    """Fair, card by card; but of the hands that seat 1 would win, one in eight changes places with the dealer's."""
    order = FAIR()
    if hand(order, DEAL.seat(1)) > hand(order, DEAL.dealer) and os.urandom(1)[0] < 32:
        for own, his in zip(DEAL.seat(1), DEAL.dealer, strict=True):
            order[own], order[his] = order[his], order[own]
    return order


def without_flushes() -> list[int]:
    """Fair, card by card; but seat 1 never gets a flush or a full house."""
    order = FAIR()
    while hand(order, DEAL.seat(1)).category in (Category.FLUSH, Category.FULL_HOUSE):
        order = FAIR()
    return order


def kind_dealer() -> list[int]:
    """Fair, card by card; but the dealer never has a straight or better than that."""
    order = FAIR()
    while hand(order, DEAL.dealer).category.at_least(Category.STRAIGHT):
        order = FAIR()
    return order


def ascending_pair() -> list[int]:
    """Fair, but its last two cards are turned so that the lower comes first."""
    order = FAIR()
    order[-2:] = sorted(order[-2:])
    return order


def numbers(count_: int) -> tuple[int, ...]:
    """Numbers of four bytes each, so large that their remainders are as good as uniform."""
    return struct.unpack(f"{count_}I", os.urandom(4 * count_))


def hand(order: list[int], indexes: tuple[int, ...]) -> Hand:
    return rank_five([DECK[order[index]] for index in indexes])


def test_S0_03_bug_052_the_shuffle_is_fair() -> None:
    # one fresh repeat is allowed; two failures are a failure
    found = finding(FAIR, DECKS)
    assert found.failed == (), [*found.checks, *found.again]


BAD: dict[str, tuple[Permutation, str, str]] = {
    "bug 52: swap with any": (BROKEN["swap-with-any"], "positions", "chi-square"),
    "bug 52: a byte's remainder": (BROKEN["byte-mod-52"], "positions", "chi-square"),
    "bug 52: a seed of 16 bits": (BROKEN["seed-of-16-bits"], "positions", "chi-square"),
    "never stays": (never_stays, "positions", "chi-square"),
    "without flushes": (without_flushes, "categories", "chi-square"),
    "friend of the house": (friend_of_the_house, "family", "seat 1 against the dealer"),
    "kind dealer": (kind_dealer, "family", "categories of the dealer"),
    "ascending pair": (ascending_pair, "family", "runs"),
}


SLIGHT = {"bug 52: a seed of 16 bits", "without flushes"}


@pytest.mark.parametrize("name", BAD)
def test_bug_052_a_bad_shuffle_is_refused_by_the_same_checks(name: str) -> None:
    shuffle, check, words = BAD[name]
    found = finding(shuffle, MORE_DECKS if name in SLIGHT else TEETH_DECKS)
    assert check in found.failed
    assert all(words in one.about for one in (*found.checks, *found.again) if one.name == check)


def test_a_16_bit_seed_is_caught_by_its_repeated_decks_at_once() -> None:
    found = {one.name: one for one in checks(tally_of(BROKEN["seed-of-16-bits"], 5_000))}
    assert not found["duplicates"].holds
    assert Finding(tally_of(FAIR, 1), tuple(found.values())).failed[-1] == "duplicates"


@pytest.mark.parametrize("shuffle", ["swap-with-any", "seed-of-16-bits"])
def test_a_bad_shuffle_is_caught_by_the_next_card_too(shuffle: str) -> None:
    found = {one.name: one for one in checks(tally_of(BROKEN[shuffle], TEETH_DECKS))}
    assert "next card" in found["family"].about
    assert not found["family"].holds
