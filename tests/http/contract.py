"""The contract that every answer of the running service is held to: its own OpenAPI document, and the problem form.

Each answer that a test of this folder gets is checked when it arrives (conftest.py), so a body that the document
does not describe fails the test that asked for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2
from jsonschema import Draft202012Validator

from tests.api.bad_bodies import MARK

PROBLEM_BYTES_MAX = 2048
PROBLEM = "application/problem+json"
_INPUT = (MARK, "drop table", "../")
"""What tests send and may never read again in an error."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One call as the document has it."""

    method: str
    path: str
    described: Mapping[str, Any]

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """Path, query and header parameters."""
        return list(self.described.get("parameters", ()))

    def named(self, place: str) -> list[str]:
        """Names of the parameters in `path` or `query`."""
        return [one["name"] for one in self.parameters if one["in"] == place]

    @property
    def roles(self) -> frozenset[str]:
        """Roles that may make the call, as its description says; none where no key is needed."""
        found = re.search(r"Roles: ([a-z, ]+)\.", self.described.get("description", ""))
        return frozenset(found[1].split(", ")) if found else frozenset()

    @property
    def body_limit(self) -> int:
        """Bytes that the body may have, as the description says."""
        found = re.search(r"The body may have (\d+) bytes", self.described["description"])
        assert found is not None, f"{self.path}: the description tells no limit of the body"
        return int(found[1])

    @property
    def body_required(self) -> bool:
        """Whether an empty body is refused."""
        return bool(self.described["requestBody"]["required"])

    def url(self, values: Mapping[str, str]) -> str:
        """The path with its parameters filled in."""
        return self.path.format_map({name: values.get(name, "unheard-of") for name in self.named("path")})

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(slots=True)
class Contract:
    """The document of a running service, and the checks made from it."""

    document: dict[str, Any]
    checked: set[tuple[str, int]] = field(default_factory=set)
    _validators: dict[str, Draft202012Validator] = field(default_factory=dict)

    @classmethod
    def of(cls, url: str) -> Contract:
        """The contract of the service at `url`."""
        return cls(httpx2.get(f"{url}/openapi.json", timeout=120).json())

    def operations(self, *methods: str) -> list[Operation]:
        """Every call of the document, or those of some methods."""
        return [one for one in self._operations() if not methods or one.method in methods]

    def _operations(self) -> Iterator[Operation]:
        for path, operations in self.document["paths"].items():
            for method, described in operations.items():
                yield Operation(method.upper(), path, described)

    def operation_at(self, method: str, path: str) -> Operation | None:
        """The call that a request makes, None for one that the document does not know."""
        parts = path.partition("?")[0].split("/")
        for one in self._operations():
            template = one.path.split("/")
            fits = len(template) == len(parts) and all(
                mine[:1] == "{" or mine == asked for mine, asked in zip(template, parts, strict=True)
            )
            if one.method == method and fits:
                return one
        return None

    def body_schema(self, one: Operation) -> dict[str, Any]:
        """The schema of a call's body, with everything that it refers to."""
        return self._whole(one.described["requestBody"]["content"]["application/json"]["schema"])

    def is_valid(self, schema: Mapping[str, Any], value: Any) -> bool:
        """Whether a value fits a schema of the document."""
        return self._validator(schema).is_valid(value)

    def resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The schema itself, where only a reference stands."""
        name = schema.get("$ref", "").rpartition("/")[2]
        return self.document["components"]["schemas"][name] if name else schema

    def check(self, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Fail unless the answer is one that the document describes."""
        assert headers.get("x-request-id"), f"{method} {path}: no X-Request-Id"
        if status >= 400 and not (path == "/readyz" and status == 503):
            self.check_problem(f"{method} {path}", status, headers, body)
        one = self.operation_at(method, path)
        if one is None:
            return
        described = one.described["responses"].get(str(status))
        if described is None:
            assert status >= 400, f"{one}: {status} is not documented"
            assert "default" in one.described["responses"], f"{one}: {status} is not documented"
            return
        self.checked.add((str(one), status))
        schema = described.get("content", {}).get("application/json", {}).get("schema")
        if status < 400 and headers.get("content-type") == "application/json":
            assert schema, f"{one}: the body of {status} is not documented"
            fault = next(self._validator(self._whole(schema)).iter_errors(json.loads(body)), None)
            assert fault is None, f"{one}: {fault.json_path}: {fault.message[:300]}"

    def check_problem(self, call: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
        """Fail unless this is a problem document that is small, whole, and repeats nothing that was sent."""
        assert headers.get("content-type") == PROBLEM, f"{call}: {status} {headers.get('content-type')} {body[:200]!r}"
        assert len(body) < PROBLEM_BYTES_MAX, f"{call}: a problem of {len(body)} bytes"
        found = json.loads(body)
        schema = self._whole({"$ref": "#/components/schemas/Problem"})
        assert self.is_valid(schema, found), f"{call}: {found}"
        assert found["status"] == status
        assert found["request_id"] == headers["x-request-id"]
        assert found["detail"], f"{call}: {found}"
        assert found["retryable"] is (status in {408, 429, 500, 503}), f"{call}: {found}"
        assert [one for one in _INPUT if one.lower() in body.decode().lower()] == [], f"{call}: {found}"
        if status >= 500:
            assert (status, found["code"]) == (503, "UNAVAILABLE"), f"{call}: {found}"

    def _whole(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        return {**schema, "components": self.document["components"]}

    def _validator(self, schema: Mapping[str, Any]) -> Draft202012Validator:
        name = json.dumps({key: part for key, part in schema.items() if key != "components"}, sort_keys=True)
        if name not in self._validators:
            self._validators[name] = Draft202012Validator(self._whole(schema))
        return self._validators[name]
