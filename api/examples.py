"""Examples of every operation for the OpenAPI document, as a running service answered them.

`static/examples.json` is written by `python -m tests.contract.write`, which plays the calls. By operationId it holds
`path` and `query` (parameters), `request` (the body), `answers` (status to a body) and `refusals` (status to problem
documents).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).parent / "static" / "examples.json"
_PROBLEM: Final = "application/problem+json"


def show_all(document: dict[str, Any], played: Mapping[str, Any] | None = None) -> None:
    """Put the examples (those of the file where none are handed in) into the document."""
    found = json.loads(FILE.read_text("utf-8")) if played is None else played
    for operations in document["paths"].values():
        for operation in operations.values():
            _show(operation, found.get(operation["operationId"], {}))


def _show(operation: dict[str, Any], example: Mapping[str, Any]) -> None:
    given = {**example.get("path", {}), **example.get("query", {})}
    for parameter in operation.get("parameters", ()):
        if parameter["in"] != "header" and parameter["name"] in given:  # a key would be sent twice by those who try
            parameter["example"] = given[parameter["name"]]
    if "request" in example:
        _put(operation["requestBody"], "application/json", {"played": example["request"]})
    for status, body in example.get("answers", {}).items():
        kinds = operation["responses"].get(status, {}).get("content", {})
        for media in kinds:
            if len(kinds) == 1 or (media == "application/json") is not isinstance(body, str):  # of the kind it came in
                _put(operation["responses"][status], media, {"played": body})
    for status, problems in example.get("refusals", {}).items():
        named = {problem["code"]: problem for problem in problems}
        place = status if status in operation["responses"] else "default"
        _put(operation["responses"][place], _PROBLEM, named)


def _put(place: dict[str, Any], media: str, values: Mapping[str, Any]) -> None:
    content = place.get("content", {}).get(media)
    if content is not None:
        content.setdefault("examples", {}).update({name: {"value": value} for name, value in values.items()})
