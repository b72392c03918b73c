"""The commitment to a deck (S0-03): it binds order and salt, and its encoding never changes under its name."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import DECK
from domain.dealing import Deck, card_context, check_commitment, commitment
from domain.errors import DuplicateCard, Invalid

DECKS = st.permutations(DECK).map(tuple)
SALTS = st.binary(min_size=16, max_size=64)
SALT = bytes(range(32))


def written_out(cards: tuple[str, ...], salt: bytes) -> str:
    """The published encoding, independently: length in four bytes, then content, for name, salt and each card."""
    text = b"\x00\x00\x00\x10studbook.deck.v1" + len(salt).to_bytes(4, "big") + salt
    return hashlib.sha256(text + b"".join(b"\x00\x00\x00\x02" + card.encode() for card in cards)).hexdigest()


def test_the_commitment_of_the_unshuffled_deck_stays_what_it_is() -> None:
    # a golden value: should it ever change, the encoding needs a new name
    order = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")
    assert commitment(order, SALT) == "5d9c488e8ba895940497a82781d079da44acdc1f337ca9e41e2953c33c52d652"


@given(cards=DECKS, salt=SALTS)
def test_the_commitment_is_sha_256_of_the_published_encoding(cards: tuple[str, ...], salt: bytes) -> None:
    assert commitment(cards, salt) == written_out(cards, salt) == Deck(cards, salt).commitment


@given(cards=DECKS, salt=SALTS)
def test_an_opening_in_bytes_or_hexadecimal_is_accepted(cards: tuple[str, ...], salt: bytes) -> None:
    published = commitment(cards, salt)
    assert check_commitment(published, cards, salt)
    assert check_commitment(published.upper(), cards, salt.hex())
    assert check_commitment(published, list(cards), salt.hex().upper())


@given(cards=DECKS, places=st.lists(st.integers(0, 51), min_size=2, max_size=2, unique=True))
def test_a_deck_with_two_cards_exchanged_does_not_open_it(cards: tuple[str, ...], places: list[int]) -> None:
    other = list(cards)
    other[places[0]], other[places[1]] = other[places[1]], other[places[0]]
    assert not check_commitment(commitment(cards, SALT), other, SALT)


@given(salt=SALTS, bit=st.integers(0, 127))
def test_another_salt_does_not_open_it(salt: bytes, bit: int) -> None:
    other = bytearray(salt)
    other[bit // 8] ^= 1 << bit % 8
    assert not check_commitment(commitment(DECK, salt), DECK, bytes(other))
    assert not check_commitment(commitment(DECK, salt), DECK, salt + b"\0")


@pytest.mark.parametrize("salt", [b"", bytes(15), "", "00" * 15, "zz" * 16, "0" * 33, "00 " * 16, "é" * 32])
def test_a_salt_that_is_none_is_refused(salt: bytes | str) -> None:
    with pytest.raises(Invalid) as refusal:
        commitment(DECK, salt)
    assert refusal.value.field == "salt"


@pytest.mark.parametrize("cards", [DECK[:51], (*DECK, "As"), (*DECK[:51], "1s"), (*DECK[:51], "as"), ()])
def test_a_deck_that_is_none_is_refused(cards: tuple[str, ...]) -> None:
    with pytest.raises(Invalid) as refusal:
        commitment(cards, SALT)
    assert refusal.value.field == "cards"


def test_a_deck_with_a_card_twice_is_refused_by_its_own_name() -> None:
    with pytest.raises(DuplicateCard, match="2c"):
        commitment((*DECK[:51], "2c"), SALT)


@pytest.mark.parametrize("published", ["", "00", "0" * 63, "0" * 65, "g" * 64, " " + "0" * 63])
def test_a_commitment_that_is_no_digest_is_refused(published: str) -> None:
    with pytest.raises(Invalid) as refusal:
        check_commitment(published, DECK, SALT)
    assert refusal.value.field == "commitment"


def test_F32_a_deck_in_a_log_shows_no_card_and_no_salt() -> None:
    deck = Deck(DECK, SALT)
    for text in (repr(deck), str(deck), f"{deck}", repr([deck])):
        assert text.strip("[]") == "Deck()"


def test_F32_the_parts_of_a_sealing_context_cannot_be_confused() -> None:
    assert card_context("acme", "r1", "deck") == "acme/r1/deck"
    for parts in (("a/b", "r", "deck"), ("a", "", "deck"), ("a", "r", "x/y")):
        with pytest.raises(Invalid):
            card_context(*parts)
