"""What pools should have got, from the seats alone: standing progressive wagers at the rates in force at the close."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from domain.frozen import dataclass
from domain.jackpots.events import Contributed, RoundMirrored
from domain.rounds.events import BettingClosed, RoundOpened
from domain.seats.events import ActionUndone, SeatPassed, SeatVoided, WagerKind, WagerPlaced, WagersRejected
from services.ports import Told
from services.reconcile.pools import PoolFold


class Unlike(NamedTuple):
    """A round that contributed something else than its wagers say; at the event that made it so."""

    told: Told
    pool: str
    round: str
    expected_micro: int
    found_micro: int


@dataclass(slots=True)
class _Round:
    pool: str
    wagers: dict[str, int] = field(default_factory=dict)
    """Stakes in minor units by wager."""
    ppm: int | None = None
    """Both rates together at the close; None while betting is open."""
    given_micro: int = 0
    counted_micro: int = 0
    unlike_micro: int = 0
    last: Told | None = None

    @property
    def due_micro(self) -> int:
        """What the pool should have of it now."""
        return 0 if self.ppm is None else sum(self.wagers.values()) * self.ppm


@dataclass(slots=True)
class Stakes:
    """Take every event of an operator in order; `due` is what the standing wagers gave, by pool."""

    due: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    _pools: dict[str, str] = field(default_factory=dict)
    """The pool of each round that has one."""
    _rounds: dict[str, _Round] = field(default_factory=dict)
    _touched: dict[str, None] = field(default_factory=dict)
    _command: str = ""

    def take(self, told: Told, pools: Mapping[str, PoolFold]) -> list[Unlike]:
        """The next event, and the pools as they were before it. What is found is of the commands before."""
        found = self.settle() if told.one.meta.causation != self._command else []
        self._command = told.one.meta.causation
        event = told.one.event
        match event:
            case RoundOpened() if event.terms.jackpot is not None:
                self._pools[event.round] = event.terms.jackpot
            case WagerPlaced():
                stakes = {one.wager: one.stake_minor for one in event.wagers if one.kind is WagerKind.PROGRESSIVE}
                if stakes and event.round in self._pools:
                    self._rounds.setdefault(event.round, _Round(self._pools[event.round])).wagers |= stakes
            case ActionUndone() | SeatPassed() | WagersRejected() | SeatVoided():
                if (known := self._rounds.get(event.round)) is not None:
                    for wager in event.wagers:
                        known.wagers.pop(wager, None)
                    self._touch(event.round, known, told if isinstance(event, SeatVoided) else known.last)
            case BettingClosed():
                if (known := self._rounds.get(event.round)) is not None:
                    pool = pools.get(known.pool)
                    terms = None if pool is None else pool.terms_in_force
                    known.ppm = 0 if terms is None else terms.increment_ppm + terms.reserve_ppm
                    self._touch(event.round, known, known.last or told)
            case Contributed() | RoundMirrored():
                known = self._rounds.setdefault(event.round, _Round(event.jackpot))
                known.given_micro += _given(event)
                self._touch(event.round, known, told)
            case _:
                pass
        return found

    def settle(self) -> list[Unlike]:
        """A command is over: the rounds that it touched, where they do not agree anew."""
        found = []
        for name in self._touched:
            of = self._rounds[name]
            self.due[of.pool] += of.due_micro - of.counted_micro
            of.counted_micro = of.due_micro
            unlike = of.given_micro - of.due_micro
            if unlike != of.unlike_micro and of.last is not None:
                found.append(Unlike(of.last, of.pool, name, of.due_micro + of.unlike_micro, of.given_micro))
                of.unlike_micro = unlike
        self._touched.clear()
        return found

    def _touch(self, name: str, of: _Round, told: Told | None) -> None:
        self._touched[name] = None
        of.last = told


def _given(event: Contributed | RoundMirrored) -> int:
    """What the pool got of the round; below zero what was taken back."""
    if isinstance(event, RoundMirrored):
        return -event.contribution_micro
    return event.increment_micro + event.reserve_micro
