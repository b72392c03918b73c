"""Bodies about jackpots and tables. What is left out gets the default of the rule set's page."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from api.fields import Amount, Body, ClientId, Currency, DecimalRate, NonNegativeAmount
from api.validation import OWN_ERROR
from domain.money import POOL_MINOR_LIMIT
from domain.variants import RULESETS

Seconds = Annotated[int, Field(ge=0, le=86_400)]
"""A length of time, at most one day."""

DAY_SECONDS: Final = 86_400

ChatMode = Literal["ON", "OFF", "SYSTEM_ONLY"]
"""Who may write to a table's chat: players and the house, nobody, the house alone."""


def _ruleset(text: str) -> str:
    if text not in RULESETS:
        raise PydanticCustomError(OWN_ERROR, "must be the name of a published rule set")
    return text


RuleSetName = Annotated[
    str, AfterValidator(_ruleset), WithJsonSchema({"type": "string", "enum": list(RULESETS), "title": "Ruleset"})
]
"""A published rule set by its name."""


class JackpotBody(Body):
    """A pool's parameters; amounts in minor units, rates as decimal strings."""

    jackpot: ClientId
    ruleset: RuleSetName
    currency: Currency
    seed: NonNegativeAmount
    reset: NonNegativeAmount
    increment_rate: DecimalRate | None = None
    reserve_rate: DecimalRate = "0"
    ceiling: Amount = POOL_MINOR_LIMIT
    fixed_prize_funding: Literal["HOUSE", "POOL"] = "HOUSE"
    multi_winner_policy: Literal["SEQUENTIAL", "FULL_TO_EACH", "EQUAL_SPLIT"] = "SEQUENTIAL"
    handpay_threshold: NonNegativeAmount | None = None


class TableBody(Body):
    """A table's terms; limits in minor units for the sum of a spot."""

    table: ClientId
    ruleset: RuleSetName
    currency: Currency
    ante_min: Amount
    ante_max: Amount
    side_min: Amount | None = None
    side_max: Amount | None = None
    total_max: Amount | None = None
    jackpot: ClientId | None = None
    card_source: Literal["SHOE", "FEED"] = "SHOE"
    pace: Literal["AUTO", "MANUAL"] = "MANUAL"
    call_reserve: Literal["FULL", "NONE"] = "FULL"
    below_min_policy: Literal["REJECT_AT_CLOSE", "RAISE_TO_MIN"] | None = None
    timeout_policy: Literal["FOLD", "BET_IF_PAIR_OR_BETTER"] | None = None
    betting_seconds: Annotated[int, Field(ge=1, le=DAY_SECONDS)] = 15
    closing_soon_seconds: Seconds = 5
    decision_seconds: Seconds | None = None
    pause_seconds: Seconds = 5
    abandon_seconds: Annotated[int, Field(ge=1, le=30 * DAY_SECONDS)] = 3600
    multi_game: bool = True
    chat: ChatMode | None = None


class NoBody(Body):
    """Nothing: `{}` or no body at all."""
