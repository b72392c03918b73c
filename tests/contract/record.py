"""Calls a running service and keeps, for each operation, one success and a few refusals as they came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from tests.contract.client_types import streamed_item
from tests.http.bodies import sample
from tests.http.contract import Contract, Operation

REFUSALS_MAX = 3
UNKNOWN = "nobody"
TEXT_CHARS_MAX = 600


@dataclass(slots=True)
class Recorder:
    """`played` is what api/examples.py reads; without `fresh` what is there already is kept."""

    client: httpx2.Client
    contract: Contract
    played: dict[str, Any] = field(default_factory=dict)
    calls: int = 0

    def __call__(
        self, method: str, path: str, body: Any = None, *, key: str | None = None, **query: str | int
    ) -> dict[str, Any]:
        """Make a call and keep it. The parsed answer, whatever its status."""
        self.calls += 1
        headers = {} if method == "GET" else {"Idempotency-Key": key or f"evening-{self.calls}"}
        content = None if method == "GET" else json.dumps({} if body is None else body).encode()
        got = self.client.request(method, path, content=content, headers=headers, params=query or None)
        one = self.contract.operation_at(method, path)
        assert one is not None, f"{method} {path} is not in the document"
        self._keep(one, path, query, body, got)
        is_json = "json" in got.headers.get("content-type", "")
        return dict(got.json()) if is_json else {"text": got.text}

    def _keep(self, one: Operation, path: str, query: Mapping[str, Any], body: Any, got: httpx2.Response) -> None:
        example = self.played.setdefault(one.described["operationId"], {})
        status = str(got.status_code)
        if got.is_success:
            if example.get("path") is None:
                example["path"] = _in_path(one, path)
                example["query"] = dict(query)
                if one.method != "GET" and "requestBody" in one.described:
                    example["request"] = {} if body is None else body
            is_json = "json" in got.headers.get("content-type", "")
            example.setdefault("answers", {}).setdefault(status, got.json() if is_json else got.text[:TEXT_CHARS_MAX])
            return
        problem = got.json()
        assert "code" in problem, (one, problem)  # an operation that answers no problem documents is none of ours
        refusals = example.setdefault("refusals", {})
        known = {kept["code"] for problems in refusals.values() for kept in problems}
        if problem["code"] not in known and len(known) < REFUSALS_MAX:
            refusals.setdefault(status, []).append(problem)

    def fill(self) -> list[str]:
        """Give each operation that was not played what it lacks: a sample of its schemas, and a refusal that it really
        answers. Names of those whose success is a sample.
        """
        sampled = []
        for one in self.contract.operations():
            example = self.played.setdefault(one.described["operationId"], {})
            if one.method == "GET" and not one.named("path") and not example.get("answers"):
                self(one.method, one.path)  # a list, perhaps an empty one
            if not example.get("refusals"):
                self._be_refused(one)
            if not example.get("answers") and _is_stream(one):
                self._listen(one, example)
            if not example.get("answers"):
                sampled.append(one.described["operationId"])
                self._sample(one, example)
        return sampled

    def _listen(self, one: Operation, example: dict[str, Any]) -> None:
        """The beginning of a stream: what is sent at once."""
        example["path"] = self.played["get_jackpot"]["path"] if one.named("path") else {}
        example["query"] = {"after": 0} if "after" in one.named("query") else {}
        accepted = {"Accept": "text/event-stream"}
        with self.client.stream("GET", one.url(example["path"]), headers=accepted, params=example["query"]) as got:
            assert got.status_code == 200, (one, got.status_code)
            text = ""
            for line in got.iter_lines():
                text += f"{line}\n"
                if not line and "data:" in text:
                    break
        example["answers"] = {"200": text[:TEXT_CHARS_MAX]}

    def _be_refused(self, one: Operation) -> None:
        """An id that nobody has, or else a parameter or field that there is not."""
        body = self._body(one)
        if one.named("path") and one.described.get("security") != []:
            self(one.method, one.url(dict.fromkeys(one.named("path"), UNKNOWN)), body)
        example = self.played[one.described["operationId"]]
        if not example.get("refusals"):
            path = one.url(dict.fromkeys(one.named("path"), UNKNOWN))
            query = {"unheard_of": 1} if one.method == "GET" else {}
            self(one.method, path, {**(body or {}), "unheard_of": 1}, **query)

    def _body(self, one: Operation) -> Any:
        content = one.described.get("requestBody", {}).get("content", {})
        return sample(self.contract, self.contract.body_schema(one)) if "application/json" in content else None

    def _sample(self, one: Operation, example: dict[str, Any]) -> None:
        example["path"], example["query"] = dict.fromkeys(one.named("path"), "some-id"), {}
        if (body := self._body(one)) is not None:
            example["request"] = body
        for status, response in one.described["responses"].items():
            schema = response.get("content", {}).get("application/json", {}).get("schema")
            if status.startswith("2") and schema:
                example.setdefault("answers", {})[status] = sample(self.contract, schema)
        if item := streamed_item(one.described):
            data = json.dumps(sample(self.contract, item))
            example["answers"] = {"200": f"retry: 3000\n\nid: 7\ndata: {data}\n\n"}


def _in_path(one: Operation, path: str) -> dict[str, str]:
    pairs = zip(one.path.split("/"), path.split("/"), strict=True)
    return {name[1:-1]: value for name, value in pairs if name.startswith("{")}


def _is_stream(one: Operation) -> bool:
    return "text/event-stream" in one.described["responses"].get("200", {}).get("content", {})
