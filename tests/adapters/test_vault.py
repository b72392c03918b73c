"""Sealed cards open with their key, for their round and purpose, unchanged; and tell nothing before (F32)."""

from __future__ import annotations

import os
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.shoe import Shoe
from adapters.vault import Sealed, Vault, VaultError, key_id
from domain.cards import DECK
from domain.dealing import card_context
from domain.errors import Invalid, Unavailable

KEY, OLD = bytes(range(32)), bytes(range(32, 64))
CONTEXT = card_context("acme", "r1", "deck")
CARDS = st.permutations(DECK).flatmap(lambda deck: st.integers(0, 52).map(lambda count: tuple(deck[:count])))


def vault(*keys: bytes) -> Vault:
    return Vault({key_id(key): key for key in keys or (KEY,)}, key_id((keys or (KEY,))[0]))


@given(cards=CARDS, context=st.text(min_size=1, max_size=80).filter(lambda text: text.isprintable()))
def test_F32_cards_open_as_they_were_sealed(cards: tuple[str, ...], context: str) -> None:
    assert vault().open_cards(vault().seal_cards(cards, context), context) == cards


@given(plaintext=st.binary(max_size=254))
def test_any_bytes_open_as_they_were_sealed(plaintext: bytes) -> None:
    sealed = vault().seal(plaintext, CONTEXT)
    assert sealed.key_id == key_id(KEY)
    assert vault().open(sealed, CONTEXT) == plaintext


def test_a_deck_opens_with_its_salt() -> None:
    deck = Shoe().shuffle()
    opened = vault().open_deck(vault().seal_deck(deck, CONTEXT), CONTEXT)
    assert opened == deck
    assert opened.commitment == deck.commitment


def test_F32_one_card_five_cards_and_a_deck_have_sealed_texts_of_one_length() -> None:
    texts = [vault().seal_cards(DECK[:count], CONTEXT) for count in range(53)]
    texts.append(vault().seal_deck(Shoe().shuffle(), CONTEXT))
    assert len({len(text) for text in texts}) == 1


def test_the_same_cards_are_never_sealed_to_the_same_text() -> None:
    texts = [vault().seal_cards(["As"], CONTEXT) for _ in range(1_000)]
    assert len(set(texts)) == 1_000
    # the nonce, the first 12 of the bytes, is fresh each time
    assert len({Sealed.parse(text).blob[:12] for text in texts}) == 1_000


def test_the_text_form_is_version_key_and_base64url() -> None:
    text = vault().seal_cards(["As"], CONTEXT)
    version, key, body = text.split(".")
    assert (version, key) == ("v1", key_id(KEY))
    assert str(Sealed.parse(text)) == text
    assert set(body) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_a_text_sealed_by_version_1_opens_for_ever() -> None:
    # a golden text: events that hold such texts must open with every later release
    golden = (
        "v1.630dcd29.EYFyCbjfnS1MAoMOlskGrOJXCuKu1szpt0Lttre6cGnt0HgR6njYaJXoXMyliAOP2ZO35yAnOpr5ApA6PjmEmxbe"
        "nIv14EplnvJiL01frOH7xCAVV_SKLxiU471Y7KjD9ZqnbxaqtmhD4WU9pQGzfLzsgHkhGBJd5X1h4fwPricwUjKHdvMWunKlFOEl"
        "Crp1WTC03e_99ZLWqVCTs5HX1VEbb58CWMesWTmbaw8JKsQdR9EjbgfA02AdmqNivcLBrUh5RsUTt11WzO6IfqqZWrQ3IzyOkA4l"
        "i8g90uXpaTiBCO69gy_t0l5tP5UhzFo9t6zJWP0zioJc626n4r0uPGpb3-wEe-l4s6ETpyBogksEMf4FoxF3-I7OB6w"
    )
    assert vault().open_cards(golden, CONTEXT) == ("As", "Kd", "Qh", "7c", "2s")


@pytest.mark.parametrize(
    "other",
    [card_context("acme", "r2", "deck"), card_context("acme", "r1", "seat-1"), card_context("apex", "r1", "deck"), ""],
)
def test_F32_a_sealed_text_cannot_be_moved_to_another_round_operator_or_purpose(other: str) -> None:
    sealed = vault().seal_cards(["As"], CONTEXT)
    with pytest.raises(VaultError):
        vault().open_cards(sealed, other)


