"""Good bodies made from the document's schemas, and what is put in place of each of their fields.

A new route is covered by itself: its body is made from its schema, its path from the objects of the scene.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tests.api.bad_bodies import MARK
from tests.http.contract import Contract

SAMPLES = ("sample-1", "EUR", "0.40", "As", "1", "2026-11-29T12:00:00Z", "00000000-0000-4000-8000-000000000000")
"""Texts of which one fits each pattern of the document."""

RAW: dict[str, str] = {
    "null": "null",
    "true": "true",
    "false": "false",
    "zero": "0",
    "minus zero": "-0",
    "minus one": "-1",
    "ten": "10",
    "half": "0.5",
    "float": "10.0",
    "exponent": "1e3",
    "10^15": "1000000000000000",
    "10^15 + 1": "1000000000000001",
    "2^31": "2147483648",
    "2^53": "9007199254740993",
    "2^63": "9223372036854775808",
    "-2^63": "-9223372036854775809",
    "5,000 digits": "9" * 5000,
    "1e400": "1e400",
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "number in a string": '"1000"',
    "decimal in a string": '"10.5"',
    "NaN in a string": '"NaN"',
    "empty string": '""',
    "blank": '"   "',
    "mark": f'"{MARK}"',
    "mark, long": f'"{MARK * 200}"',
    "65 characters": '"' + "p" * 65 + '"',
    "501 characters": '"' + "r" * 501 + '"',
    "slash": '"a/b"',
    "two dots": '"../x"',
    "SQL": '"o\';drop table x--"',
    "unicode": '"\u00e9\u4e2d\U0001f0a1"',
    "right to left": '"\u202eabc"',
    "NUL": '"a\\u0000b"',
    "escape": '"a\\u001b[31mb"',
    "lone surrogate": '"\\ud800"',
    "line feed": '"a\\n"',
    "empty array": "[]",
    "array of numbers": "[1, 2]",
    "array of marks": json.dumps([MARK] * 5),
    "cards twice": '["As", "As", "As", "As", "As"]',
    "no cards": '["Ax", "1s", "AS", "as", "10s"]',
    "53 cards": json.dumps(["As"] * 53),
    "empty object": "{}",
    "object": json.dumps({MARK: MARK}),
    "object with seats": '{"0": ["As"], "1": [], "100": null}',
    "33 deep": "[" * 33 + "]" * 33,
    "20,000 deep": "[" * 20_000 + "]" * 20_000,
}
"""JSON, or nearly JSON, in place of a field's value."""

_GATE = re.compile(r"NaN|Infinity|1e400|\\u0000|\\ud800|9{100}|9223372036854775808|-9223372036854775809|\[{32}")
"""What the gate refuses wherever it stands."""


class NotWhole:
    """A number written with a point or an exponent: it fits no schema."""


def value_of(raw: str) -> Any:
    """What `raw` is to the schemas."""
    return json.loads(raw, parse_float=lambda _: NotWhole(), parse_constant=lambda _: NotWhole())


def is_refused_by_the_gate(raw: str) -> bool:
    """Whether no field may hold this, whatever its schema."""
    quoted = raw.startswith('"') and "\\u" not in raw
    return not quoted and _GATE.search(raw) is not None


def sample(contract: Contract, schema: Mapping[str, Any]) -> Any:
    """A value that fits a schema of the document."""
    schema = contract.resolved(schema)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if "anyOf" in schema:
        return sample(contract, schema["anyOf"][0])
    match schema.get("type"):
        case "string":
            return _text(contract, schema)
        case "integer":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "array":
            return [sample(contract, schema["items"])] * schema.get("minItems", 0)
        case "object":
            wanted = [*schema.get("required", ()), "approver"]  # which an operator whose approvers are names needs
            parts = schema.get("properties", {})
            return {name: sample(contract, part) for name, part in parts.items() if name in wanted}
        case kind:
            raise AssertionError(f"no sample is known for {kind}: {schema}")


def _text(contract: Contract, schema: Mapping[str, Any]) -> str:
    if schema.get("examples"):
        return str(schema["examples"][0])
    found = next((one for one in SAMPLES if contract.is_valid(schema, one)), None)
    assert found is not None, f"add a sample text that fits {schema}"
    return found


def fields(contract: Contract, schema: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The path of every field in an object's schema, those of objects within it too."""
    schema = contract.resolved(schema)
    for part in schema.get("anyOf", ()):
        yield from fields(contract, part, path)
    for name, part in schema.get("properties", {}).items():
        yield (*path, name)
        yield from fields(contract, part, (*path, name))


def with_raw(body: Any, path: tuple[str, ...], raw: str) -> str:
    """The body as JSON with `raw` at `path`; objects on the way to it are made where there are none."""
    name, below = path[0], path[1:]
    inner = body.get(name)
    placed = raw if not below else with_raw(inner if isinstance(inner, dict) else {}, below, raw)
    parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in body.items() if key != name]
    return "{" + ", ".join([*parts, f"{json.dumps(name)}: {placed}"]) + "}"
