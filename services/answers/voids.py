"""Answers about voids."""

from __future__ import annotations

from domain.frozen import dataclass
from services.answers.accounts import Balance


@dataclass(frozen=True, slots=True)
class VoidedPlayer:
    """What a void did to one player: stakes that came back, what was owed and taken, what the house bears."""

    player: str
    refund: int
    owed: int
    taken: int
    loss: int
    balance: Balance


@dataclass(frozen=True, slots=True)
class VoidedJackpot:
    """What a void did to a pool, in micro-units as decimal strings."""

    jackpot: str
    meter_change_micro: str
    reserve_change_micro: str
    overflow_change_micro: str
    shortfall_micro: str
    meter_after_micro: str


@dataclass(frozen=True, slots=True)
class VoidAnswer:
    """A void, or with `dry_run` what it would do; the first 1,000 players."""

    round: str
    phase: str
    stage: str
    policy: str | None
    dry_run: bool
    players: tuple[VoidedPlayer, ...]
    players_count: int
    jackpots: tuple[VoidedJackpot, ...]
    position: int = 0


@dataclass(frozen=True, slots=True)
class ResolvedPlayer:
    """What was held for review of one player: what was owed, what of it was held."""

    player: str
    owed: int
    taken: int
    balance: Balance


@dataclass(frozen=True, slots=True)
class ResolveAnswer:
    """Reviews that ended; the first 1,000 players."""

    round: str
    policy: str
    players: tuple[ResolvedPlayer, ...]
    players_count: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class ResettledPlayer:
    """One player's new result, what the old one gave more (`owed`), and what of it could be taken."""

    player: str
    outcome: str
    returned: int
    net: int
    owed: int
    taken: int
    loss: int
    balance: Balance


@dataclass(frozen=True, slots=True)
class ResettleAnswer:
    """A round settled again; the first 1,000 players."""

    round: str
    dealer_hand: str
    qualifies: bool
    policy: str
    players: tuple[ResettledPlayer, ...]
    players_count: int
    position: int = 0
