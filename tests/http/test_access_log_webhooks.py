"""The access log tells of every change of a webhook, as it does of keys: who leads events elsewhere is found there."""

from __future__ import annotations

import json
from typing import Any

from tests.http.floor import deposit, done, refused, register
from tests.http.keys import calling_with, new_key
from tests.service import Service

URL = "https://casino.example/events?token=hush-hush"


def told(service: Service, webhook: str) -> list[dict[str, Any]]:
    """The lines about a webhook, the oldest first."""
    found = done(service.get("/v1/access-log", params={"limit": "1000"}))["items"]
    return [one for one in found if f"webhook {webhook}" in one["detail"]][::-1]


def test_each_change_of_a_webhook_is_there_when_the_call_has_answered_with_who_and_where(service: Service) -> None:
    made, webhook = new_key(service, "admin"), service.name("hook")
    position = deposit(service, register(service), 5)["position"]
    path = f"/v1/webhooks/{webhook}"
    body = {"webhook": webhook, "url": URL, "types": ["studbook.wallet."], "active": False}
    with calling_with(service, made["key"]) as mine:
        secret = done(mine.post("/v1/webhooks", body), 201)["secret"]
        moved = {"url": "https://elsewhere.example:8443/x", "types": ["studbook.round.", "studbook.wallet."]}
        done(mine.send("PATCH", path, {**moved, "active": True}))
        new = done(mine.post(f"{path}/rotate"), 201)["secret"]
        done(mine.post(f"{path}/replay", {"after": position - 2}), 202)
        done(mine.post(f"{path}/replay", {"position": position}), 202)
        done(mine.send("PATCH", path, {"active": False}))
        done(mine.client.delete(path, headers={"X-Request-Id": "away-with-it"}))
    found = told(service, webhook)
    head = f"webhook {webhook}"
    assert [(one["kind"], one["method"], one["status"], one["detail"]) for one in found] == [
        ("WEBHOOK_ADDED", "POST", 201, f"{head}: to casino.example, studbook.wallet."),
        ("WEBHOOK_CHANGED", "PATCH", 200,
         f"{head}: to elsewhere.example:8443; studbook.round., studbook.wallet.; enabled"),
        ("WEBHOOK_ROTATED", "POST", 201, head),
        ("WEBHOOK_REPLAYED", "POST", 202, f"{head}: all past {position - 2}"),
        ("WEBHOOK_REPLAYED", "POST", 202, f"{head}: the event at {position}"),
        ("WEBHOOK_CHANGED", "PATCH", 200, f"{head}: disabled"),
        ("WEBHOOK_REMOVED", "DELETE", 200, head),
    ]  # fmt: skip
    assert {(one["subject"], one["key_id"], one["address"]) for one in found} == {
        (made["subject"], made["key_id"], "127.0.0.1")
    }
    assert (found[-1]["request_id"], found[-1]["route"]) == ("away-with-it", "/v1/webhooks/{webhook}")
    text = json.dumps(found)
    assert [one for one in ("hush-hush", secret, new) if one in text] == []


def test_a_call_that_changes_no_webhook_leaves_no_line(service: Service) -> None:
    webhook, key = service.name("hook"), service.name("key")
    body = {"webhook": webhook, "url": URL, "active": False}
    done(service.post("/v1/webhooks", body, key=key), 201)
    done(service.post("/v1/webhooks", body, key=key), 200)  # a lost answer, asked for again
    done(service.post("/v1/webhooks", body), 200)  # it is there already
    refused(service.post("/v1/webhooks", {**body, "url": "https://other.example/"}), 409, "ALREADY_EXISTS")
    refused(service.send("PATCH", f"/v1/webhooks/{webhook}", {}), 422, "INVALID", "url")
    done(service.post(f"/v1/webhooks/{webhook}/ping"), 202)
    assert [one["kind"] for one in told(service, webhook)] == ["WEBHOOK_ADDED"]
    done(service.client.delete(f"/v1/webhooks/{webhook}"))
    refused(service.client.delete(f"/v1/webhooks/{webhook}"), 404, "NOT_FOUND")
    assert [one["kind"] for one in told(service, webhook)] == ["WEBHOOK_ADDED", "WEBHOOK_REMOVED"]
