"""Movements of wallets held against the seats and prizes that they are for, entry by entry."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple, assert_never

from domain.wallets.events import (
    FundsHeld,
    FundsReleased,
    HeldMoneyDecided,
    OutcomeReversed,
    PrizePaid,
    StakesSettled,
)
from services.ports import Recorded
from services.replay.sheet import Place, Sheet

OfRound = FundsHeld | FundsReleased | StakesSettled | PrizePaid | OutcomeReversed | HeldMoneyDecided
"""What a wallet does for a round; each is the other half of an entry of seat or pool."""

_NAMES = {
    "HELD": ("put on game",),
    "RELEASED": ("released",),
    "SETTLED": ("stakes that left the game", "paid out"),
    "PRIZE": ("prize paid",),
    "REVERSED": ("owed", "change of available money", "held for review"),
    "DECIDED": ("no longer under review", "change of available money"),
}


class _Key(NamedTuple):
    command: str
    entry: int
    player: str
    what: str


class Purse:
    """Take what is expected and what is recorded in any order, then `finish`."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._expected: defaultdict[_Key, list[int]] = defaultdict(list)
        self._recorded: defaultdict[_Key, list[int]] = defaultdict(list)
        self._places: dict[_Key, Place] = {}
        self._seats: dict[_Key, int | None] = {}

    def expect(self, one: Recorded, at: Place, what: str, *minor: int) -> None:
        """The wallet must do this in the entry of this event; amounts of one kind add up, none is no movement."""
        if any(minor) or what == "SETTLED":
            key = self._key(one, at.player or "", what)
            self._add(self._expected, key, at, minor)
            self._seats[key] = at.seat

    def take(self, one: Recorded, event: OfRound) -> None:
        """What the wallet did."""
        what, minor = _movement(event)
        if any(minor) or what == "SETTLED":
            key = self._key(one, event.player, what)
            self._add(self._recorded, key, Place(one.position, event.player), minor)

    def finish(self) -> None:
        """Compare all of it."""
        for key in self._expected.keys() | self._recorded.keys():
            names = _NAMES[key.what]
            expected = self._expected.get(key) or [0] * len(names)
            recorded = self._recorded.get(key) or [0] * len(names)
            at = Place(self._places[key].position, key.player, self._seats.get(key))
            for name, ours, theirs in zip(names, expected, recorded, strict=True):
                self._sheet.compare(at, "WALLET", name, ours, theirs)

    @staticmethod
    def _key(one: Recorded, player: str, what: str) -> _Key:
        return _Key(one.meta.causation, one.entry, player, what)

    def _add(self, book: defaultdict[_Key, list[int]], key: _Key, at: Place, minor: tuple[int, ...]) -> None:
        known = book[key] or [0] * len(minor)
        book[key] = [one + more for one, more in zip(known, minor, strict=True)]
        if book is self._recorded or key not in self._places:
            self._places[key] = at


def _movement(event: OfRound) -> tuple[str, tuple[int, ...]]:
    """What the wallet did, and the amounts named in _NAMES."""
    match event:
        case FundsHeld():
            return "HELD", (event.amount_minor,)
        case FundsReleased():
            return "RELEASED", (event.amount_minor,)
        case StakesSettled():
            return "SETTLED", (event.staked_minor, event.payout_minor)
        case PrizePaid():
            return "PRIZE", (event.amount_minor,)
        case OutcomeReversed():
            return "REVERSED", (event.owed_minor, event.amount_minor, event.review_minor)
        case HeldMoneyDecided():
            return "DECIDED", (event.review_minor, event.amount_minor)
        case _:
            assert_never(event)
