"""Bodies about a gaming day's reconciliation. `studbook reconcile --sheet` writes the first of them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, Strict, WithJsonSchema
from pydantic_core import PydanticCustomError

from api.fields import Body, ClientId, Currency, Reason
from api.validation import OWN_ERROR
from services.reconcile.printing import BREAKS_MAX, POOLS_MAX

POSITION_MAX: Final = 2**63 - 1
DIGITS_MAX: Final = 38
"""What the ledger counts in."""


def _total(text: str) -> str:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > DIGITS_MAX:
        raise PydanticCustomError(OWN_ERROR, 'must be a whole number of micro-units as a string, such as "-1500000"')
    return text


def _day(text: str) -> str:
    if len(text) != len("2026-11-29") or not text.replace("-", "").isdigit() or not text.isascii():
        raise PydanticCustomError(OWN_ERROR, "must be a gaming day, such as 2026-11-29")
    return text


MicroTotal = Annotated[
    str,
    Field(max_length=DIGITS_MAX + 1),
    AfterValidator(_total),
    WithJsonSchema({"type": "string", "pattern": "^-?[0-9]{1,38}$", "examples": ["2500000"]}),
]
Hash = Annotated[str, Field(pattern="^[0-9a-f]{64}$", examples=["0" * 64])]
Day = Annotated[
    str, AfterValidator(_day), WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-11-29"]})
]
Position = Annotated[int, Strict(), Field(ge=0, le=POSITION_MAX)]
Figure = Annotated[str, Field(max_length=100)]


class PoolTotalsBody(Body):
    """Control totals of a pool's day, in micro-units."""

    jackpot: ClientId
    currency: Currency
    opening_micro: MicroTotal
    seed_micro: MicroTotal
    resets_micro: MicroTotal
    contributions_micro: MicroTotal
    corrections_micro: MicroTotal
    transfers_micro: MicroTotal
    shortfall_micro: MicroTotal
    awards_micro: MicroTotal
    meter_micro: MicroTotal
    reserve_micro: MicroTotal
    overflow_micro: MicroTotal
    pay_micro: MicroTotal
    con_micro: MicroTotal
    fund_micro: MicroTotal


class BreakBody(Body):
    """A break as the run has it; `owner` looks after it, who prepares the day where none is named."""

    id: ClientId
    kind: ClientId
    about: Annotated[str, Field(min_length=1, max_length=200)]
    position: Position | None = None
    expected: Figure = ""
    found: Figure = ""
    reason: Reason
    owner: ClientId | None = None


class PrepareBody(Body):
    """What a run found of a day that has ended."""

    day: Day
    log_position: Position
    chain_head: Hash
    state_hash: Hash
    pools: Annotated[list[PoolTotalsBody], Field(max_length=POOLS_MAX)]
    breaks: Annotated[list[BreakBody], Field(max_length=BREAKS_MAX)]


class ResolveBreakBody(Body):
    """CORRECTED names the event or transaction that put it right as `reference`; ACCEPTED has its `note` alone."""

    resolution: Literal["CORRECTED", "ACCEPTED"]
    reference: ClientId | None = None
    note: Reason


class SignOffBody(Body):
    """Sealed for good; `approver` is required with `four_eyes` `named`."""

    reason: Reason
    approver: ClientId | None = None
