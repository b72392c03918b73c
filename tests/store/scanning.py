"""Looking for cards in anything that leaves the service: text, numbers, hexadecimal, base64."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence

from domain.cards import DECK

_HEX = re.compile(rb"(?:[0-9a-fA-F]{2}){8,}")
_BASE64 = re.compile(rb"[A-Za-z0-9_+/-]{12,}={0,2}")
_BETWEEN = (b"", b" ", b",", b", ", b'", "', b'","', b"', '", b"\\0")


def leaks(data: bytes, hidden: Iterable[str], hands: Iterable[Sequence[str]]) -> set[str]:
    """What of the hidden cards `data` holds: any of them in quotes, or three of a hand in a row however written."""
    words = [quote + card.encode() + quote for card in set(hidden) for quote in (b'"', b"'", b'\\"')]
    patterns = [*words, *(one for hand in hands for one in _runs(hand))]
    return {one.decode() for view in _views(data) for one in patterns if one in view}


def _runs(hand: Sequence[str]) -> Iterator[bytes]:
    """Three cards in a row, in the order dealt or sorted, as text or as numbers of the deck."""
    for cards in (list(hand), sorted(hand), sorted(hand, key=DECK.index)):
        for at in range(len(cards) - 2):
            three = cards[at : at + 3]
            for between in _BETWEEN:
                yield between.join(card.encode() for card in three)
        if len(cards) >= 4:
            yield b",".join(b"%d" % DECK.index(card) for card in cards)
            yield b", ".join(b"%d" % DECK.index(card) for card in cards)
            yield bytes(DECK.index(card) for card in cards)


def _views(data: bytes) -> Iterator[bytes]:
    """The data itself, and what stands in it in hexadecimal or base64."""
    yield data
    decoded = b"\n".join(bytes.fromhex(one.decode()) for one in _HEX.findall(data))
    yield decoded
    for text in (data, decoded):
        yield b"\n".join(_unpacked(one) for one in _BASE64.findall(text))


def _unpacked(text: bytes) -> bytes:
    plain = text.rstrip(b"=").translate(bytes.maketrans(b"+/", b"-_"))
    return base64.urlsafe_b64decode(plain[: len(plain) - (len(plain) % 4 == 1)] + b"==")
