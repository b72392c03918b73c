"""Webhooks over HTTP: made, called, signed, tried again, replayed, removed."""

from __future__ import annotations

import threading
import time
from typing import Any

import httpx2
import pytest
from standardwebhooks import WebhookVerificationError

from tests.http.floor import deposit, done, head, refused, register
from tests.service import Service
from tests.support.receiver import receiving

DEPOSITED = "studbook.wallet.deposited.v1"


def make(service: Service, url: str, **more: Any) -> dict[str, Any]:
    """A new webhook with its secret."""
    body = {"webhook": service.name("hook"), "url": url, "types": [DEPOSITED], **more}
    return done(service.post("/v1/webhooks", body), 201)


def state(service: Service, webhook: str) -> dict[str, Any]:
    return done(service.get(f"/v1/webhooks/{webhook}"))


def remove(service: Service, webhook: str) -> httpx2.Response:
    return service.client.delete(f"/v1/webhooks/{webhook}")


def until(service: Service, webhook: str, **wanted: Any) -> dict[str, Any]:
    """The webhook once it stands so."""
    limit = time.monotonic() + 150
    while True:
        found = state(service, webhook)
        if all(found[name] == value for name, value in wanted.items()):
            return found
        assert time.monotonic() < limit, found
        time.sleep(0.1)


def test_events_of_the_types_come_in_order_signed_and_as_the_feed_has_them(service: Service) -> None:
    with receiving() as receiver:
        made = make(service, receiver.url)
        player, after = register(service, "EUR"), head(service)
        for nth in range(5):
            deposit(service, player, 1 + nth)
        got = receiver.wait(5)
        feed = done(service.get("/v1/events", params={"after": after, "type": DEPOSITED}))["events"]
        assert [one.verified(made["secret"]) for one in got] == feed
        assert [one.id for one in got] == [f"msg_{one['id']}" for one in feed]
        assert {one.headers["content-type"] for one in got} == {"application/cloudevents+json"}
        shown = until(service, made["webhook"], failures=0, pending=0)
        assert shown["position"] >= int(feed[-1]["id"])
        tries = done(service.get(f"/v1/webhooks/{made['webhook']}/deliveries"))["items"]
        assert [(one["message"], one["status"], one["delivered"]) for one in tries] == [
            (one.id, 204, True) for one in reversed(got)
        ]
        remove(service, made["webhook"])


def test_a_secret_is_shown_once_and_the_same_call_again_changes_nothing(service: Service) -> None:
    body = {"webhook": service.name("hook"), "url": "https://casino.example/events"}
    made = done(service.post("/v1/webhooks", body), 201)
    assert made["secret"].startswith("whsec_")
    again = done(service.post("/v1/webhooks", body), 200)
    assert (again["secret"], again["settings"]["types"]) == (None, ["studbook."])
    other = {**body, "url": "https://casino.example/other"}
    refused(service.post("/v1/webhooks", other), 409, "ALREADY_EXISTS", "webhook")
    for path in ("/v1/webhooks", f"/v1/webhooks/{body['webhook']}", f"/v1/webhooks/{body['webhook']}/deliveries"):
        assert made["secret"] not in service.get(path).text
    assert body["webhook"] in [one["webhook"] for one in done(service.get("/v1/webhooks"))["items"]]
    assert done(remove(service, body["webhook"]))["webhook"] == body["webhook"]
    refused(service.get(f"/v1/webhooks/{body['webhook']}"), 404, "NOT_FOUND", "webhook")
    refused(remove(service, body["webhook"]), 404, "NOT_FOUND", "webhook")


def test_an_event_that_is_not_taken_holds_back_the_ones_behind_it_and_comes_again_under_its_id(
    service: Service,
) -> None:
    with receiving() as receiver:
        refusals = iter([500, 302])
        receiver.answers = lambda _: next(refusals, 200)
        receiver.more = {"location": f"{receiver.url}/elsewhere"}
        made = make(service, receiver.url)
        player = register(service, "EUR")
        first, second = (f"msg_{deposit(service, player, 3 + nth)['position'] - 1}" for nth in range(2))
        got = receiver.wait(4)
        assert [one.id for one in got] == [first, first, first, second]
        assert len({one.headers["webhook-timestamp"] for one in got[:3]}) > 1
        assert got[0].verified(made["secret"])["id"] == first.removeprefix("msg_")
        until(service, made["webhook"], failures=0, pending=0)
        tries = done(service.get(f"/v1/webhooks/{made['webhook']}/deliveries", params={"limit": 3}))
        assert [(one["attempt"], one["status"]) for one in tries["items"]] == [(1, 200), (3, 200), (2, 302)]
        query = {"limit": 3, "cursor": tries["next"]}
        rest = done(service.get(f"/v1/webhooks/{made['webhook']}/deliveries", params=query))
        assert [(one["attempt"], one["status"], one["detail"]) for one in rest["items"]] == [(1, 500, "answered 500")]
        assert rest["next"] is None
        remove(service, made["webhook"])


def test_a_dead_endpoint_holds_no_other_up(service: Service) -> None:
    answering = threading.Event()
    with receiving() as receiver, receiving() as slow:
        slow.answers = lambda _: 200 if answering.wait(600) else 500
        dead = make(service, "http://127.0.0.1:9/nobody")
        late = make(service, slow.url)
        alive = make(service, receiver.url)
        player = register(service, "EUR")
        for nth in range(3):
            deposit(service, player, 1 + nth)
        receiver.wait(3)
        slow.wait(1)  # and has had no answer
        failing = until(service, dead["webhook"], failures=1)
        assert failing["failing_since"] is not None
        assert failing["pending"] > 0
        for one in (dead, late, alive):
            remove(service, one["webhook"])
        answering.set()


