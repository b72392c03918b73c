"""Answers about jackpots, tables and the rounds opened on them."""

from __future__ import annotations

from domain.frozen import dataclass


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
    multi_game: bool
    chat: str
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
