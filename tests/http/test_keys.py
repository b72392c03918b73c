"""A key's life over HTTP: made, told once, rotated, revoked at once and everywhere."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from api.auth import key_id_of
from tests.http.floor import done, head, read, refused
from tests.http.keys import calling_with, new_key
from tests.http.own import running
from tests.service import Service


def test_a_key_opens_what_its_roles_open_and_its_subject_is_the_actor(service: Service) -> None:
    made = new_key(service, "operator", subject=service.name("till"), label="till 7")
    assert key_id_of(made["key"]) == made["key_id"]
    assert made["signing_secret"] is None
    player = service.name("player")
    with calling_with(service, made["key"]) as mine:
        done(mine.post("/v1/players", {"player": player, "currency": "EUR"}), 201)
        refused(mine.get("/v1/journal"), 403, "FORBIDDEN")
    events = done(service.get("/v1/events", params={"after": head(service) - 2}))["events"]
    assert {one["data"]["meta"]["actor"] for one in events} == {made["subject"]}


def test_the_list_tells_who_made_a_key_and_never_its_text(service: Service) -> None:
    made = new_key(service, "dealer", label="pit 3")
    answer = service.get("/v1/keys")
    (found,) = [one for one in done(answer)["items"] if one["key_id"] == made["key_id"]]
    assert (found["subject"], found["roles"], found["label"]) == (made["subject"], ["dealer"], "pit 3")
    assert (found["made_by"], found["revoked_at"], found["replaces"]) == ("demo-engineer", None, None)
    assert made["key"] not in answer.text
    assert made["key"].rpartition("_")[2] not in answer.text


def test_times_are_written_as_in_every_other_answer(service: Service) -> None:
    made = new_key(service, "dealer")
    told = [service.post(f"/v1/keys/{made['key_id']}/{act}").text for act in ("rotate", "revoke")]
    told += [service.get(path).text for path in ("/v1/keys", "/v1/access-log")]
    for text in told:
        times = re.findall(r'_?at":"([^"]*)"', text)
        assert times
        assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", one) for one in times), times


def test_keys_are_turned_page_by_page_newest_first_each_once(service: Service) -> None:
    made = [new_key(service, "dealer")["key_id"] for _ in range(3)]
    seen, cursor = [], {}
    while True:
        page = done(service.get("/v1/keys", params={"limit": 2, **cursor}))
        seen += [one["key_id"] for one in page["items"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert seen[:3] == made[::-1]
    assert len(seen) == len(set(seen))


def test_the_same_call_again_tells_the_key_that_was_made_and_not_its_text(service: Service) -> None:
    body, key = {"subject": service.name("s"), "roles": ["dealer"]}, service.name("key")
    first = done(service.post("/v1/keys", body, key=key), 201)
    for _ in range(2):
        again = service.post("/v1/keys", body, key=key)
        assert done(again) == first | {"key": None}
        assert again.headers["idempotency-replayed"] == "true"
    refused(service.post("/v1/keys", {**body, "roles": ["operator"]}, key=key), 422, "IDEMPOTENCY_MISMATCH")
    # one space of keys with all other calls, both ways
    player = {"player": service.name("player"), "currency": "EUR"}
    refused(service.post("/v1/players", player, key=key), 422, "IDEMPOTENCY_MISMATCH")
    used = service.name("key")
    done(service.post("/v1/players", player, key=used), 201)
    refused(service.post("/v1/keys", body, key=used), 422, "IDEMPOTENCY_MISMATCH")
    rotate = f"/v1/keys/{first['key_id']}/rotate"
    second = done(service.post(rotate, key=used + "r"), 201)
    assert done(service.post(rotate, key=used + "r")) == second | {"key": None}


def test_a_rotation_overlaps_and_a_third_key_of_a_subject_is_refused(service: Service) -> None:
    old = new_key(service, "operator", "dealer", label="site")
    new = done(service.post(f"/v1/keys/{old['key_id']}/rotate"), 201)
    assert (new["subject"], new["roles"], new["label"]) == (old["subject"], ["dealer", "operator"], "site")
    assert new["replaces"] == old["key_id"]
    for one in (old, new):
        with calling_with(service, one["key"]) as mine:
            done(mine.get("/v1/tables"))
    refused(service.post(f"/v1/keys/{new['key_id']}/rotate"), 409, "LIMIT_REACHED", "subject")
    body = {"subject": old["subject"], "roles": ["dealer"]}
    refused(service.post("/v1/keys", body), 409, "LIMIT_REACHED", "subject")
    done(service.post(f"/v1/keys/{old['key_id']}/revoke"))
    done(service.post("/v1/keys", body), 201)


def test_ten_calls_at_once_leave_a_subject_two_keys(service: Service) -> None:
    body = {"subject": service.name("crowd"), "roles": ["dealer"]}

    def ask(_: int) -> int:
        while (status := service.post("/v1/keys", body).status_code) == 503:
            pass  # too late for the lock: nothing happened
        return status

    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(ask, range(10)))
    assert sorted(found) == [201, 201] + [409] * 8


def test_revoked_is_revoked_at_every_process_when_the_call_has_answered(service: Service) -> None:
    with running(service.data_dir) as other:
        for _ in range(3):
            made = new_key(service, "dealer")
            with calling_with(service, made["key"]) as here, calling_with(other, made["key"]) as there:
                for one in (here, there):
                    done(one.get("/v1/tables"))
                    done(one.get("/v1/tables"))
                done(service.post(f"/v1/keys/{made['key_id']}/revoke"))
                for one in (there, here, there, here):
                    refused(one.get("/v1/tables"), 401, "UNAUTHENTICATED")
                    refused(one.post("/v1/tables/none/rounds"), 401, "UNAUTHENTICATED")


def test_a_key_is_revoked_twice_without_harm_and_then_has_no_successor(service: Service) -> None:
    made = new_key(service, "dealer")
    path = f"/v1/keys/{made['key_id']}"
    first, key = done(service.post(f"{path}/revoke", key=path)), path
    assert done(service.post(f"{path}/revoke", key=key)) == first
    assert done(service.post(f"{path}/revoke"))["revoked_at"] == first["revoked_at"]
    refused(service.post(f"{path}/rotate"), 404, "NOT_FOUND", "key_id")


def test_a_key_gives_no_role_that_it_has_not(service: Service) -> None:
    strong, weak = new_key(service, "finance"), new_key(service, "admin", "dealer")
    with calling_with(service, weak["key"]) as mine:
        body = {"subject": service.name("s"), "roles": ["dealer", "finance"]}
        assert "finance" in refused(mine.post("/v1/keys", body), 403, "FORBIDDEN", "roles")["detail"]
        refused(mine.post(f"/v1/keys/{strong['key_id']}/rotate"), 403, "FORBIDDEN", "roles")
        done(mine.post("/v1/keys", {**body, "roles": ["dealer"]}), 201)


def test_another_operators_keys_are_not_found_and_its_last_admin_stays(service: Service) -> None:
    ours = new_key(service, "dealer")
    operator = service.name("other")
    assert service.studbook("keys", "operator", "add", operator).returncode == 0
    made = service.studbook("keys", "add", "boss", "--operator", operator, "--role", "admin")
    with calling_with(service, made.stdout.split()[-1]) as rival:
        for what in ("rotate", "revoke"):
            problem = refused(rival.post(f"/v1/keys/{ours['key_id']}/{what}"), 404, "NOT_FOUND")
            nobodys = refused(rival.post(f"/v1/keys/0123456789abcdef/{what}"), 404, "NOT_FOUND")
            assert problem["detail"] == nobodys["detail"]
        (boss,) = done(rival.get("/v1/keys"))["items"]
        refused(rival.post(f"/v1/keys/{boss['key_id']}/revoke"), 403, "FORBIDDEN", "key_id")
        done(rival.get("/v1/keys"))
    with calling_with(service, ours["key"]) as mine:
        done(mine.get("/v1/tables"))


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"roles": []}, "roles"),
        ({"roles": ["boss"]}, "roles[0]"),
        ({"roles": "admin"}, "roles"),
        ({"subject": "two words"}, "subject"),
        ({"label": ""}, "label"),
        ({"label": "x" * 101}, "label"),
        ({"label": "bell\x07"}, "label"),
        ({"signed": "yes"}, "signed"),
        ({"secret": "mine"}, "secret"),
    ],
)
def test_a_wrong_field_is_named_and_makes_no_key(service: Service, more: dict[str, object], field: str) -> None:
    subject = service.name("s")
    refused(service.post("/v1/keys", {"subject": subject, "roles": ["dealer"], **more}), 422, "INVALID", field)
    assert subject not in service.get("/v1/keys").text


def test_keys_add_no_event_and_position_says_where_the_log_stood(service: Service) -> None:
    before = head(service)
    made = new_key(service, "dealer")
    assert head(service) == before
    assert made["position"] >= before
    assert read(service, "/v1/keys")["position"] >= before


def test_no_log_or_metric_holds_a_secret(service: Service) -> None:
    made = new_key(service, "dealer", signed=True)
    for path in ("/metrics", "/readyz", "/v1/access-log", "/v1/events?after=0&limit=1000"):
        text = httpx2.get(service.url + path, headers={"Authorization": f"Bearer {service.key}"}, timeout=120).text
        assert made["key"].rpartition("_")[2] not in text
        assert made["signing_secret"] not in text
