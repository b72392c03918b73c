"""Values as TOML 1.0: texts, whole numbers, infinity, and lists of these."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def toml(table: Mapping[str, Any]) -> str:
    """One table, a line for each key."""
    return "".join(f"{name} = {_value(value)}\n" for name, value in table.items())


def _value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        # JSON's escapes are TOML's; beyond them TOML wants DEL escaped
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)
