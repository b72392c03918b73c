"""Cards and the deck (S0-03, S0-13)."""

from __future__ import annotations

import pytest

from domain.cards import DECK, RANKS, SUITS, check_distinct, parse_cards, shown
from domain.errors import DuplicateCard, Invalid


def test_S0_03_the_deck_has_52_different_cards_and_no_joker() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {card[0] for card in DECK} == set(RANKS)
    assert {card[1] for card in DECK} == set(SUITS)


def test_the_order_of_the_deck_is_fixed() -> None:
    assert DECK[:3] == ("2c", "3c", "4c")
    assert DECK[13] == "2d"
    assert DECK[-1] == "As"


def test_cards_keep_the_order_in_which_they_were_dealt() -> None:
    assert parse_cards(["Td", "As", "2c"], "player") == ("Td", "As", "2c")


@pytest.mark.parametrize("text", ["1s", "10s", "as", "AS", "A", "", "Asx", "♠A", "\ud800s", " As"])
def test_a_text_that_is_no_card_is_refused_with_the_field(text: str) -> None:
    with pytest.raises(Invalid, match="no card") as refused:
        parse_cards(["Kd", text], "dealer")
    assert refused.value.field == "dealer"
    assert refused.value.detail.isascii()


@pytest.mark.parametrize("value", [7, None, True, 1.5, ["As"], {"rank": "A"}])
def test_a_value_that_is_no_text_is_refused_as_no_card(value: object) -> None:
    with pytest.raises(Invalid, match="no card"):
        parse_cards([value], "player")  # type: ignore[list-item]  # what JSON may hold


@pytest.mark.parametrize("given", [0, 4, 6])
def test_another_number_of_cards_is_refused_with_both_numbers(given: int) -> None:
    with pytest.raises(Invalid, match=f"5 cards are needed, {given} given"):
        parse_cards(DECK[:given], "player", 5)


def test_bug_048_the_same_card_twice_is_refused_by_name() -> None:
    with pytest.raises(DuplicateCard, match="7h") as refused:
        parse_cards(["7h", "As", "7h"], "player")
    assert refused.value.field == "player"


def test_bug_048_a_card_that_player_and_dealer_both_hold_is_refused_by_name() -> None:
    with pytest.raises(DuplicateCard, match="Ac"):
        check_distinct([*["Ac", "2c"], *["3c", "Ac"]], "dealer")


def test_different_cards_pass() -> None:
    check_distinct(DECK, "deck")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x" * 25, "'" + "x" * 24 + "'..."),
        ("é\n", "'\\xe9\\n'"),
        (10**400, "a number of over 38 digits"),
        (None, "None"),
        (0.5, "0.5"),
        ({"deep": [[[]]]}, "a dict"),
    ],
)
def test_foreign_values_are_short_and_ascii_in_messages(value: object, text: str) -> None:
    assert shown(value) == text
