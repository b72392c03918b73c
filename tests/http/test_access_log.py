"""The access log over HTTP: who came to the door, told to the operator whose door it was, to nobody else."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest

from tests.http.floor import done, refused
from tests.http.keys import calling_with, captured, new_key
from tests.http.own import running
from tests.service import Service

WAIT_SECONDS = 150.0


def lines(service: Service, key_id: str | None = None, **query: str) -> list[dict[str, Any]]:
    """The newest lines, or those of a key."""
    found = done(service.get("/v1/access-log", params={"limit": "1000", **query}))["items"]
    return [one for one in found if key_id in {None, one["key_id"]}]


def until(service: Service, key_id: str | None, kind: str, times: int = 1) -> list[dict[str, Any]]:
    """A key's lines of a kind, as soon as they count so many visits."""
    end = time.monotonic() + WAIT_SECONDS
    while True:
        found = lines(service, key_id, kind=kind)
        if sum(one["times"] for one in found) >= times:
            return found
        assert time.monotonic() < end, f"{kind} was not noted {times} times: {found}"
        time.sleep(0.1)


def test_each_change_of_a_key_is_there_when_the_call_has_answered_with_who_and_where(service: Service) -> None:
    made = new_key(service, "dealer")
    new = done(service.post(f"/v1/keys/{made['key_id']}/rotate"), 201)
    answer = service.post(f"/v1/keys/{made['key_id']}/revoke", headers={"X-Request-Id": "revoke-it"})
    done(answer)
    changes = [one for one in lines(service) if made["key_id"] in one["detail"]]
    assert [one["kind"] for one in changes] == ["KEY_REVOKED", "KEY_ROTATED", "KEY_ADDED"]
    last = changes[0]
    assert (last["subject"], last["address"], last["status"]) == ("demo-engineer", "127.0.0.1", 200)
    assert (last["method"], last["route"]) == ("POST", "/v1/keys/{key_id}/revoke")
    assert last["request_id"] == "revoke-it"
    assert new["key_id"] in changes[1]["detail"]


def test_a_denial_tells_key_route_and_request_for_commands_and_reads(service: Service) -> None:
    made = new_key(service, "auditor")
    with calling_with(service, made["key"]) as mine:
        refused(mine.post("/v1/players/secret-name/deposits", {}), 403, "FORBIDDEN")
        answer = mine.get("/v1/rounds/r-1/players/secret-name")
        refused(answer, 403, "FORBIDDEN")
    found = until(service, made["key_id"], "DENIED", 2)
    assert {(one["method"], one["route"], one["status"]) for one in found} == {
        ("POST", "/v1/players/{player}/deposits", 403), ("GET", "/v1/rounds/{round}/players/{player}", 403),
    }  # fmt: skip
    assert answer.headers["x-request-id"] in {one["request_id"] for one in found}
    assert {one["subject"] for one in found} == {made["subject"]}
    assert "secret-name" not in json.dumps(found)


def test_a_failed_login_with_a_key_of_ours_is_told_to_us(service: Service) -> None:
    made = new_key(service, "dealer", signed=True)
    forged = f"sb_{made['key_id']}_{'0' * 64}"
    with calling_with(service, forged) as mine:
        for _ in range(3):
            refused(mine.get("/v1/tables"), 401, "UNAUTHENTICATED")
        refused(mine.post("/v1/tables/t/rounds"), 401, "UNAUTHENTICATED")
    sent = captured(made, "/v1/tables/t/rounds", {}, "k", ago=400)
    refused(sent.send(service), 401, "UNAUTHENTICATED")
    grant = {"grant_type": "client_credentials", "client_id": made["key_id"], "client_secret": forged}
    assert httpx2.post(f"{service.url}/oauth/token", data=grant, timeout=120).status_code == 401
    found = until(service, made["key_id"], "LOGIN_FAILED", 6)
    routes = {one["route"] for one in found}
    assert routes == {"/v1/tables", "/v1/tables/{table}/rounds", "/oauth/token"}
    assert any("s behind this server" in one["detail"] for one in found)
    assert "0" * 64 not in json.dumps(found)


