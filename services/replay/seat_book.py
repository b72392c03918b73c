"""What stands at a seat while its round is replayed, from its own events alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import field

from domain.frozen import dataclass
from domain.seats.events import Wager, WagerKind, WagerResult
from services.replay.again import Playing


@dataclass(slots=True)
class SeatBook:
    """One player's part. `wagers` are those that stand, by id; `results` what was paid on them."""

    player: str
    seat: int | None
    wagers: dict[str, Wager] = field(default_factory=dict)
    decision: str | None = None
    by_system: int | None = None
    """Where the system decided, if it did."""
    results: dict[str, WagerResult] = field(default_factory=dict)
    prize_minor: int = 0
    """Prizes that came in."""
    waits_minor: int = 0
    """Prizes that wait for verification."""
    settled_at: int | None = None
    reviews: list[tuple[int, int]] = field(default_factory=list)
    """What voids hold for review: owed and taken."""

    def lay(self, wagers: Iterable[Wager]) -> None:
        """Put wagers on the spots."""
        self.wagers.update((one.wager, one) for one in wagers)

    def lift(self, names: Iterable[str]) -> list[Wager]:
        """Take wagers off the spots; those of the names that stood there."""
        return [self.wagers.pop(name) for name in names if name in self.wagers]

    def held_minor(self, names: Collection[str], antes_held: int) -> int:
        """What is on game for these wagers: an ante that is not decided yet holds `antes_held` of itself."""
        total = 0
        for one in self.wagers.values():
            if one.wager in names:
                factor = antes_held if one.kind is WagerKind.ANTE and self.decision is None else 1
                total += factor * one.stake_minor
        return total

    def stake_minor(self, kind: WagerKind) -> int:
        """The sum on a spot."""
        return sum(one.stake_minor for one in self.wagers.values() if one.kind is kind)

    def playing(self) -> Playing:
        """As the second settlement takes it."""
        stakes: dict[WagerKind, int] = {}
        for one in self.wagers.values():
            stakes[one.kind] = stakes.get(one.kind, 0) + one.stake_minor
        return Playing(self.player, self.seat, stakes, self.decision or "FOLD")