def test_410_disables_at_once_and_a_change_to_active_goes_on_where_it_stood(service: Service) -> None:
    with receiving() as receiver:
        receiver.answers = lambda _: 410
        made = make(service, receiver.url)
        position = deposit(service, register(service, "EUR"), 5)["position"]
        receiver.wait(1)
        gone = until(service, made["webhook"], active=False)
        assert gone["disabled_reason"] == "the endpoint answered 410 Gone"
        assert gone["pending"] > 0
        receiver.answers = lambda _: 200
        path = f"/v1/webhooks/{made['webhook']}"
        assert done(service.send("PATCH", path, {"active": True}))["active"] is True
        assert receiver.wait(2)[1].id == f"msg_{position - 1}"
        until(service, made["webhook"], pending=0, disabled_at=None)
        done(service.send("PATCH", path, {"active": False}))
        deposit(service, register(service, "EUR"), 6)
        time.sleep(1.5)
        assert len(receiver.got) == 2
        remove(service, made["webhook"])


def test_after_a_rotation_both_secrets_sign(service: Service) -> None:
    with receiving() as receiver:
        made = make(service, receiver.url)
        new = done(service.post(f"/v1/webhooks/{made['webhook']}/rotate"), 201)
        assert new["secret"] != made["secret"]
        shown = new["settings"]["secrets"]
        assert [(one["number"], one["expires_at"] is None) for one in shown] == [(2, True), (1, False)]
        deposit(service, register(service, "EUR"), 5)
        (got,) = receiver.wait(1)
        assert got.verified(new["secret"]) == got.verified(made["secret"])
        with pytest.raises(WebhookVerificationError):
            got.verified("whsec_" + "A" * 43 + "=")
        for _ in range(3):
            done(service.post(f"/v1/webhooks/{made['webhook']}/rotate"), 201)
        refused(service.post(f"/v1/webhooks/{made['webhook']}/rotate"), 409, "CONFLICT")
        remove(service, made["webhook"])


def test_a_ping_and_one_event_again_come_beside_the_order_and_a_replay_sends_all_again(service: Service) -> None:
    with receiving() as receiver:
        player = register(service, "EUR")
        position = deposit(service, player, 5)["position"] - 1
        made = make(service, receiver.url, types=[DEPOSITED], after=position - 1)
        assert receiver.wait(1)[0].id == f"msg_{position}"
        path = f"/v1/webhooks/{made['webhook']}"
        ping = done(service.post(f"{path}/ping"), 202)
        assert receiver.wait(2)[1].id == ping["message"]
        assert receiver.got[1].verified(made["secret"])["type"] == "studbook.webhook.ping.v1"
        again = done(service.post(f"{path}/replay", {"position": position}), 202)
        assert receiver.wait(3)[2].id == again["message"] == f"msg_{position}"
        assert receiver.got[2].body == receiver.got[0].body
        second = deposit(service, player, 6)["position"] - 1
        receiver.wait(4)
        assert done(service.post(f"{path}/replay", {"after": position - 1}), 202)["message"] is None
        assert [one.id for one in receiver.wait(6)[4:]] == [f"msg_{position}", f"msg_{second}"]
        for wrong in ({}, {"after": 1, "position": 1}):
            refused(service.post(f"{path}/replay", wrong), 422, "INVALID", "after")
        refused(service.post(f"{path}/replay", {"position": 2**40}), 422, "INVALID", "position")
        remove(service, made["webhook"])


@pytest.mark.parametrize(
    "url",
    ["http://169.254.169.254/latest", "http://10.0.0.1/", "http://[::1]/", "https://192.168.1.1/x", "https://[fd00::1]/",
     "http://0.0.0.0/", "https://100.64.0.1/"],
)  # fmt: skip
def test_no_call_goes_to_an_address_that_is_not_public(service: Service, url: str) -> None:
    made = make(service, url)
    deposit(service, register(service, "EUR"), 5)
    until(service, made["webhook"], failures=1)
    (tried,) = done(service.get(f"/v1/webhooks/{made['webhook']}/deliveries"))["items"]
    assert (tried["status"], tried["delivered"]) == (None, False)
    assert "not public" in tried["detail"]
    remove(service, made["webhook"])


@pytest.mark.parametrize("url", ["ftp://a.example/", "https://", "https://u:p@a.example/", "https://a.example/#x",
                                 "x", "https://a.example/ x", "https://a.example:99999/", "https://[", "https://[a",
                                 "javascript:alert(1)"])  # fmt: skip
def test_what_is_no_address_for_a_webhook_is_refused(service: Service, url: str) -> None:
    body = {"webhook": service.name("hook"), "url": url}
    refused(service.post("/v1/webhooks", body), 422, "INVALID", "url")


def test_an_operator_has_so_many_webhooks(service: Service) -> None:
    names = []
    while True:
        body = {"webhook": service.name("hook"), "url": "https://casino.example/", "active": False}
        answer = service.post("/v1/webhooks", body)
        if answer.status_code != 201:
            break
        names.append(body["webhook"])
    refused(answer, 409, "LIMIT_REACHED")
    for name in names:
        remove(service, name)


def test_the_figures_of_webhooks_are_told(service: Service) -> None:
    text = service.get("/metrics").text
    for name in ("studbook_webhook_backlog_events", "studbook_deliverer_age_seconds",
                 'studbook_webhooks{state="active"}',
                 'studbook_webhook_calls{outcome="failed"}'):  # fmt: skip
        assert name in text
