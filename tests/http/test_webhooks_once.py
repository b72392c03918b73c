"""Calls about webhooks happen once, whoever sends them again, and make no more than there may be."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2

from services.webhooks import SECRETS_MOST, WEBHOOKS_MOST
from tests.http.floor import done, refused
from tests.http.keys import calling_with, captured, key_of, new_key
from tests.service import Service

AWAY = "https://casino.example/events"


def made_by(service: Service, key: str | None = None) -> tuple[dict[str, Any], httpx2.Response]:
    """A webhook that calls nobody: its body and the answer."""
    body = {"webhook": service.name("hook"), "url": AWAY, "active": False}
    return body, service.post("/v1/webhooks", body, key=key)


def test_a_recorded_request_that_is_sent_again_neither_rotates_a_secret_nor_shows_one(service: Service) -> None:
    # given a key that signs, and a rotation of its that somebody has recorded
    made = new_key(service, "operator", signed=True)
    hook, _ = made_by(service)
    path = f"/v1/webhooks/{hook['webhook']}"
    request = captured(made, f"{path}/rotate", {}, service.name("key"))
    first = done(request.send(service), 201)
    assert first["secret"].startswith("whsec_")
    # when it is sent again within the five minutes of its signature
    for _ in range(8):
        again = request.send(service)
        # then no secret is made and none is told
        assert done(again, 200) == {**first, "secret": None}
        assert again.headers["idempotency-replayed"] == "true"
    assert [one["number"] for one in done(service.get(path))["secrets"]] == [2, 1]
    service.client.delete(path)


def test_a_webhook_that_was_removed_does_not_come_back_by_a_request_of_before(service: Service) -> None:
    key = service.name("key")
    body, answer = made_by(service, key)
    first = done(answer, 201)
    service.client.delete(f"/v1/webhooks/{body['webhook']}")
    assert done(service.post("/v1/webhooks", body, key=key), 200) == {**first, "secret": None}
    refused(service.get(f"/v1/webhooks/{body['webhook']}"), 404, "NOT_FOUND", "webhook")
    # and the key serves nothing else, here and elsewhere
    other = {**body, "webhook": service.name("hook")}
    refused(service.post("/v1/webhooks", other, key=key), 422, "IDEMPOTENCY_MISMATCH")
    player = {"player": service.name("player"), "currency": "EUR"}
    refused(service.post("/v1/players", player, key=key), 422, "IDEMPOTENCY_MISMATCH")


def test_a_key_that_was_refused_may_serve_later(service: Service) -> None:
    key, name = service.name("key"), service.name("hook")
    refused(service.post(f"/v1/webhooks/{name}/ping", key=key), 404, "NOT_FOUND", "webhook")
    done(service.post("/v1/webhooks", {"webhook": name, "url": AWAY, "active": False}), 201)
    first = service.post(f"/v1/webhooks/{name}/ping", key=key)
    again = service.post(f"/v1/webhooks/{name}/ping", key=key)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.content == again.content
    service.client.delete(f"/v1/webhooks/{name}")


def at_once(keys: list[str], call: Callable[[str], httpx2.Response]) -> list[int]:
    """The statuses of calls, eight at a time; one that is told 503 comes again under its key, as it is told to."""

    def told(key: str) -> int:
        answer = call(key)
        while answer.status_code == 503:
            answer = call(key)
        return answer.status_code

    with ThreadPoolExecutor(8) as pool:
        return sorted(pool.map(told, keys))


def test_many_requests_at_once_make_no_more_than_there_may_be(service: Service) -> None:
    with calling_with(service, key_of(service, service.name("house")).key) as mine:
        keys = [service.name("hook") for _ in range(WEBHOOKS_MOST + 6)]
        body = {"url": AWAY, "active": False}
        answers = at_once(keys, lambda key: mine.post("/v1/webhooks", {**body, "webhook": key}, key=key))
        assert answers == [201] * WEBHOOKS_MOST + [409] * 6
        found = done(mine.get("/v1/webhooks"))["items"]
        assert len(found) == WEBHOOKS_MOST
        path = f"/v1/webhooks/{found[0]['webhook']}"
        answers = at_once(keys[:9], lambda key: mine.post(f"{path}/rotate", key=f"r-{key}"))
        assert answers == [201] * (SECRETS_MOST - 1) + [409] * (10 - SECRETS_MOST)
        other = f"/v1/webhooks/{found[1]['webhook']}"
        answers = at_once(["one"] * 8, lambda key: mine.post(f"{other}/rotate", key=key))
        assert answers == [200] * 7 + [201]
        assert len(done(mine.get(other))["secrets"]) == 2


def test_another_operators_webhook_is_nobodys_to_every_call(service: Service) -> None:
    hook, _ = made_by(service)
    path = f"/v1/webhooks/{hook['webhook']}"
    before = done(service.get(path))
    with calling_with(service, key_of(service, service.name("house")).key) as thief:
        for name in (hook["webhook"], service.name("nobody")):
            theirs = f"/v1/webhooks/{name}"
            answers = [
                thief.get(theirs), thief.get(f"{theirs}/deliveries"), thief.send("PATCH", theirs, {"url": AWAY + "/x"}),
                thief.client.delete(theirs), *(thief.post(f"{theirs}/{act}") for act in ("rotate", "ping")),
                thief.post(f"{theirs}/replay", {"after": 0}),
            ]  # fmt: skip
            for answer in answers:
                refused(answer, 404, "NOT_FOUND", "webhook")
        # and the same name is theirs to use
        done(thief.post("/v1/webhooks", hook), 201)
    assert done(service.get(path)) | {"pending": 0} == before | {"pending": 0}
    service.client.delete(path)


def deliverer_of(service: Service) -> Path:
    """The process of the service's deliverer."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "cmdline").read_bytes().split(b"\0")
            parent = (process / "stat").read_text("ascii").rpartition(")")[2].split()[1]
        except OSError:
            continue
        if b"deliver" in told and int(parent) == service.process.pid:
            return process
    raise AssertionError("no deliverer runs")


def test_the_deliverer_is_given_nothing_that_opens_cards_or_other_logins(service: Service) -> None:
    given = (deliverer_of(service) / "environ").read_bytes().split(b"\0")
    ours = {one.partition(b"=")[0].decode() for one in given if one.startswith(b"STUDBOOK_")}
    secrets = {name for name in ours if name.endswith(("_KEY", "_PASSWORD", "_TOKEN"))}
    assert secrets <= {"STUDBOOK_PROJECTOR_PASSWORD", "STUDBOOK_WEBHOOK_KEY"}
    assert "STUDBOOK_PROJECTOR_PASSWORD" in secrets
