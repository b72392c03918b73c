"""Field types that bodies share, at their edges."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from api.fields import EXPONENTS, Amount, ClientId, Currency, DecimalRate, NonNegativeAmount, Reason

TAKEN: list[tuple[Any, bytes]] = [
    (Amount, b"1"),
    (Amount, b"1000000000000000"),
    (NonNegativeAmount, b"0"),
    (ClientId, b'"a.B_9:@-"'),
    (ClientId, b'"' + b"x" * 64 + b'"'),
    (Currency, b'"EUR"'),
    (Currency, b'"JPY"'),
    (Currency, b'"KWD"'),
    (DecimalRate, b'"0"'),
    (DecimalRate, b'"0.123456"'),
    (DecimalRate, b'"1.000000"'),
    (Reason, b'"r"'),
    (Reason, b'"two\\nlines"'),
    (Reason, b'"' + b"r" * 500 + b'"'),
]

REFUSED: list[tuple[Any, bytes]] = [
    (Amount, b"0"),
    (Amount, b"1000000000000001"),
    (Amount, b"true"),
    (Amount, b"1.0"),
    (Amount, b'"1"'),
    (NonNegativeAmount, b"-1"),
    (NonNegativeAmount, b"false"),
    (ClientId, b'"a\\n"'),
    (ClientId, '"é"'.encode()),
    (Currency, b'"XXX"'),
    (Currency, b'"UYW"'),
    (Currency, b'"EUR "'),
    (DecimalRate, b'"+0.4"'),
    (DecimalRate, b'".4"'),
    (DecimalRate, b'"1.1"'),
    (DecimalRate, b"0.4"),
    (Reason, b'""'),
    (Reason, b'"\\t\\n"'),
    (Reason, b'"\\u0007"'),
]


@pytest.mark.parametrize(("kind", "raw"), TAKEN)
def test_a_value_at_the_edge_is_taken(kind: Any, raw: bytes) -> None:
    assert TypeAdapter(kind).validate_json(raw, strict=True) is not None


@pytest.mark.parametrize(("kind", "raw"), REFUSED)
def test_a_value_past_the_edge_is_refused(kind: Any, raw: bytes) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_json(raw, strict=True)


@pytest.mark.parametrize(("code", "exponent"), [("EUR", 2), ("HUF", 2), ("JPY", 0), ("KWD", 3), ("COP", 2)])
def test_bug_033_exponents_are_those_of_iso_4217(code: str, exponent: int) -> None:
    assert EXPONENTS[code] == exponent


def test_the_document_shows_the_limits() -> None:
    assert TypeAdapter(Amount).json_schema() == {"type": "integer", "minimum": 1, "maximum": 10**15}
    assert TypeAdapter(ClientId).json_schema()["pattern"] == "^[A-Za-z0-9_.:@-]{1,64}$"
