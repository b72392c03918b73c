"""Public faults of other servers with bodies and texts that are no good, tried on ours as the reports had them.

What other tests of this folder try at every call stands here once, by its number, as bytes.
"""

from __future__ import annotations

import pytest

from tests.http.contract import Contract
from tests.http.raw import RawAnswer, ask
from tests.http.scene import Scene, new_scene
from tests.service import Service


@pytest.fixture(scope="module")
def scene(service: Service) -> Scene:
    return new_scene(service)


def sent(contract: Contract, scene: Scene, target: str, body: bytes) -> RawAnswer:
    """The problem that a body gets; it has changed nothing."""
    before = scene.state()
    answer = ask(scene.service, "POST", target, f"Idempotency-Key: {scene.service.name('raw')}", body=body)
    contract.check_problem(target, answer.status, answer.headers, answer.body)
    assert scene.state() == before
    return answer


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e400", '"NaN"', '"\\ud800"'])
def test_bug_070_what_is_no_number_or_no_text_is_400_or_422(contract: Contract, scene: Scene, value: str) -> None:
    bodies = {
        f"/v1/rounds/{scene.round}/wagers": f'{{"player":"{scene.player}","seat":1,"ante":{value}}}',
        f"/v1/players/{scene.player}/deposits": f'{{"amount":{value},"currency":"EUR","transaction_id":"t"}}',
        f"/v1/rounds/{scene.round}/pause": f'{{"reason":{value}}}',
    }
    for target, body in bodies.items():
        if value == '"NaN"' and target.endswith("pause"):
            continue  # three letters are a reason like others
        assert sent(contract, scene, target, body.encode()).status in {400, 422}, target


def test_bug_071_a_NUL_is_refused_in_a_body_a_query_and_a_path(contract: Contract, scene: Scene) -> None:
    answer = sent(contract, scene, f"/v1/rounds/{scene.round}/pause", b'{"reason":"a\\u0000b"}')
    assert (answer.status, b'"field":"reason"' in answer.body) == (422, True)
    for target in (
        f"/v1/players/{scene.player}/account-history?cursor=%00",
        "/v1/players/%00/balance",
        "/v1/players/%00",
    ):
        answer = ask(scene.service, "GET", target)
        contract.check_problem(target, answer.status, answer.headers, answer.body)
        assert answer.status in {404, 422}, target


def test_bug_073_a_key_named_twice_is_400(contract: Contract, scene: Scene) -> None:
    for twice in (b'"ante":100,"ante":1', b'"ante":1000,"ante":1000', b'"ante":1000,"\\u0061nte":1'):
        body = b'{"player":"%s","seat":1,%s}' % (scene.player.encode(), twice)
        answer = sent(contract, scene, f"/v1/rounds/{scene.round}/wagers", body)
        assert (answer.status, b'"field":"ante"' in answer.body) == (400, True), twice


@pytest.mark.parametrize("body", [b"[" * 20_000 + b"]" * 20_000, b'{"a":' * 33 + b"1" + b"}" * 33])
def test_bug_074_twenty_thousand_brackets_and_a_depth_of_33_are_400(
    contract: Contract, scene: Scene, body: bytes
) -> None:
    assert sent(contract, scene, f"/v1/rounds/{scene.round}/wagers", body).status == 400
