"""A client that signs, one that shows tokens, and one that follows: over the network, and against scripted answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from api.client import Client, Forbidden, LostAnswer, NotFound, Unauthenticated
from api.client.doors import key_id_of
from tests.client.answers import Script, done, problem
from tests.http.keys import new_key
from tests.service import Service

GIVEN = {"access_token": "eyJ.first.one", "token_type": "Bearer", "expires_in": 600, "scope": "operator"}
READY = {"events": [], "after": 0}


def test_every_call_of_a_key_that_signs_is_signed_with_its_query_its_body_and_its_key(service: Service) -> None:
    made = new_key(service, "operator", signed=True)
    player = service.name("player")
    with Client(service.url, made["key"], signing_secret=made["signing_secret"]) as casino:
        casino.register_player(player=player, currency="EUR")
        first = casino.deposit(player, amount=5, currency="EUR", transaction_id=service.name("bank"))
        assert casino.get_balance(player).available == 5
        events = casino.list_events(after=first.position - 2, type="studbook.wallet.", subject=f"wallet/{player}")
        assert [one.subject for one in events.events] == [f"wallet/{player}"]
        stream = casino.stream_events(after=first.position - 2, subject=f"wallet/{player}")
        assert next(stream).type == "studbook.wallet.deposited.v1"
        with pytest.raises(NotFound):  # of the round, not of the signature: a body is signed as it is sent
            casino.void_round(service.name("round"), reason="Grüße €")
    with Client(service.url, made["key"], attempts=1) as casino, pytest.raises(Unauthenticated, match="signs"):
        casino.get_balance(player)


def test_a_clock_that_is_wrong_is_put_right_by_the_services(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    made, real = new_key(service, "operator", signed=True), time.time
    for off in (-4_000.0, 4_000.0):
        monkeypatch.setattr("api.client.doors.time.time", lambda off=off: real() + off)
        with Client(service.url, made["key"], signing_secret=made["signing_secret"], attempts=1) as casino:
            player = service.name("player")
            casino.register_player(player=player, currency="EUR")
            assert casino.get_balance(player).available == 0


def test_a_client_with_tokens_shows_its_key_to_the_exchange_alone(service: Service) -> None:
    made = new_key(service, "operator", "auditor")
    with Client(service.url, made["key"], tokens=True, scope=["operator"]) as casino:
        player = service.name("player")
        casino.register_player(player=player, currency="EUR")
        assert casino.get_balance(player).available == 0
        with pytest.raises(Forbidden):
            casino.list_journal()
        service.post(f"/v1/keys/{made['key_id']}/revoke")
        with pytest.raises(Unauthenticated, match="revoked"):
            casino.get_balance(player)


def test_a_token_is_kept_until_shortly_before_its_end_and_replaced_when_it_is_not_taken() -> None:
    clock = [1_000.0]
    refused = problem(401, "UNAUTHENTICATED", retryable=False)
    script = Script([done(GIVEN), done(READY), done(READY), done({**GIVEN, "access_token": "eyJ.second.one"}),
                     done(READY), refused, done({**GIVEN, "access_token": "eyJ.third.one"}), done(READY)])  # fmt: skip
    shown: list[tuple[str, str]] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        shown.append((request.url.path, request.headers.get("authorization", "")))  # as it is now: it is changed later
        return script(request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.client.doors.time.monotonic", lambda: clock[0])
        with Client("http://casino", "sb_key", tokens=True, transport=httpx2.MockTransport(answer)) as casino:
            for seconds in (0, 569, 2, 0):
                clock[0] += seconds
                casino.list_events()
    first, second, third = (f"Bearer eyJ.{nth}.one" for nth in ("first", "second", "third"))
    asked = ("/oauth/token", "")
    assert shown == [
        asked, ("/v1/events", first), ("/v1/events", first), asked, ("/v1/events", second), ("/v1/events", second),
        asked, ("/v1/events", third),
    ]  # fmt: skip
    assert b"client_secret=sb_key" in script.asked[0].content


def test_an_exchange_that_cannot_give_a_token_now_is_asked_again_and_one_that_refuses_is_not() -> None:
    away = done({"error": "temporarily_unavailable", "error_description": "the database is away"}, 503)
    script = Script([away, httpx2.ConnectError("gone"), done(GIVEN), done(READY)])
    with script.client(tokens=True) as casino:
        casino.list_events()
    assert [one.url.path for one in script.asked] == ["/oauth/token"] * 3 + ["/v1/events"]
    denied = Script([done({"error": "invalid_client", "error_description": "the key is unknown or revoked"}, 401)])
    with denied.client(tokens=True) as casino, pytest.raises(Unauthenticated, match="unknown or revoked"):
        casino.list_events()
    assert len(denied.asked) == 1
    with Script([away]).client(tokens=True, attempts=2) as casino, pytest.raises(LostAnswer, match="is away"):
        casino.list_events()


def test_many_threads_share_one_token() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.path)
        if request.url.path == "/oauth/token":
            time.sleep(0.05)
            return done(GIVEN)
        return done(READY)

    with Client("http://casino", "sb_key", tokens=True, transport=httpx2.MockTransport(answer)) as casino:
        threads = [threading.Thread(target=casino.list_events) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join(30)
    assert sorted(asked) == ["/oauth/token"] + ["/v1/events"] * 8


@pytest.mark.parametrize(
    "wrong", [{"tokens": True, "signing_secret": "whsec_" + "A" * 43 + "="}, {"scope": ["dealer"]}]
)
def test_what_does_not_go_together_is_said_at_once(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="tokens"):
        Client("http://casino", "sb_key", **wrong)


def test_client_id_is_the_id_of_the_key(service: Service) -> None:
    made = new_key(service, "dealer")
    assert key_id_of(made["key"]) == made["key_id"]
    assert len(key_id_of("sb-test-key-of-the-suite-0123456789")) == 16


@contextmanager
def following(service: Service, after: int, player: str, heard: list[Any]) -> Iterator[Client]:
    """A client that follows in a thread until it has heard of a deposit of 99."""
    with Client(service.url, service.key) as casino:

        def follow() -> None:
            for event in casino.follow_events(after):
                if event.subject == f"wallet/{player}":
                    heard.append(event.data.get("amount_minor"))
                    if heard[-1] == 99:
                        return

        thread = threading.Thread(target=follow, daemon=True)
        thread.start()
        yield casino
        thread.join(150)
        assert not thread.is_alive()


def test_a_follower_waits_at_the_service_and_asks_once_for_an_event(service: Service) -> None:
    player, heard, asked = service.name("player"), [], []
    position = service.post("/v1/players", {"player": player, "currency": "EUR"}).json()["position"]
    with following(service, position, player, heard) as casino:
        casino._http.event_hooks = {"request": [lambda one: asked.append(dict(one.url.params))]}
        time.sleep(2)
        for amount in (1, 99):
            body = {"amount": amount, "currency": "EUR", "transaction_id": service.name("bank")}
            service.post(f"/v1/players/{player}/deposits", body)
    assert heard == [1, 99]
    assert len(asked) <= 6, "it polls"  # one for each page at most, others' events too
    assert {one["wait"] for one in asked} <= {"20"}


def test_a_follower_that_is_let_wait_by_nobody_pauses_and_allows_the_answer_its_time() -> None:
    event = {"specversion": "1.0", "id": "7", "source": "/s", "type": "studbook.x.v1", "subject": "x/1",
             "time": "2026-11-30T12:00:00Z", "datacontenttype": "application/json", "sequence": "0" * 18 + "7",
             "data": {}}  # fmt: skip
    script = Script([done(READY), done({"events": [event], "after": 7})])
    with script.client(timeout_seconds=3) as casino:
        assert [one.id for one in casino.follow_events(until=7)] == ["7"]
    assert script.waited == [0.5]
    assert [one.extensions["timeout"]["read"] for one in script.asked] == [23, 23]
