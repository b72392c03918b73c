"""Followers: waiting for the next events, choosing some, and answers that need not be sent twice (ETag)."""

from __future__ import annotations

import re
import threading
import time

from tests.http.floor import EURO, bet, deposit, done, head, new_round, open_jackpot, read, refused, register, step
from tests.service import Service


def test_a_reader_that_waits_gets_the_next_event_when_it_happens(service: Service) -> None:
    player, after = register(service, "EUR"), head(service)
    began, found = time.monotonic(), []

    def wait() -> None:
        found.append(service.get("/v1/events", params={"after": after, "wait": 25}))

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.4)
    assert waiting.is_alive()
    position = deposit(service, player, 7)["position"]
    waiting.join(60)
    page = done(found[0])
    assert page["events"][0]["type"] == "studbook.wallet.deposited.v1"
    assert page["events"][0]["subject"] == f"wallet/{player}"
    assert after < page["after"] <= position
    assert time.monotonic() - began < 20


def test_waiting_ends_with_an_empty_page_when_nothing_happens(service: Service) -> None:
    after, began = head(service) + 2**40, time.monotonic()
    page = done(service.get("/v1/events", params={"after": after, "wait": 1}))
    assert (page["events"], page["after"]) == ([], after)
    assert time.monotonic() - began >= 1.0


def test_without_wait_an_empty_page_comes_at_once(service: Service) -> None:
    page = done(service.get("/v1/events", params={"after": head(service)}))
    assert page["events"] == []


def test_events_are_chosen_by_the_beginning_of_type_and_subject(service: Service) -> None:
    after = head(service)
    players = [register(service, "EUR", 50) for _ in range(3)]
    last = head(service)

    def chosen(**query: str | int) -> list[tuple[str, str]]:
        page = done(service.get("/v1/events", params={"after": after, "min_position": last, **query}))
        return [(one["type"], one["subject"]) for one in page["events"]]

    deposited = "studbook.wallet.deposited.v1"
    assert chosen(type=deposited) == [(deposited, f"wallet/{player}") for player in players]
    assert chosen(type="studbook.wallet.dep", subject=f"wallet/{players[1]}") == [(deposited, f"wallet/{players[1]}")]
    assert chosen(type="studbook.jackpot.") == []
    assert chosen(type=deposited, limit=2) == [(deposited, f"wallet/{player}") for player in players[:2]]
    page = done(service.get("/v1/events", params={"after": after, "type": "studbook.jackpot."}))
    assert page["after"] >= last  # what was looked at need not be looked at again
    first = done(service.get("/v1/events", params={"after": after, "type": deposited, "limit": 1}))
    rest = done(service.get("/v1/events", params={"after": first["after"], "type": deposited}))
    assert [one["subject"] for one in rest["events"]] == [f"wallet/{player}" for player in players[1:]]


def test_an_event_is_a_cloud_event_with_a_version_an_ordered_sequence_and_the_trace_of_its_request(
    service: Service,
) -> None:
    player = register(service, "EUR")
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    body = {"amount": 5, "currency": "EUR", "transaction_id": service.name("bank")}
    made = done(service.post(f"/v1/players/{player}/deposits", body, headers={"traceparent": trace}), 201)
    query = {"after": made["position"] - 2, "limit": 2, "min_position": made["position"]}
    deposited, noted = done(service.get("/v1/events", params=query))["events"]
    for one in (deposited, noted):
        assert one["specversion"] == "1.0"
        assert re.fullmatch(r"studbook(\.[a-z_]+)+\.v[0-9]+", one["type"])
        assert one["traceparent"] == trace
        assert int(one["sequence"]) == int(one["id"])
        assert all(re.fullmatch(r"[a-z0-9]{1,20}", name) for name in one)  # CloudEvents, names of attributes
    assert deposited["sequence"] < noted["sequence"]
    without = done(service.get("/v1/events", params={"after": made["position"] - 4, "limit": 1}))["events"]
    assert "traceparent" not in without[0]


def test_the_list_of_tables_that_the_caller_has_is_304(service: Service) -> None:
    new_round(service)
    statuses = []
    while 304 not in statuses and len(statuses) < 20:  # tables of others change meanwhile
        tag = service.get("/v1/tables").headers["etag"]
        statuses.append(service.get("/v1/tables", headers={"If-None-Match": tag}).status_code)
    assert statuses[-1] == 304


def test_an_answer_that_the_caller_has_is_304_until_something_changes(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR")
    path = f"/v1/jackpots/{jackpot}"
    round_ = new_round(service, jackpot=jackpot)
    player = register(service, "EUR", 10_000)
    fresh = service.get(path, params={"min_position": head(service)})
    tag = fresh.headers["etag"]
    assert tag.startswith('W/"')
    deposit(service, player, 5)  # an event that changes neither
    for known in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
        again = service.get(path, params={"min_position": head(service)}, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert service.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
    done(bet(service, round_, player, 500, progressive=50), 201)
    done(step(service, round_, "close"))
    changed = service.get(path, params={"min_position": head(service)}, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag


def test_a_stream_is_opened_by_name_only_and_of_what_is_there_only(service: Service) -> None:
    jackpot = open_jackpot(service, EURO, "EUR")
    read(service, f"/v1/jackpots/{jackpot}")
    for path in ("/v1/events/stream", f"/v1/jackpots/{jackpot}/stream"):
        refused(service.get(path), 400, "INVALID", "accept")
    refused(service.get("/v1/jackpots/nothing/stream"), 404, "NOT_FOUND", "jackpot")
    for bad in ("x", "-1", "1" * 19, "1.5"):
        answer = service.get("/v1/events/stream", headers={"Last-Event-ID": bad})
        refused(answer, 422, "INVALID")
