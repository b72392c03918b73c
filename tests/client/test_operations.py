"""The client has every operation of the document, sends what its example says, and reads what it answers."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from pydantic import AwareDatetime, TypeAdapter

from api.client import Client, refusals
from api.errors import TITLES
from tests.client.answers import Script, done, problem
from tests.contract.client_types import answers_of
from tests.contract.schema import argument
from tests.contract.write import DOCUMENT, operations
from tests.house.tree import ROOT

DOCUMENTED = {
    told["operationId"]: (method, path, told)
    for method, path, told in operations(json.loads(DOCUMENT.read_text("utf-8")))
}
EXAMPLES: dict[str, dict[str, Any]] = json.loads((ROOT / "api/static/examples.json").read_text("utf-8"))
TIMES: TypeAdapter[Any] = TypeAdapter(AwareDatetime)
JSON = [name for name, (_, _, told) in DOCUMENTED.items() if answers_of(told)]


def test_every_operation_is_a_method_with_a_docstring_and_there_is_no_other() -> None:
    own = {"close", "find_transaction", "follow_events"}
    public = {name for name, _ in inspect.getmembers(Client, inspect.isfunction) if not name.startswith("_")}
    assert {name for name in public if not name.startswith("each_")} == DOCUMENTED.keys() | own
    assert [name for name in public if not inspect.getdoc(getattr(Client, name))] == []


@pytest.mark.parametrize("name", JSON)
def test_a_call_is_sent_as_its_example_and_every_field_of_its_answer_is_read(name: str) -> None:
    method, path, told = DOCUMENTED[name]
    example = EXAMPLES[name]
    for status, body in example["answers"].items():
        script = Script([done(body, int(status))])
        with script.client() as casino:
            query = {argument(one): value for one, value in example["query"].items()}
            answer = getattr(casino, name)(**example["path"], **query, **example.get("request", {}))
        (asked,) = script.asked
        assert (asked.method, asked.url.path) == (method, path.format_map(example["path"]))
        assert dict(asked.url.params) == {one: str(value) for one, value in example["query"].items()}
        assert method == "GET" or json.loads(asked.content) == example.get("request", {})
        has_key = any(one["name"] == "Idempotency-Key" for one in told.get("parameters", ()))
        assert ("idempotency-key" in asked.headers) == has_key
        assert answer.model_extra == {}, "a field of the answer is not in the model"
        assert json.loads(answer.model_dump_json(by_alias=True, exclude_unset=True)) == _times_as_read(body)


def _times_as_read(body: Any) -> Any:
    """Events' times as pydantic writes them: microseconds only where there are some."""
    if isinstance(body, dict):
        return {name: _time(one) if name == "time" else _times_as_read(one) for name, one in body.items()}
    return [_times_as_read(one) for one in body] if isinstance(body, list) else body


def _time(text: str) -> str:
    return str(json.loads(TIMES.dump_json(TIMES.validate_python(text))))


@pytest.mark.parametrize("code", sorted(TITLES))
def test_every_code_is_a_class_of_its_own(code: str) -> None:
    script = Script([problem(409, code, retryable=False)])
    with script.client() as casino, pytest.raises(refusals.BY_CODE[code]) as told:
        casino.get_readyz()
    assert told.value.code == code
    assert type(told.value).__name__.upper() == code.replace("_", "")
