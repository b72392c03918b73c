"""Movements of wallets held against the seats and prizes that they are for, entry by entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

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

_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "HELD": ("put on game",),
    "RELEASED": ("released",),
    "SETTLED": ("stakes that left the game", "paid out"),
    "PRIZE": ("prize paid",),
    "REVERSED": ("owed", "change of available money", "held for review"),
    "DECIDED": ("no longer under review", "change of available money"),
}
_MOVEMENTS: Final[Mapping[type[Any], tuple[str, Callable[[Any], tuple[int, ...]]]]] = {
    FundsHeld: ("HELD", lambda event: (event.amount_minor,)),
    FundsReleased: ("RELEASED", lambda event: (event.amount_minor,)),
    StakesSettled: ("SETTLED", lambda event: (event.staked_minor, event.payout_minor)),
    PrizePaid: ("PRIZE", lambda event: (event.amount_minor,)),
    OutcomeReversed: ("REVERSED", lambda event: (event.owed_minor, event.amount_minor, event.review_minor)),
    HeldMoneyDecided: ("DECIDED", lambda event: (event.review_minor, event.amount_minor)),
}
"""What a wallet did, and the amounts that _NAMES names."""

_Key = tuple[str, int, str | None, str]
"""Command, entry, player, and what."""


class _Moved(NamedTuple):
    position: int
    seat: int | None
    minor: tuple[int, ...]


class Purse:
    """Take what is expected and what is recorded in any order, then `finish`."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._expected: dict[_Key, _Moved] = {}
        self._recorded: dict[_Key, _Moved] = {}

    def expect(self, one: Recorded, at: Place, what: str, *minor: int) -> None:
        """The wallet must do this in the entry of this event; amounts of one kind add up, none is no movement."""
        if any(minor) or what == "SETTLED":
            key = one.meta.causation, one.entry, at.player, what
            _add(self._expected, key, _Moved(at.position, at.seat, minor))

    def take(self, one: Recorded, event: OfRound) -> None:
        """What the wallet did."""
        what, amounts = _MOVEMENTS[type(event)]
        minor = amounts(event)
        if any(minor) or what == "SETTLED":
            _add(self._recorded, (one.meta.causation, one.entry, event.player, what), _Moved(one.position, None, minor))

    def finish(self) -> None:
        """Compare all of it."""
        for key, expected in self._expected.items():
            recorded = self._recorded.pop(key, None)
            if recorded is not None and recorded.minor == expected.minor:
                self._sheet.compared += len(expected.minor)
            else:
                self._differ(key, expected, recorded)
        for key, recorded in self._recorded.items():
            self._differ(key, None, recorded)

    def _differ(self, key: _Key, expected: _Moved | None, recorded: _Moved | None) -> None:
        known = recorded or expected
        if known is None:
            return
        none = (0,) * len(known.minor)
        at = Place(known.position, key[2], None if expected is None else expected.seat)
        ours, theirs = (none if one is None else one.minor for one in (expected, recorded))
        for name, one, other in zip(_NAMES[key[3]], ours, theirs, strict=True):
            self._sheet.compare(at, "WALLET", name, one, other)


def _add(book: dict[_Key, _Moved], key: _Key, more: _Moved) -> None:
    known = book.get(key)
    if known is not None:
        minor = tuple(one + two for one, two in zip(known.minor, more.minor, strict=True))
        more = _Moved(known.position, known.seat, minor)
    book[key] = more
