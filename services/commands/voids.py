"""Commands that stop a round or make it of no effect."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.wallets.events import VoidPolicy


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the round for an investigation."""

    round: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the round go on."""

    round: str
    reason: str


@dataclass(frozen=True, slots=True)
class Void:
    """Make the round, or the spots of some `wagers`, of no effect; with `dry_run` only say what that would do, and of
    players from the one behind `after` on.
    """

    round: str
    reason: str
    policy: VoidPolicy | None
    approver: str | None
    evidence: str | None
    dry_run: bool
    wagers: tuple[str, ...] = ()
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Resolve:
    """Decide what voids of the round hold for review."""

    round: str
    policy: VoidPolicy


@dataclass(frozen=True, slots=True)
class Resettle:
    """Settle the round again on the full corrected cards."""

    round: str
    shared: tuple[str, ...] | None
    seats: tuple[tuple[int, tuple[str, ...]], ...] | None
    dealer: tuple[str, ...]
    policy: VoidPolicy
    reason: str
    approver: str | None = None
