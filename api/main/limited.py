"""How often keys may ask, told by environment variables."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from limits import parse, parse_many

from adapters.database.errors import StartRefused
from adapters.steady import STEADY
from api.rates import Rates

RATE_LIMIT: Final = "STUDBOOK_RATE_LIMIT"
"""How many requests a key may make at each serving process, such as 6000/minute; a bulk call counts its items."""

FAILED_LOGINS: Final = "STUDBOOK_FAILED_LOGINS"
"""How many keys that nobody has an address may try at each serving process."""

FAILED_LOGINS_DEFAULT: Final = "600/minute"
OFF: Final = "off"


def rates(environ: Mapping[str, str] = os.environ) -> Rates:
    """The limits of STUDBOOK_RATE_LIMIT and STUDBOOK_FAILED_LOGINS. StartRefused, in one line, when one is no limit."""
    limits: list[str | None] = []
    for name, default in ((RATE_LIMIT, OFF), (FAILED_LOGINS, FAILED_LOGINS_DEFAULT)):
        told = environ.get(name) or default
        try:
            limits.append(None if told == OFF else _limit(told))
        except ValueError:
            raise StartRefused(f"{name}: write it like 600/minute or 50/second, or {OFF}") from None
    requests, failures = limits
    return Rates(requests, failures, STEADY.seconds)


def _limit(told: str) -> str:
    """The text itself; ValueError when it is no limit of at least one request."""
    if parse(told).amount < 1 or len(parse_many(told)) != 1:
        raise ValueError(told)
    return told
