"""Server-sent events: in order, resumed where they were left, ended when they must."""

from __future__ import annotations

import re
import time
from contextlib import ExitStack

import httpx2

from adapters.database.connections import connect
from adapters.database.settings import Role
from adapters.embedded import Cluster
from api.auth import NewKey
from api.streams import OPERATOR_MOST
from tests.http.floor import EURO, bet, deposit, done, head, new_round, open_jackpot, read, refused, register, step
from tests.http.keys import key_of
from tests.service import Service
from tests.support.streams import ACCEPT, heard

EVENTS = "/v1/events/stream"


def revoke(service: Service, key: NewKey) -> None:
    with Cluster.start(service.data_dir) as cluster, connect(cluster.settings().conninfo(Role.WRITER)) as conn:
        conn.execute("UPDATE studbook.api_keys SET revoked_at = now() WHERE key_id = %s", [key.key_id])


def open_streams(service: Service) -> int:
    found = re.search(r'studbook_streams\{kind="streaming"\} ([0-9.]+)', service.get("/metrics").text)
    return 0 if found is None else int(float(found[1]))


def test_a_stream_has_every_event_once_in_order_and_goes_on_where_it_was_left(service: Service) -> None:
    player, after = register(service, "EUR"), head(service)
    with heard(service.url, EVENTS, service.key, after=str(after)) as stream:
        assert stream.frame().retry == 3000
        first = [deposit(service, player, 1 + nth)["position"] for nth in range(3)]
        seen = [stream.event() for _ in range(3)]
    missed = [deposit(service, player, 4 + nth)["position"] for nth in range(3)]
    with heard(service.url, EVENTS, service.key, after=seen[-1].id) as stream:
        seen += [stream.event() for _ in range(9)]
        live = deposit(service, player, 9)["position"]
        seen += [stream.event() for _ in range(2)]
    assert [int(one.id or 0) for one in seen] == list(range(after + 1, live + 1))
    assert all(one.data["id"] == one.id for one in seen)
    assert {*first, *missed, live} <= {int(one.id or 0) for one in seen}
    with heard(service.url, EVENTS, service.key, after=str(after)) as stream:
        again = [stream.event().data for _ in seen]
    query = {"after": after, "limit": len(seen)}
    assert again == done(service.get("/v1/events", params=query))["events"]


def test_a_stream_of_some_events_has_those_alone(service: Service) -> None:
    player = register(service, "EUR")
    query = {"after": str(head(service)), "type": "studbook.wallet.deposited", "subject": f"wallet/{player}"}
    with heard(service.url, EVENTS, service.key, **query) as stream:
        deposit(service, register(service, "EUR"), 5)
        deposit(service, player, 6)
        found = stream.event()
        assert (found.data["subject"], found.data["data"]["amount_minor"]) == (f"wallet/{player}", 6)


def test_without_a_place_to_go_on_from_a_stream_begins_now(service: Service) -> None:
    player = register(service, "EUR")
    deposit(service, player, 5)
    with heard(service.url, EVENTS, service.key) as stream:
        stream.frame()
        time.sleep(0.5)
        deposit(service, player, 6)
        assert stream.event().data["data"]["amount_minor"] == 6


def test_a_meter_is_shown_now_and_when_it_changes_with_the_numbers_of_its_read(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR")
    round_ = new_round(service, jackpot=jackpot)
    player = register(service, "EUR", 10_000)
    read(service, f"/v1/jackpots/{jackpot}")
    with heard(service.url, f"/v1/jackpots/{jackpot}/stream", service.key) as stream:
        now = stream.event()
        assert (now.data["meter"], now.data["pending_micro"]) == (10_000_000, 0)
        done(bet(service, round_, player, 500, progressive=50), 201)
        assert stream.event().data["pending_micro"] == 20 * 10**6
        done(step(service, round_, "close"))
        shown = stream.event()
        assert shown.data["meter_micro"] == 10_000_020 * 10**6
    got = read(service, f"/v1/jackpots/{jackpot}")
    assert {**shown.data, "position": 0} == {**got, "position": 0}
    assert shown.id == str(shown.data["position"])


def test_another_operators_events_are_never_in_a_stream(service: Service) -> None:
    operator = service.name("house")
    key = key_of(service, operator)
    jackpot = open_jackpot(service, EURO, "EUR")
    with heard(service.url, EVENTS, key.key, after="0") as stream:
        deposit(service, register(service, "EUR"), 5)
        body = {"player": "own", "currency": "EUR"}
        headers = {"Authorization": f"Bearer {key.key}"}
        done(service.post("/v1/players", body, headers=headers), 201)
        found = stream.event()
        assert (found.data["source"], found.data["subject"]) == (f"/studbook/{operator}", "player/own")
    answer = service.get(f"/v1/jackpots/{jackpot}/stream", headers={**headers, **ACCEPT})
    refused(answer, 404, "NOT_FOUND", "jackpot")


def test_a_stream_ends_within_seconds_when_its_key_is_revoked(service: Service) -> None:
    key = key_of(service, service.name("house"))
    with heard(service.url, EVENTS, key.key) as stream:
        stream.frame()
        began = time.monotonic()
        revoke(service, key)
        assert all(one.data is None for one in stream.rest())
        assert time.monotonic() - began < 75


def test_a_head_of_a_stream_is_answered_and_holds_no_place(service: Service) -> None:
    before = open_streams(service)
    headers = {"Authorization": f"Bearer {service.key}", **ACCEPT}
    with httpx2.Client(base_url=service.url, headers=headers, timeout=120) as client:
        for path in (EVENTS, EVENTS):
            answer = client.head(path)
            assert (answer.status_code, answer.content) == (200, b"")
            assert answer.headers["content-type"].startswith("text/event-stream")
        assert client.get("/livez").status_code == 200  # on the same connection
    assert open_streams(service) == before


def test_an_operator_has_so_many_streams_and_a_place_that_is_left_is_free_again(service: Service) -> None:
    key = key_of(service, service.name("house"))
    headers = {"Authorization": f"Bearer {key.key}", **ACCEPT}
    before = open_streams(service)
    with ExitStack() as stack:
        held = [stack.enter_context(heard(service.url, EVENTS, key.key)) for _ in range(OPERATOR_MOST)]
        assert {one.frame().retry for one in held} == {3000}
        assert open_streams(service) == before + OPERATOR_MOST
        answer = httpx2.get(f"{service.url}{EVENTS}", headers=headers, timeout=120)
        refused(answer, 429, "RATE_LIMITED")
        assert answer.headers["retry-after"] == "1"
        assert service.get("/v1/events", params={"after": 2**40, "wait": 1}).status_code == 200  # another operator's
    until = time.monotonic() + 75
    while open_streams(service) > before and time.monotonic() < until:
        time.sleep(0.1)
    assert open_streams(service) == before
