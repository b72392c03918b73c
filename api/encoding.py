"""How an answer is written: JSON, and every time in it as everywhere in the house."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import orjson

from domain.views.model import time_text


def encoded(value: Any) -> bytes:
    """The value as JSON; dataclasses are written as they are, times in UTC with six decimals and a Z."""
    return orjson.dumps(value, default=_text, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _text(value: object) -> str:
    match value:
        case datetime():
            return time_text(value)
        case date():
            return value.isoformat()
        case _:
            raise TypeError(f"{type(value).__name__} has no form in an answer")
