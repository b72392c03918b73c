"""Whether an example fits the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.http.contract import Contract, Operation

PROBLEM = {"$ref": "#/components/schemas/Problem"}


def faults(contract: Contract, name: str, example: Mapping[str, Any]) -> list[str]:
    """What is wrong with an operation's example: missing, or not as its schema says."""
    (one,) = [call for call in contract.operations() if call.described["operationId"] == name]
    found = [f"{name}: no {part}" for part in ("answers", "refusals") if not example.get(part)]
    wanted = "application/json" in one.described.get("requestBody", {}).get("content", {})
    if wanted and "request" not in example:
        found.append(f"{name}: no request")
    if wanted and "request" in example and not contract.is_valid(contract.body_schema(one), example["request"]):
        found.append(f"{name}: the request is not as its schema says")
    for status, body in example.get("answers", {}).items():
        found += _answer_faults(contract, one, name, status, body)
    for status, problems in example.get("refusals", {}).items():
        for problem in problems:
            if not contract.is_valid(_whole(contract, PROBLEM), problem) or str(problem["status"]) != status:
                found.append(f"{name}: {status}: not a problem document")
    return found


def _answer_faults(contract: Contract, one: Operation, name: str, status: str, body: Any) -> list[str]:
    described = one.described["responses"].get(status)
    if described is None:
        return [f"{name}: {status} is not documented"]
    kinds = described.get("content", {})
    if len(kinds) > 1 and isinstance(body, str):
        return []  # it came in another form than JSON, of which the document says no more than its kind
    schema = kinds.get("application/json", {}).get("schema")
    if schema is None or contract.is_valid(_whole(contract, schema), body):
        return []
    return [f"{name}: the answer {status} is not as its schema says"]


def _whole(contract: Contract, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {**schema, "components": contract.document["components"]}
