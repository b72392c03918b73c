"""Bodies of staff's calls about pools, and about what is in service."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from api.fields import Amount, Body, ClientId, DecimalRate, NonNegativeAmount, Reason
from api.validation import OWN_ERROR
from domain.money import MICRO, POOL_MINOR_LIMIT

MICRO_MOST: Final = POOL_MINOR_LIMIT * MICRO


def _micro(text: str) -> str:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > len(str(MICRO_MOST)) or int(digits) > MICRO_MOST:
        raise PydanticCustomError(OWN_ERROR, 'must be a whole number of micro-units as a string, such as "-1500000"')
    return text


MicroText = Annotated[
    str, Field(max_length=20), AfterValidator(_micro), WithJsonSchema({"type": "string", "pattern": "^-?[0-9]+$"})
]
"""A signed amount of micro-units as a decimal string."""


class MoneyBody(Body):
    """A correction of one of a pool's accounts; `approver` is another person than the caller, required with `four_eyes`
    `named`.
    """

    amount_micro: MicroText
    account: Literal["m", "res", "ovf"] = "m"
    reason: Reason
    approver: ClientId | None = None


class TransferBody(MoneyBody):
    """The same, to another pool."""

    to: ClientId


class ChangeBody(Body):
    """New parameters of a pool; what is left out stays."""

    reset: NonNegativeAmount | None = None
    increment_rate: DecimalRate | None = None
    reserve_rate: DecimalRate | None = None
    ceiling: Amount | None = None
    fixed_prize_funding: Literal["HOUSE", "POOL"] | None = None
    multi_winner_policy: Literal["SEQUENTIAL", "FULL_TO_EACH", "EQUAL_SPLIT"] | None = None
    handpay_threshold: NonNegativeAmount | None = None
    reason: Reason


class PrizeBody(Body):
    """Who has seen the hand; `approver` is required with `four_eyes` `named`."""

    reason: Reason
    approver: ClientId | None = None


class ServiceBody(Body):
    """What is taken out of service or put back; no `id` with scope ALL."""

    scope: Literal["ALL", "RULESET", "TABLE", "PLAYER", "JACKPOT"]
    id: ClientId | None = None
    reason: Reason


class OneDeviceBody(Body):
    """Whether a player's newest session is the only one at all tables, and not only at its own."""

    one_device: bool
    reason: Reason
