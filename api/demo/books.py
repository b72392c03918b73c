"""The demo's own books: what each player, game and pool should have by the answers alone. Amounts: minor units."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from api.demo.faults import DemoFailed


@dataclass(slots=True)
class Account:
    """A player: what he should have while no bet of his is on game."""

    player: str
    currency: str
    available: int = 0


@dataclass(slots=True)
class Tally:
    """A game in one currency. `returned` is what stakes brought back, stakes included; `prizes` came from the pool."""

    rounds: int = 0
    hands: int = 0
    handle: int = 0
    returned: int = 0
    prizes: int = 0

    @property
    def ggr(self) -> int:
        """Stakes less what they brought back; prizes of pools stand beside it."""
        return self.handle - self.returned

    def add(self, other: Tally, sign: int = 1) -> None:
        """Add another tally, or with `sign` -1 take a voided round out again; the round itself stays counted."""
        self.rounds += other.rounds if sign > 0 else 0
        self.hands += sign * other.hands
        self.handle += sign * other.handle
        self.returned += sign * other.returned
        self.prizes += sign * other.prizes


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize of a pool, in the order of payment within its round."""

    jackpot: str
    round: str
    player: str
    hand: str
    amount: int


@dataclass(slots=True)
class PoolBook:
    """A pool as the demo saw it: contributions of closed rounds, prizes, and the meter over time."""

    jackpot: str
    ruleset: str
    currency: str
    seed: int
    reset: int
    contributed_micro: int = 0
    voided_contributions_micro: int = 0
    prizes: list[Prize] = field(default_factory=list)
    voided_prizes: list[Prize] = field(default_factory=list)
    meter: list[tuple[int, int]] = field(default_factory=list)
    reserve_micro: int = 0

    def saw(self, position: int, meter_micro: int) -> None:
        """Note the meter at a position of the log."""
        self.meter.append((position, meter_micro))

    @property
    def course(self) -> list[tuple[int, int]]:
        """Position and meter in micro-units, in the order of the log."""
        return sorted(set(self.meter))


@dataclass(slots=True)
class Books:
    """Everything that the demo counts."""

    accounts: dict[str, Account] = field(default_factory=dict)
    tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    pools: dict[str, PoolBook] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    deposited: Counter[str] = field(default_factory=Counter)
    withdrawn: Counter[str] = field(default_factory=Counter)

    def move(self, player: str, amount: int) -> None:
        """Change what a player should have."""
        self.accounts[player].available += amount

    def tally(self, ruleset: str, currency: str) -> Tally:
        """The tally of a game in a currency."""
        return self.tallies.setdefault((ruleset, currency), Tally())

    def compare(self, player: str, available: int, held: int) -> None:
        """DemoFailed unless the service's balance is the one of these books, with nothing on game."""
        should = self.accounts[player].available
        if (available, held) != (should, 0):
            raise DemoFailed(
                f"player {player}: the service says {available} available and {held} held, "
                f"the demo's own books say {should} and 0 minor units"
            )