def test_a_failed_login_that_names_no_key_is_told_at_the_machine_alone(service: Service) -> None:
    with calling_with(service, f"sb_{'f' * 16}_{'0' * 64}") as stranger:
        refused(stranger.get("/v1/tables"), 401, "UNAUTHENTICATED")
    refused(httpx2.get(f"{service.url}/v1/nothing", timeout=120), 401, "UNAUTHENTICATED")
    end = time.monotonic() + WAIT_SECONDS
    while True:
        done_ = service.studbook("access", "--json", "--limit", "1000")
        told = json.loads(done_.stdout)["lines"]
        mine = [one for one in told if one["key_id"] == "f" * 16]
        if mine and any(one["route"] == "(no such path)" for one in told):
            break
        assert time.monotonic() < end, done_
        time.sleep(0.5)
    assert (mine[0]["kind"], mine[0]["route"], mine[0]["status"]) == ("LOGIN_FAILED", "/v1/tables", 401)
    assert lines(service, "f" * 16) == []


def test_the_use_of_a_key_is_told_once_an_hour_and_counted_when_the_process_stops(service: Service) -> None:
    made = new_key(service, "dealer")
    with running(service.data_dir) as other, calling_with(other, made["key"]) as mine:
        for _ in range(5):
            done(mine.get("/v1/tables"))
        refused(mine.post("/v1/tables/none/rounds"), 404, "NOT_FOUND")
    found = lines(service, made["key_id"], kind="KEY_USED")
    assert sum(one["times"] for one in found) == 6
    assert len(found) in {2, 3, 4}, "an hour may have begun in between"
    first = found[-1]
    assert (first["times"], first["address"], first["route"]) == (1, "127.0.0.1", "/v1/tables")


def test_the_log_turns_pages_and_takes_times_and_kinds(service: Service) -> None:
    made = [new_key(service, "dealer") for _ in range(3)]
    since = (datetime.now(UTC) - timedelta(days=30)).strftime("%Y-%m-%dT%H:%M:%SZ")
    seen: list[str] = []
    query = {"kind": "KEY_ADDED", "from": since, "limit": "2"}
    cursor: dict[str, str] = {}
    while True:
        page = done(service.get("/v1/access-log", params=query | cursor))
        seen += [one["detail"] for one in page["items"]]
        assert {one["kind"] for one in page["items"]} <= {"KEY_ADDED"}
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert [detail.split()[1] for detail in seen[:3]] == [one["key_id"] for one in made[::-1]]
    assert len(seen) == len(set(seen))
    assert lines(service, to=since, kind="KEY_ADDED") == []
    refused(service.get("/v1/access-log", params={"cursor": page["next"] or "x"}), 422, "INVALID", "cursor")


def test_another_operator_reads_nothing_of_ours(service: Service) -> None:
    new_key(service, "dealer")
    operator = service.name("other")
    assert service.studbook("keys", "operator", "add", operator, "--by", "ops-lee").returncode == 0
    made = service.studbook("keys", "add", "boss", "--operator", operator, "--role", "auditor", "--by", "ops-lee")
    with calling_with(service, made.stdout.split()[-1]) as rival:
        found = lines(rival)
        assert {one["kind"] for one in found} <= {"OPERATOR_ADDED", "KEY_ADDED", "KEY_USED"}
        assert {one["subject"] for one in found} <= {"ops-lee", "boss"}
        refused(rival.get("/v1/keys"), 403, "FORBIDDEN")


@pytest.mark.parametrize("role", ["operator", "dealer", "finance"])
def test_only_auditor_and_admin_read_it(service: Service, role: str) -> None:
    with calling_with(service, new_key(service, role)["key"]) as mine:
        refused(mine.get("/v1/access-log"), 403, "FORBIDDEN")


def test_what_finds_no_room_is_counted_in_the_metrics(service: Service) -> None:
    text = httpx2.get(f"{service.url}/metrics", timeout=120).text
    assert "studbook_access_log_dropped_total 0.0" in text
    assert "studbook_access_log_waiting " in text
