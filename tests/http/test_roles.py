"""Who may call what: no key 401, too few roles 403, another operator's objects 404 and nothing about them (F30)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import httpx2
import pytest

from adapters.database.connections import connect
from adapters.database.settings import Role
from adapters.embedded import Cluster
from adapters.keys import KeyRow, add_key, ensure_operator
from api.auth import ROLES, make_key
from tests.house.roles_page import calls
from tests.http.bodies import sample
from tests.http.contract import Contract, Operation
from tests.http.floor import done, head, money, read, refused
from tests.http.raw import ask
from tests.http.scene import Scene, new_scene
from tests.service import Service

RIVAL = "rival"
OPEN = ("/livez", "/readyz", "/metrics", "/openapi.json", "/docs", "/docs/problems", "/llms.txt")


@pytest.fixture(scope="module")
def scene(service: Service) -> Scene:
    return new_scene(service)


@pytest.fixture(scope="module")
def clients(service: Service) -> Iterator[dict[str, Service]]:
    """The service as a holder of one role alone calls it, and as `rival` with every role."""
    wanted = {role: ("demo", frozenset({role})) for role in ROLES} | {RIVAL: (RIVAL, ROLES)}
    made: dict[str, Service] = {}
    with Cluster.start(service.data_dir) as cluster, connect(cluster.settings().conninfo(Role.WRITER)) as conn:
        ensure_operator(conn, RIVAL, "named")
        for name, (operator, roles) in wanted.items():
            key = make_key()
            assert add_key(conn, KeyRow(key.key_id, operator, f"{name}-tester", roles, key.hash))
            client = httpx2.Client(base_url=service.url, headers={"Authorization": f"Bearer {key.key}"}, timeout=120)
            made[name] = replace(service, key=key.key, client=client)
    yield made
    for one in made.values():
        one.client.close()


def call_it(contract: Contract, service: Service, call: Operation, ids: dict[str, str]) -> httpx2.Response:
    if call.method == "GET":
        return service.get(call.url(ids))
    return service.send(call.method, call.url(ids), sample(contract, contract.body_schema(call)))


def closed(contract: Contract) -> list[Operation]:
    """The calls that need a key."""
    found = [one for one in contract.operations() if one.described.get("security") != []]
    assert len(found) > 25
    return found


def test_every_call_that_needs_a_key_tells_its_roles(contract: Contract) -> None:
    assert [str(one) for one in closed(contract) if not one.roles or not one.roles <= ROLES] == []


def test_the_page_of_roles_lists_every_call_of_the_service_and_no_other(contract: Contract) -> None:
    assert calls() == {(one.method, one.path): one.roles for one in closed(contract)}


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Bearer wrong-key-of-good-length", "Basic YTpi", "bearer x"]
)
def test_without_a_key_that_is_known_every_call_is_401(contract: Contract, scene: Scene, header: str) -> None:
    before = scene.state()
    lines = (f"Authorization: {header}",) if header else ()
    for call in closed(contract):
        body = b"" if call.method == "GET" else b"{}"
        path = call.url(scene.ids)
        answer = ask(scene.service, call.method, path, "Idempotency-Key: none", *lines, body=body, key=False)
        contract.check(call.method, path, answer.status, answer.headers, answer.body)
        assert (answer.status, answer.code) == (401, "UNAUTHENTICATED"), f"{call}: {answer}"
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert scene.state() == before


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/players/x", "/admin", "/redoc", "/v1/rounds/x/nothing"])
def test_without_a_key_nobody_learns_which_paths_there_are(service: Service, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        assert ask(service, method, path, key=False).status == 401


@pytest.mark.parametrize(
    "path", ["/livez", "/readyz", "/metrics", "/openapi.json", "/docs", "/docs/problems", "/llms.txt"]
)
def test_health_and_documentation_need_no_key_and_name_no_object(scene: Scene, path: str) -> None:
    answer = ask(scene.service, "GET", path, key=False)
    assert answer.status == 200
    for name in (*scene.ids.values(), "demo-engineer", scene.service.key):
        assert name.encode() not in answer.body


def test_a_key_without_the_role_is_403_at_every_call_and_has_no_effect(
    contract: Contract, scene: Scene, clients: dict[str, Service]
) -> None:
    before, refusals = scene.state(), 0
    for call in closed(contract):
        for role in sorted(ROLES - call.roles):
            answer = call_it(contract, clients[role], call, scene.ids)
            contract.check(call.method, call.path, answer.status_code, answer.headers, answer.content)
            refused(answer, 403, "FORBIDDEN")
            refusals += 1
    assert refusals > 40
    assert scene.state() == before


def test_a_key_with_one_of_the_roles_is_let_in_at_every_call(contract: Contract, clients: dict[str, Service]) -> None:
    for call in closed(contract):
        for role in sorted(call.roles):
            answer = call_it(contract, clients[role], call, {})
            assert answer.status_code not in {401, 403}, f"{call}, {role}: {answer.text}"


def test_settling_is_for_dealer_and_admin(contract: Contract) -> None:
    roles = {one.path.rpartition("/")[2]: one.roles for one in contract.operations("POST")}
    assert roles["settle"] == {"dealer", "admin"}
    assert contract.operation_at("GET", "/v1/journal").roles == {"finance", "auditor", "admin"}
    assert contract.operation_at("GET", "/v1/rounds/x/players/y").roles == {"operator", "admin"}


def test_another_operators_key_finds_nothing_of_ours_and_no_hint_of_it(
    contract: Contract, scene: Scene, clients: dict[str, Service]
) -> None:
    before, rival = scene.state(), clients[RIVAL]
    for call in closed(contract):
        if not call.named("path") or call.path.endswith("/rollback"):
            continue
        ours, nobodys = (found_nothing(call_it(contract, rival, call, ids)) for ids in (scene.ids, {}))
        # the answer is the one for an object that was never there
        assert ours == nobodys, call
    assert scene.state() == before


def found_nothing(answer: httpx2.Response) -> dict[str, object]:
    """The problem that says so, of a bulk call that of its item, but for what names the request."""
    if answer.status_code == 200 and answer.json().keys() >= {"results"}:
        (found,) = done(answer)["results"]
        assert (found["status"], found["code"]) == (404, "NOT_FOUND")
    else:
        found = refused(answer, 404, "NOT_FOUND")
    return {name: value for name, value in found.items() if name not in {"request_id", "key"}}


def test_another_operators_rollback_leaves_our_transaction_alone(scene: Scene, clients: dict[str, Service]) -> None:
    reference, before = scene.service.name("bank"), money(scene.service, scene.player)
    body = {"amount": 9, "currency": "EUR", "transaction_id": reference}
    done(scene.service.post(f"/v1/players/{scene.player}/deposits", body), 201)
    assert done(clients[RIVAL].post(f"/v1/transactions/{reference}/rollback"))["status"] == "TOMBSTONED"
    assert money(scene.service, scene.player) == (before[0] + 9, before[1])
    assert read(scene.service, f"/v1/transactions/by-reference/{reference}")["status"] == "DONE"


def test_another_operators_lists_are_empty(scene: Scene, clients: dict[str, Service]) -> None:
    rival = clients[RIVAL]
    for path in ("/v1/tables", "/v1/journal", f"/v1/rounds?table={scene.table}"):
        assert done(rival.get(path))["items"] == []
    game = read(scene.service, "/v1/rounds", table=scene.table)["items"][0]["game_number"]
    assert done(rival.get("/v1/rounds", params={"game_number": game}))["items"] == []
    subjects = {one["subject"].partition("/")[0] for one in done(rival.get("/v1/events"))["events"]}
    assert subjects <= {"transaction"}  # its own, of rollbacks before their time


def test_the_same_ids_serve_two_operators_apart(scene: Scene, clients: dict[str, Service]) -> None:
    rival, key = clients[RIVAL], scene.service.name("key")
    body = {"player": scene.player, "currency": "USD"}
    done(rival.post("/v1/players", body, key=key), 201)
    deposit = {"amount": 7, "currency": "USD", "transaction_id": key}
    done(rival.post(f"/v1/players/{scene.player}/deposits", deposit, key=key + "2"), 201)
    assert money(rival, scene.player) == (7, 0)
    # one operator's keys and transaction ids are not the other's
    before = money(scene.service, scene.player)
    ours = {"amount": 9, "currency": "EUR", "transaction_id": key}
    done(scene.service.post(f"/v1/players/{scene.player}/deposits", ours, key=key + "2"), 201)
    assert money(scene.service, scene.player) == (before[0] + 9, before[1])
    assert money(rival, scene.player) == (7, 0)
    sources = {one["source"] for one in done(rival.get("/v1/events"))["events"]}
    assert sources == {f"/studbook/{RIVAL}"}
    assert head(rival) > 0
