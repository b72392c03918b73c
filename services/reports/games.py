"""Which game an event belongs to: a rule set with its hash and, for the progressive wager, the rates in force.

A changed rule set has another hash, and a changed increment another return: each is a game of its own (R29).
"""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

from domain.frozen import dataclass
from domain.jackpots.events import PoolOpened, PoolReset, PoolTerms, RoundResettled
from domain.jackpots.upkeep import TermsChanged
from domain.rounds.events import BettingClosed
from domain.seats.events import WagerKind
from domain.streams import Event
from services.ports import Told
from services.reports.columns import PPM


class Game(NamedTuple):
    """A rule set as a key of rows."""

    currency: str
    ruleset: str
    ruleset_hash: str


GAME = ("currency", "ruleset", "ruleset_hash")
"""The names of that key."""


def game_of(told: Told) -> Game:
    """The game of an event of a round. LookupError where the log has no opening of it."""
    terms = told.round_opened.terms
    return Game(terms.currency, terms.ruleset, terms.ruleset_hash)


@dataclass(frozen=True, slots=True)
class Rates:
    """The rates that each round's progressive wagers were taken at; give it every event."""

    now: dict[str, PoolTerms] = field(default_factory=dict)
    of_round: dict[str, PoolTerms] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        """Rates change with the events of their pool, and a round has those of its close."""
        match event:
            case PoolOpened() | PoolReset() | TermsChanged() | RoundResettled():
                self.now[event.terms.jackpot] = event.terms
            case BettingClosed() if event.shares and event.jackpot in self.now:
                self.of_round[event.round] = self.now[event.jackpot]
            case _:
                pass

    def of(self, told: Told, kind: WagerKind) -> str:
        """Such as `40% + 10%`, to the meter and to the reserve; nothing for wagers that no pool has a part of."""
        terms = self.terms_of(told)
        return "" if terms is None or kind is not WagerKind.PROGRESSIVE else rates_text(terms)

    def terms_of(self, told: Told) -> PoolTerms | None:
        """The parameters of the pool that were in force when the round's betting closed, else those of now."""
        opened = told.round_opened
        return self.of_round.get(opened.round) or self.now.get(opened.terms.jackpot or "")


def rates_text(terms: PoolTerms) -> str:
    """The increment, and the reserve's part where there is one."""
    reserve = f" + {_percent(terms.reserve_ppm)}" if terms.reserve_ppm else ""
    return _percent(terms.increment_ppm) + reserve


def _percent(ppm: int) -> str:
    whole, rest = divmod(ppm * 100, PPM)
    return f"{whole}.{rest:06d}".rstrip("0").rstrip(".") + "%"
