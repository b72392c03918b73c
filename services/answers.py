"""What the house answers: the bodies of the REST contract. Amounts are minor units, `position` is set at the append."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Balance:
    """A player's money after the command."""

    available: int
    held: int
    currency: str
    exponent: int


@dataclass(frozen=True, slots=True)
class PlayerAnswer:
    """A registered player."""

    player: str
    currency: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class TransactionAnswer:
    """A deposit or withdrawal."""

    transaction_id: str
    player: str
    amount: int
    balance: Balance
    position: int = 0


@dataclass(frozen=True, slots=True)
class JackpotAnswer:
    """A pool that was opened."""

    jackpot: str
    ruleset: str
    currency: str
    seed: int
    reset: int
    meter: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """A table that was opened, with the terms in force."""

    table: str
    ruleset: str
    ruleset_hash: str
    currency: str
    ante_min: int
    ante_max: int
    jackpot: str | None
    card_source: str
    pace: str
    below_min_policy: str
    timeout_policy: str
    call_reserve: str
    decision_seconds: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class RoundAnswer:
    """A round that was opened."""

    round: str
    table: str
    game_number: str
    phase: str
    commitment: str | None
    position: int = 0


@dataclass(frozen=True, slots=True)
class WagerLine:
    """One accepted wager."""

    wager: str
    kind: str
    stake: int


@dataclass(frozen=True, slots=True)
class AnteUsed:
    """An ante that was raised to the minimum (C10)."""

    asked: int
    used: int


@dataclass(frozen=True, slots=True)
class WagersAnswer:
    """What an action put on the spots; `total_bet` is all that stands for the player in this round (S0-35)."""

    round: str
    player: str
    seat: int | None
    wagers: tuple[WagerLine, ...]
    raised: AnteUsed | None
    total_bet: int
    balance: Balance
    position: int = 0


@dataclass(frozen=True, slots=True)
class PhaseAnswer:
    """Where a round stands."""

    round: str
    phase: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class Rejection:
    """Wagers of one player that were let go at the close."""

    player: str
    reason: str
    wagers: tuple[str, ...]
    released: int


@dataclass(frozen=True, slots=True)
class CloseAnswer:
    """Betting closed: who stands, who was let go (the first 1,000), what the pool got in micro-units."""

    round: str
    phase: str
    seats: int
    rejected: tuple[Rejection, ...]
    rejected_count: int
    contribution_micro: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class DealAnswer:
    """The cards lie: what is public of them, dealer's card by place, None where not yet public."""

    round: str
    phase: str
    dealer: tuple[str | None, ...]
    player: tuple[str, ...] | None
    deadline: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class DecisionAnswer:
    """A decision taken."""

    round: str
    player: str
    decision: str
    decided_by: str
    wagers: tuple[WagerLine, ...]
    balance: Balance
    position: int = 0


@dataclass(frozen=True, slots=True)
class SettleAnswer:
    """A round that is settled."""

    round: str
    phase: str
    dealer: tuple[str, ...]
    dealer_hand: str
    qualifies: bool
    seats: int
    position: int = 0


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


Answer = (
    PlayerAnswer
    | TransactionAnswer
    | JackpotAnswer
    | TableAnswer
    | RoundAnswer
    | WagersAnswer
    | PhaseAnswer
    | CloseAnswer
    | DealAnswer
    | DecisionAnswer
    | SettleAnswer
    | VoidAnswer
)

LIST_PAGE = 1000
"""How many players one answer lists."""
