"""The vault: cards that are not yet public are stored sealed from the first (F32; docs/architecture.md, Cards).

AES-256-GCM with a random 96-bit nonce; the context (operator/round/purpose) is authenticated with the text, so
that sealed cards cannot be moved to another round. Every plaintext is padded to one length, so that the size
of a sealed text tells nothing. In events it stands as `v1.{key id}.{base64url of nonce, text and tag}`.

With random nonces one key serves at most 2^32 sealings; at a hundred a second that is a year and a third, so
rotate keys yearly: the new key is put in front, the old ones stay to open what they sealed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from domain.cards import DECK
from domain.dealing import Deck
from domain.errors import Invalid, Refusal, Unavailable
from domain.frozen import dataclass

KEY_BYTES: Final = 32
PADDED_BYTES: Final = 256
_FORMAT: Final = "v1"
_NONCE_BYTES: Final = 12
_TAG_BYTES: Final = 16
_LENGTH_BYTES: Final = 2
_BLOB_BYTES: Final = _NONCE_BYTES + PADDED_BYTES + _TAG_BYTES
_TEXT: Final = re.compile(r"v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{1,4096})", re.ASCII)
_CARDS: Final = frozenset(DECK)


class VaultError(Unavailable):
    """Sealed cards cannot be opened: wrong key, wrong context, or changed bytes. The detail shows no secret."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A sealed text and the id of the key that opens it."""

    key_id: str
    blob: bytes = field(repr=False)

    def __str__(self) -> str:
        return f"{_FORMAT}.{self.key_id}.{to_base64url(self.blob)}"

    @staticmethod
    def parse(text: str) -> Sealed:
        """The sealed text that an event holds; VaultError when it is none of this format."""
        match = _TEXT.fullmatch(text)
        blob = from_base64url(match[2]) if match else None
        if match is None or blob is None:
            raise VaultError("this is no sealed text of format v1", field="sealed")
        return Sealed(match[1], blob)


class Vault:
    """Seals with the current key and opens with any that it holds. `keys` maps key id to 32 bytes; `variable` is where
    the one who runs the service gives them."""

    __slots__ = ("_blinding", "_ciphers", "_current", "_variable")

    def __init__(self, keys: Mapping[str, bytes], current: str, variable: str = "STUDBOOK_CARD_KEY") -> None:
        for name, key in keys.items():
            if len(key) != KEY_BYTES:
                raise Invalid(f"a card key has {KEY_BYTES} bytes, key {name} has {len(key)}", field="card_key")
            if name != key_id(key):
                raise Invalid(f"a card key is named {name}, but it is key {key_id(key)}", field="card_key")
        if current not in keys:
            raise Invalid(f"the current card key {current} is not among the keys", field="card_key")
        self._blinding = hmac.digest(list(keys.values())[-1], b"studbook.blind.v1", "sha256")
        self._ciphers = {name: AESGCM(key) for name, key in keys.items()}
        self._current = current
        self._variable = variable

    @property
    def current(self) -> str:
        """The id of the key that seals."""
        return self._current

    def seal(self, plaintext: bytes, context: str) -> Sealed:
        """`plaintext` (at most 254 bytes) sealed for `context` (operator/round/purpose), always of one size."""
        room = PADDED_BYTES - _LENGTH_BYTES
        if len(plaintext) > room:
            raise Invalid(f"at most {room} bytes can be sealed", field="plaintext")
        padded = len(plaintext).to_bytes(_LENGTH_BYTES, "big") + plaintext.ljust(room, b"\0")
        nonce = os.urandom(_NONCE_BYTES)
        text = self._ciphers[self._current].encrypt(nonce, padded, _associated(self._current, context))
        return Sealed(self._current, nonce + text)

    def open(self, sealed: Sealed, context: str) -> bytes:
        """What was sealed for `context`; VaultError for an unknown key, another context or changed bytes."""
        cipher = self._ciphers.get(sealed.key_id)
        if cipher is None:
            raise VaultError(f"key {sealed.key_id} is not here; give it in {self._variable}", field="card_key")
        if len(sealed.blob) != _BLOB_BYTES:
            raise VaultError("the sealed text has the wrong length", field="sealed")
        nonce, text = sealed.blob[:_NONCE_BYTES], sealed.blob[_NONCE_BYTES:]
        try:
            padded = cipher.decrypt(nonce, text, _associated(sealed.key_id, context))
        except InvalidTag:
            detail = f"the sealed text was not sealed by key {sealed.key_id} for {context}, or it was changed"
            raise VaultError(detail, field="sealed") from None
        length = int.from_bytes(padded[:_LENGTH_BYTES], "big")
        return padded[_LENGTH_BYTES : _LENGTH_BYTES + length]

    def blind(self, digest: bytes) -> bytes:
        """A digest that nobody without the keys can try guesses against: few enough hidden cards can be guessed.

        The same for the same digest as long as the oldest key, the last one given, is kept.
        """
        return hmac.digest(self._blinding, digest, "sha256")

    def seal_cards(self, cards: Sequence[str], context: str) -> str:
        """Some cards, sealed, as an event holds them."""
        for card in cards:
            if card not in _CARDS:
                raise Invalid(f"{card!r} is no card", field="cards")
        return str(self.seal("".join(cards).encode(), context))

    def open_cards(self, sealed: str, context: str) -> tuple[str, ...]:
        """The cards that `seal_cards` sealed for `context`; VaultError else."""
        return _cards(self.open(Sealed.parse(sealed), context))

    def seal_text(self, text: str, context: str) -> str:
        """A short text such as a secret, sealed."""
        return str(self.seal(text.encode(), context))

    def open_text(self, sealed: str, context: str) -> str:
        """The text that `seal_text` sealed for `context`; VaultError else."""
        return self.open(Sealed.parse(sealed), context).decode()

    def seal_deck(self, deck: Deck, context: str) -> str:
        """A deck with its salt, sealed, of the same size as sealed cards."""
        return str(self.seal("".join(deck.cards).encode() + deck.salt, context))

    def open_deck(self, sealed: str, context: str) -> Deck:
        """The deck and salt that `seal_deck` sealed for `context`; VaultError else."""
        plaintext = self.open(Sealed.parse(sealed), context)
        split = 2 * len(DECK)
        try:
            return Deck(_cards(plaintext[:split]), plaintext[split:])
        except Refusal as refusal:
            raise VaultError("the sealed text holds no deck", field="sealed") from refusal


def key_id(key: bytes) -> str:
    """The name of a key: the first eight hexadecimal digits of its SHA-256."""
    return hashlib.sha256(key).hexdigest()[:8]


def to_base64url(raw: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes | None:
    """The bytes of unpadded base64url, or None when the text is not the one way to write them."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if to_base64url(raw) == text else None


def _associated(name: str, context: str) -> bytes:
    return f"studbook.sealed.{_FORMAT}\0{name}\0{context}".encode()


def _cards(plaintext: bytes) -> tuple[str, ...]:
    text = plaintext.decode("ascii", errors="replace")
    cards = tuple(text[at : at + 2] for at in range(0, len(text), 2))
    if not _CARDS.issuperset(cards):
        raise VaultError("the sealed text holds no cards", field="sealed")
    return cards
