"""Commands about jackpots and tables."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.jackpots.events import PoolTerms


@dataclass(frozen=True, slots=True)
class OpenJackpot:
    """Start a pool; `handpay_stated` says whether the caller named a threshold, null included (C24)."""

    terms: PoolTerms
    handpay_stated: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Put a table into the lobby; None means the default of its rule set."""

    table: str
    ruleset: str
    currency: str
    ante_min_minor: int
    ante_max_minor: int
    side_min_minor: int | None
    side_max_minor: int | None
    total_max_minor: int | None
    jackpot: str | None
    card_source: str
    pace: str
    call_reserve: str
    below_min_policy: str | None
    timeout_policy: str | None
    betting_seconds: int
    closing_soon_seconds: int
    decision_seconds: int | None
    pause_seconds: int
    abandon_seconds: int
    multi_game: bool = True
    chat: str | None = None
