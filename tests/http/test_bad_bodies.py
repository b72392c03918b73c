"""No body, however wrong, is answered with a 5xx, has an effect, or comes back (F17, bug rows 18 to 74).

Every POST of the service's own document is tried: a new route is covered by itself.
"""

from __future__ import annotations

import json

import httpx2
import pytest

from tests.api.bad_bodies import DUPLICATES, MARK, NO_OBJECT
from tests.http.bodies import RAW, fields, is_refused_by_the_gate, sample, value_of, with_raw
from tests.http.contract import Contract, Operation
from tests.http.scene import Scene, new_scene
from tests.service import Service


@pytest.fixture(scope="module")
def scene(service: Service) -> Scene:
    return new_scene(service)


def send(scene: Scene, call: Operation, body: str | bytes) -> httpx2.Response:
    raw = body if isinstance(body, bytes) else body.encode()
    headers = {"Idempotency-Key": scene.service.name("key"), "Content-Type": "application/json"}
    return scene.service.client.request(call.method, call.url(scene.ids), content=raw, headers=headers)


def posts(contract: Contract) -> list[Operation]:
    found = contract.operations("POST", "PATCH")
    assert len(found) >= 14, "the document lists too few calls to be true"
    return found


def test_F17_what_is_no_json_object_is_refused_by_every_call_and_changes_nothing(
    contract: Contract, scene: Scene
) -> None:
    before = scene.state()
    for call in posts(contract):
        for name, body in NO_OBJECT.items():
            if name == "empty" and not call.body_required:
                continue
            answer = send(scene, call, body)
            assert (answer.status_code, answer.json()["code"]) == (400, "INVALID"), f"{call}, {name}: {answer.text}"
        for name, (body, field) in DUPLICATES.items():
            answer = send(scene, call, body)
            assert (answer.status_code, answer.json()["field"]) == (400, field), f"{call}, {name}: {answer.text}"
    assert scene.state() == before


def test_F17_a_field_of_the_wrong_kind_is_refused_by_every_call_and_changes_nothing(
    contract: Contract, scene: Scene
) -> None:
    before, tried = scene.state(), 0
    for call in posts(contract):
        schema = contract.body_schema(call)
        good = sample(contract, schema)
        assert contract.is_valid(schema, good), f"{call}: {good}"
        for path in fields(contract, schema):
            for name, raw in RAW.items():
                body = with_raw(good, path, raw)
                by_gate = is_refused_by_the_gate(raw)
                if not by_gate and contract.is_valid(schema, value_of(body)):
                    continue
                tried += 1
                answer = send(scene, call, body)
                where = f"{call}, {'.'.join(path)} is {name}: {answer.text[:300]}"
                assert answer.status_code in ({400, 422} if by_gate else {422}), where
                assert answer.json()["code"] == "INVALID", where
                if answer.status_code == 422:
                    assert answer.json()["field"].startswith(path[0]), where
    assert tried > 1000
    assert scene.state() == before


def test_F17_a_field_that_the_schema_lets_pass_never_ends_in_a_fault_of_ours(
    contract: Contract, service: Service
) -> None:
    """Texts within an id's pattern, amounts at the limit, reasons in any script: taken or refused, never a 5xx."""
    scene = new_scene(service)
    for call in posts(contract):
        schema = contract.body_schema(call)
        good = sample(contract, schema)
        for path in fields(contract, schema):
            for name, raw in RAW.items():
                body = with_raw(good, path, raw)
                if not is_refused_by_the_gate(raw) and contract.is_valid(schema, value_of(body)):
                    answer = send(scene, call, body)
                    assert answer.status_code < 500, f"{call}, {path} is {name}: {answer.text}"


def test_F17_fields_that_are_unknown_missing_or_named_twice_are_refused_by_every_call(
    contract: Contract, scene: Scene
) -> None:
    before = scene.state()
    for call in posts(contract):
        good = sample(contract, contract.body_schema(call))
        for name, shown in (("extra", "extra"), ("__proto__", "__proto__"), (MARK, "?"), ("x" * 300, "?"), ("", "?")):
            answer = send(scene, call, json.dumps({**good, name: 1}))
            assert (answer.status_code, answer.json()["field"]) == (422, shown), f"{call}: {answer.text}"
        for name in good:
            if name in contract.resolved(contract.body_schema(call)).get("required", ()):
                answer = send(scene, call, json.dumps({key: value for key, value in good.items() if key != name}))
                assert (answer.status_code, answer.json()["field"]) == (422, name), f"{call}: {answer.text}"
            twice = json.dumps(good)[:-1] + f", {json.dumps(name)}: {json.dumps(good[name])}}}"
            answer = send(scene, call, twice)
            assert (answer.status_code, answer.json()["field"]) == (400, name), f"{call}: {answer.text}"
    assert scene.state() == before


def test_F17_a_body_above_its_limit_is_413_at_every_call(contract: Contract, scene: Scene) -> None:
    before = scene.state()
    for call in posts(contract):
        good = json.dumps(sample(contract, contract.body_schema(call)))
        answer = send(scene, call, " " * (call.body_limit + 1 - len(good)) + good)
        assert (answer.status_code, answer.json()["code"]) == (413, "TOO_LARGE"), f"{call}: {answer.text}"
        assert answer.headers["connection"] == "close"
    assert scene.state() == before
