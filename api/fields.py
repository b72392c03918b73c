"""Field types that bodies share. Amounts are whole minor units; strict: no booleans, floats or strings for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Final

from iso4217 import Currency as IsoCurrency
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Strict, WithJsonSchema
from pydantic_core import PydanticCustomError

from api.validation import OWN_ERROR
from domain.errors import Invalid
from domain.ids import checked_id
from domain.money import AMOUNT_MINOR_MAX, parse_rate
from services.currencies import exponent_in

REASON_CHARS_MAX: Final = 500
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

EXPONENTS: Final[Mapping[str, int]] = {str(c.code): int(c.exponent) for c in IsoCurrency if c.exponent in (0, 2, 3)}
"""Minor-unit digits of each current ISO 4217 currency that has 0, 2 or 3; metals and test codes have none."""


def exponent_of(currency: str) -> int:
    """Decimals of a currency. Raises Invalid for one that is not in use."""
    return exponent_in(EXPONENTS, currency)


class Body(BaseModel):
    """What every request body is: strict types, no unknown fields, unchangeable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, hide_input_in_errors=True)


def _client_id(text: str) -> str:
    try:
        return checked_id(text, "id")
    except Invalid as refusal:
        raise PydanticCustomError(OWN_ERROR, "must have 1 to 64 characters of A-Z a-z 0-9 _ . : @ -") from refusal


def _currency(text: str) -> str:
    if text not in EXPONENTS:
        raise PydanticCustomError(OWN_ERROR, "must be a current ISO 4217 code with 0, 2 or 3 decimals, such as EUR")
    return text


def known_currency(text: str | None) -> str | None:
    """A currency that somebody named on the command line, or none. Raises Invalid."""
    if text is not None and text not in EXPONENTS:
        raise Invalid(f"{text[:20]!r} is no currency that this service counts in", field="currency")
    return text


def _rate(text: str) -> str:
    try:
        parse_rate(text)
    except Invalid as refusal:
        raise PydanticCustomError(
            OWN_ERROR, 'must be a decimal string from "0" to "1" with at most six decimals'
        ) from refusal
    return text


def _reason(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError(OWN_ERROR, "must not be blank")
    if _CONTROL.search(text):
        raise PydanticCustomError(OWN_ERROR, "must not hold control characters")
    return text


Amount = Annotated[int, Strict(), Field(ge=1, le=AMOUNT_MINOR_MAX)]
"""A positive amount in minor units, at most 10^15."""

NonNegativeAmount = Annotated[int, Strict(), Field(ge=0, le=AMOUNT_MINOR_MAX)]
"""An amount in minor units that may be zero, at most 10^15."""

ClientId = Annotated[
    str,
    AfterValidator(_client_id),
    WithJsonSchema({"type": "string", "pattern": "^[A-Za-z0-9_.:@-]{1,64}$"}),
]
"""An id that the operator chose, or a UUID of ours."""

Currency = Annotated[
    str, AfterValidator(_currency), WithJsonSchema({"type": "string", "pattern": "^[A-Z]{3}$", "examples": ["EUR"]})
]
"""An ISO 4217 code in capitals that this service can count in."""

DecimalRate = Annotated[
    str,
    AfterValidator(_rate),
    WithJsonSchema({"type": "string", "pattern": r"^[01](\.[0-9]{1,6})?$", "examples": ["0.40"]}),
]
"""A share from "0" to "1"; read it with `domain.money.parse_rate`."""

Label = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_reason)]
"""What a person calls something: 1 to 100 characters."""

Reason = Annotated[
    str,
    Field(min_length=1, max_length=REASON_CHARS_MAX),
    AfterValidator(_reason),
]
"""Why a member of staff did it: 1 to 500 characters, recorded in the event."""
