"""The canonical form of a pack (RFC 8785: members sorted, no blanks, UTF-8) and the digest that is signed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import Any


def plain(value: Any) -> Any:
    """Dataclasses, tuples and enums as the JSON that they become."""
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of everything but the signature, in hex."""
    body = {name: value for name, value in document.items() if name != "signature"}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def differing(said: Any, found: Any, place: str = "") -> Iterator[str]:
    """Where two JSON values differ, as paths such as `settlements[0].seats[1].outcome`."""
    if isinstance(said, dict) and isinstance(found, dict):
        for name in [*found, *(one for one in said if one not in found)]:
            where = f"{place}.{name}" if place else name
            if name in said and name in found:
                yield from differing(said[name], found[name], where)
            else:
                yield where
    elif isinstance(said, list) and isinstance(found, list):
        for nth in range(max(len(said), len(found))):
            if nth < len(said) and nth < len(found):
                yield from differing(said[nth], found[nth], f"{place}[{nth}]")
            else:
                yield f"{place}[{nth}]"
    elif type(said) is not type(found) or said != found:
        yield place
