"""Commands that stop a round or make it of no effect."""

from __future__ import annotations

from dataclasses import dataclass

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
    """Make the round of no effect; with `dry_run` only say what that would do."""

    round: str
    reason: str
    policy: VoidPolicy | None
    approver: str | None
    evidence: str | None
    dry_run: bool


@dataclass(frozen=True, slots=True)
class CancelAbandoned:
    """Give up a round that nobody has touched for its table's `abandon_seconds`."""

    round: str