@given(place=st.integers(0, 283), bit=st.integers(0, 7))
def test_a_sealed_text_with_one_bit_changed_does_not_open(place: int, bit: int) -> None:
    sealed = vault().seal(b"AsKd", CONTEXT)
    assert len(sealed.blob) == 284  # 12 nonce, 256 text, 16 tag: every bit of it is tried
    blob = bytearray(sealed.blob)
    blob[place] ^= 1 << bit
    with pytest.raises(VaultError):
        vault().open(Sealed(sealed.key_id, bytes(blob)), CONTEXT)


def test_a_retired_key_opens_what_it_sealed_and_the_current_one_seals() -> None:
    sealed = vault(OLD).seal_cards(["As"], CONTEXT)
    rotated = vault(KEY, OLD)
    assert rotated.open_cards(sealed, CONTEXT) == ("As",)
    assert Sealed.parse(rotated.seal_cards(["As"], CONTEXT)).key_id == rotated.current == key_id(KEY)


def test_a_key_that_is_not_here_is_named_in_the_refusal() -> None:
    sealed = vault(OLD).seal_cards(["As"], CONTEXT)
    with pytest.raises(VaultError, match=key_id(OLD)) as error:
        vault().open_cards(sealed, CONTEXT)
    assert isinstance(error.value, Unavailable)


def test_a_sealed_text_that_claims_another_key_does_not_open() -> None:
    sealed = vault(KEY, OLD).seal(b"As", CONTEXT)
    with pytest.raises(VaultError):
        vault(KEY, OLD).open(Sealed(key_id(OLD), sealed.blob), CONTEXT)


@pytest.mark.parametrize(
    "text",
    ["", "v1", "v1.00000000.", "v2.00000000.AAAA", "v1.0000000g.AAAA", "v1.00000000.AAA=", "v1.00000000.AAA+",
     "v1.00000000.A", "v1.00000000.AB", "v1.00000000.AAAA\n", " v1.00000000.AAAA", "v1.00000000.é"],
)  # fmt: skip
def test_a_text_that_is_not_sealed_is_refused(text: str) -> None:
    with pytest.raises(VaultError, match="no sealed text"):
        vault().open_cards(text, CONTEXT)


@pytest.mark.parametrize("length", [0, 12, 283, 285])
def test_a_sealed_text_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(VaultError, match="length"):
        vault().open(Sealed(key_id(KEY), os.urandom(length)), CONTEXT)


@pytest.mark.parametrize("plaintext", [b"A", b"Asx", b"xx", b"\xff\xfe", b"as"])
def test_sealed_bytes_that_are_no_cards_are_refused(plaintext: bytes) -> None:
    sealed = str(vault().seal(plaintext, CONTEXT))
    with pytest.raises(VaultError, match="no cards"):
        vault().open_cards(sealed, CONTEXT)


def test_sealed_cards_that_are_no_deck_are_refused_as_a_deck() -> None:
    sealed = vault().seal_cards(DECK[:5], CONTEXT)
    with pytest.raises(VaultError, match="no deck"):
        vault().open_deck(sealed, CONTEXT)


def test_what_is_no_card_or_too_long_is_not_sealed() -> None:
    with pytest.raises(Invalid, match="no card"):
        vault().seal_cards(["As", "1s"], CONTEXT)
    with pytest.raises(Invalid, match="254"):
        vault().seal(bytes(255), CONTEXT)


def test_a_vault_without_its_current_key_or_with_a_wrong_one_is_not_built() -> None:
    for keys, current in [
        ({}, "00000000"),
        ({key_id(KEY): KEY}, key_id(OLD)),
        ({key_id(KEY): KEY[:31]}, key_id(KEY)),
        ({key_id(OLD): KEY}, key_id(OLD)),
    ]:
        with pytest.raises(Invalid) as refusal:
            Vault(keys, current)
        assert refusal.value.field == "card_key"


def test_F32_neither_texts_nor_errors_show_a_card_or_a_key() -> None:
    sealed = vault().seal(b"AsKd", CONTEXT)
    assert sealed.blob.find(b"AsKd") == -1
    assert repr(sealed) == f"Sealed(key_id='{key_id(KEY)}')"
    assert KEY.hex() not in repr(vault())
    with pytest.raises(VaultError) as error:
        vault().open(sealed, "elsewhere")
    shown = "".join(traceback.format_exception(error.value))
    assert "AsKd" not in shown
    assert repr(KEY)[2:12] not in shown
