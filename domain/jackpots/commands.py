"""What a pool can be asked to do."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.jackpots.events import PoolTerms
from domain.jackpots.upkeep import UpkeepCommand
from domain.rounds.events import AwardRecord, ResetRecord, Share
from domain.rules import Prize


@dataclass(frozen=True, slots=True)
class OpenPool:
    """Start a pool at its seed."""

    terms: PoolTerms


@dataclass(frozen=True, slots=True)
class Accrue:
    """Take in what one round's standing progressive wagers give, at its close."""

    round: str
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """One winning progressive wager and the prize that the rule set names for its hand."""

    award: str
    player: str
    seat: int | None
    wager: str
    category: str
    prize: Prize


@dataclass(frozen=True, slots=True)
class AwardRound:
    """Fix the prizes of one round, its claims in the order of payment (S2-20, S4-09)."""

    round: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class MirrorRound:
    """Turn the sign of all that one round did to the pool."""

    round: str
    shares: tuple[Share, ...]
    awards: tuple[AwardRecord, ...]
    resets: tuple[ResetRecord, ...]


@dataclass(frozen=True, slots=True)
class ResettleRound:
    """Put `new` awards and resets in the place of `old` ones; `applied` are parameters that a new reset used first."""

    old: MirrorRound
    new: MirrorRound
    applied: PoolTerms | None


@dataclass(frozen=True, slots=True)
class RefuseAward:
    """Do not pay a pending prize: mirror what was given for it, and its resets."""

    award: AwardRecord
    resets: tuple[ResetRecord, ...]
    round: str
    reason: str
    approver: str


PoolCommand = OpenPool | Accrue | AwardRound | MirrorRound | ResettleRound | RefuseAward | UpkeepCommand
"""Everything that a pool can be asked."""
