"""Each kind of change to a contract, and whether it breaks a client."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.contract.compat import incompatible

DONE_REF = "#/components/schemas/Done"
DOCUMENT: dict[str, Any] = {
    "paths": {
        "/bets": {
            "post": {
                "operationId": "bet",
                "parameters": [
                    {"in": "header", "name": "Key", "required": True, "schema": {"type": "string", "maxLength": 9}},
                    {"in": "query", "name": "dry", "schema": {"type": "boolean"}},
                ],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Bet"}}}},
                "responses": {
                    "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Done"}}}}
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Bet": {
                "type": "object",
                "properties": {
                    "stake": {"type": "integer", "minimum": 1, "maximum": 100},
                    "kind": {"enum": ["ANTE", "SIDE"]},
                    "note": {"anyOf": [{"type": "string", "pattern": "^a"}, {"type": "null"}]},
                },
                "required": ["stake"],
            },
            "Done": {
                "type": "object",
                "properties": {"bet": {"type": "string"}, "lines": {"type": "array", "items": {"type": "integer"}}},
                "required": ["bet"],
            },
        }
    },
}
BET, DONE = ("components", "schemas", "Bet", "properties"), ("components", "schemas", "Done", "properties")
POST = ("paths", "/bets", "post")


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The document with one thing different; None takes it out."""
    document = deepcopy(DOCUMENT)
    node: Any = document
    for name in path[:-1]:
        node = node[name]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return document


BREAKS = [
    (("paths", "/bets"), None, "POST /bets: is gone"),
    ((*POST, "operationId"), "place", "POST /bets: operationId is place, was bet"),
    ((*POST, "parameters", 1), None, "POST /bets: parameter dry of the query is gone"),
    ((*POST, "parameters", 1, "required"), True, "POST /bets: parameter dry is demanded"),
    ((*POST, "parameters", 0, "schema", "maxLength"), 5, "POST /bets: Key: maxLength is 5, was 9"),
    ((*POST, "requestBody", "required"), True, "POST /bets: a body is demanded"),
    ((*POST, "requestBody"), None, "POST /bets: takes no application/json"),
    ((*POST, "responses", "201"), None, "POST /bets: never answers 201"),
    ((*POST, "responses", "201", "content"), {"text/plain": {}}, "POST /bets: 201 is no application/json"),
    ((*BET, "kind"), None, "POST /bets: body: kind is gone"),
    (("components", "schemas", "Bet", "required"), ["stake", "kind"], "POST /bets: body: kind is demanded"),
    ((*BET, "kind", "enum"), ["ANTE"], "POST /bets: body.kind: takes no SIDE"),
    ((*BET, "stake", "minimum"), 5, "POST /bets: body.stake: minimum is 5, was 1"),
    ((*BET, "stake", "type"), "string", "POST /bets: body.stake: takes no integer"),
    ((*BET, "note"), {"type": "string"}, "POST /bets: body.note: takes no null"),
    ((*BET, "note", "anyOf", 0, "pattern"), "^b", "POST /bets: body.note: pattern is ^b, was ^a"),
    ((*DONE, "bet"), None, "POST /bets: 201: bet is gone"),
    (("components", "schemas", "Done", "required"), [], "POST /bets: 201: bet may be missing"),
    ((*DONE, "bet", "type"), ["string", "null"], "POST /bets: 201.bet: may be null"),
    ((*DONE, "lines", "items", "type"), "string", "POST /bets: 201.lines[]: may be string"),
]


@pytest.mark.parametrize(("path", "value", "said"), BREAKS, ids=[said for _, _, said in BREAKS])
def test_a_change_that_breaks_a_client_is_named(path: tuple[Any, ...], value: Any, said: str) -> None:
    assert incompatible(DOCUMENT, changed(path, value)) == [said]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("paths", "/new"), {"get": {"operationId": "new", "responses": {}}}),
        ((*POST, "summary"), "Bet"),
        ((*BET, "more"), {"type": "integer"}),
        ((*BET, "stake", "maximum"), 1000),
        ((*BET, "kind", "enum"), ["ANTE", "SIDE", "CALL"]),
        (("components", "schemas", "Bet", "required"), []),
        ((*DONE, "more"), {"type": "integer"}),
        (("components", "schemas", "Done", "required"), ["bet", "lines"]),
        ((*POST, "responses", "202"), {"content": {}}),
    ],
)
def test_a_change_that_adds_or_asks_less_is_none(path: tuple[Any, ...], value: Any) -> None:
    assert incompatible(DOCUMENT, changed(path, value)) == []
