"""Chat at tables and messages about investigated rounds, over HTTP (S0-39, S0-44, S0-46, S2-02, S3-22, C30)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import psycopg
import pytest

from adapters.database.settings import Role
from adapters.embedded import Cluster
from api.intake import fingerprint
from tests.http.floor import DOLLAR, EURO, LIVE, bet, currency_of, done, open_round, open_table, read, refused, step
from tests.http.floor import register as new_player
from tests.http.own import running
from tests.service import Service


def seated(service: Service, ruleset: str = LIVE, **terms: Any) -> tuple[str, str]:
    """A table and a player who has joined it."""
    table = open_table(service, ruleset, currency_of(ruleset), **terms)
    return table, join(service, table, ruleset, 1)


def join(service: Service, table: str, ruleset: str = LIVE, seat: int = 2) -> str:
    player = new_player(service, currency_of(ruleset), 10_000)
    place = {} if ruleset == LIVE else {"seat": seat}
    done(service.post(f"/v1/tables/{table}/join", {"player": player, "session": "phone", **place}))
    return player


def say(service: Service, table: str, player: str, text: str = "hello", **more: Any) -> httpx2.Response:
    return service.post(f"/v1/tables/{table}/chat", {"player": player, "text": text, **more})


def chat(service: Service, table: str, **query: Any) -> list[tuple[str, str | None]]:
    """Who wrote what, newest first."""
    page = read(service, f"/v1/tables/{table}/chat", **query)
    return [(one["player"] or one["by"], one["text"]) for one in page["items"]]


@pytest.fixture
def database(service: Service) -> Iterator[psycopg.Connection]:
    """The service's database, on the login that sees everything."""
    with (
        Cluster.start(service.data_dir) as cluster,
        psycopg.connect(cluster.settings().conninfo(Role.BACKUP), autocommit=True) as conn,
    ):
        yield conn


def test_S0_39_over_http_players_at_the_table_write_and_all_read(service: Service) -> None:
    table, ann = seated(service)
    bob = join(service, table)
    said = done(say(service, table, ann, "good evening", session="phone"), 201)
    assert (said["table"], said["by"], said["player"]) == (table, "PLAYER", ann)
    done(say(service, table, bob, "שלום \U0001f44b"), 201)
    done(service.post(f"/v1/tables/{table}/announcements", {"text": "last hand"}), 201)
    lines = [("HOUSE", "last hand"), (bob, "שלום \U0001f44b"), (ann, "good evening")]
    assert chat(service, table) == chat(service, table, player=ann) == lines
    assert chat(service, table, after=said["position"]) == lines[:2]
    first = read(service, f"/v1/tables/{table}/chat", limit=2)
    assert chat(service, table, limit=2, cursor=first["next"]) == lines[2:]


def test_S0_39_over_http_who_has_not_joined_is_refused(service: Service) -> None:
    table, ann = seated(service)
    refused(say(service, table, new_player(service)), 403, "FORBIDDEN", "player")
    refused(say(service, table, "nobody"), 404, "NOT_FOUND", "player")
    refused(say(service, "nowhere", ann), 404, "NOT_FOUND", "table")
    refused(say(service, table, ann, session="tablet"), 403, "FORBIDDEN", "session")
    refused(service.get("/v1/tables/nowhere/chat"), 404, "NOT_FOUND", "table")
    refused(service.get(f"/v1/tables/{table}/chat", params={"player": "nobody"}), 404, "NOT_FOUND", "player")
    assert chat(service, table) == []


@pytest.mark.parametrize("text", ["", "  ", "a\nb", "a\x1bb", "\u202exyz", "\u200b", "x" * 501, 7, None])
def test_S0_39_over_http_a_text_that_is_none_names_its_field(service: Service, text: Any) -> None:
    table, ann = seated(service)
    problem = refused(say(service, table, ann, text), 422, "INVALID", "text")
    assert "xyz" not in str(problem)


def test_S0_39_over_http_a_lone_surrogate_or_NUL_is_refused(service: Service) -> None:
    table, ann = seated(service)
    for text in ("\\ud800", "\\u0000"):
        body = f'{{"player": "{ann}", "text": "a{text}"}}'.encode()
        headers = {"Idempotency-Key": service.name("key"), "Content-Type": "application/json"}
        answer = service.client.post(f"/v1/tables/{table}/chat", content=body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) in {(400, "INVALID"), (422, "INVALID")}


def test_S0_39_over_http_a_retry_writes_once_and_its_answer_holds_no_text(
    service: Service, database: psycopg.Connection
) -> None:
    table, ann = seated(service)
    body, key = {"player": ann, "text": "xyzzy-plugh"}, service.name("key")
    first = service.post(f"/v1/tables/{table}/chat", body, key=key)
    again = service.post(f"/v1/tables/{table}/chat", body, key=key)
    assert (again.content, again.headers["Idempotency-Replayed"]) == (first.content, "true")
    other = service.post(f"/v1/tables/{table}/chat", {**body, "text": "xyzzy"}, key=key)
    refused(other, 422, "IDEMPOTENCY_MISMATCH")
    assert chat(service, table) == [(ann, "xyzzy-plugh")]
    assert "xyzzy" not in first.text
    for relation in ("stored_events", "idempotency", "view_rows"):
        rows = database.execute(f"SELECT 1 FROM studbook.{relation} t WHERE t::text LIKE '%%78797a7a79%%'".encode())
        assert rows.fetchall() == [], relation
    plain = fingerprint("POST", f"/v1/tables/{table}/chat", body)  # from which a short text could be guessed
    kept = database.execute("SELECT fingerprint FROM idempotency WHERE key = %s", [key]).fetchone()
    assert kept is not None
    assert kept[0] != plain
    assert database.execute("SELECT count(*) FROM chat_texts WHERE text = 'xyzzy-plugh'").fetchone() == (1,)


def test_C30_over_http_on_off_or_the_house_alone(service: Service) -> None:
    table, ann = seated(service, chat="SYSTEM_ONLY")
    path, house = f"/v1/tables/{table}/chat", f"/v1/tables/{table}/announcements"
    refused(say(service, table, ann), 409, "CHAT_CLOSED", "table")
    done(service.post(house, {"text": "welcome"}), 201)
    assert done(service.send("PATCH", path, {"chat": "OFF", "reason": "night"}))["chat"] == "OFF"
    refused(say(service, table, ann), 409, "CHAT_CLOSED", "table")
    refused(service.post(house, {"text": "welcome"}), 409, "CHAT_CLOSED", "table")
    done(service.send("PATCH", path, {"chat": "ON", "reason": "day"}))
    shown = read(service, path, player=ann)
    assert (shown["chat"], shown["may_write"]) == ("ON", True)
    done(say(service, table, ann), 201)
    refused(service.send("PATCH", path, {"chat": "LOUD", "reason": "day"}), 422, "INVALID", "chat")
    refused(service.send("PATCH", path, {"chat": "ON"}), 422, "INVALID", "reason")


@pytest.mark.parametrize(("ruleset", "mode"), [(LIVE, "ON"), (EURO, "SYSTEM_ONLY"), (DOLLAR, "ON")])
def test_C30_over_http_a_tables_chat_is_its_pages_unless_told_otherwise(
    service: Service, ruleset: str, mode: str
) -> None:
    assert read(service, f"/v1/tables/{open_table(service, ruleset, currency_of(ruleset))}/chat")["chat"] == mode


def test_C30_over_http_a_service_that_starts_removes_what_is_90_days_old(
    service: Service, database: psycopg.Connection
) -> None:
    write = "INSERT INTO chat_texts (operator, message, text, salt, posted_at) VALUES ('demo', %s, 'x', %s, now() - %s)"
    old, young = service.name("message"), service.name("message")
    with Cluster.start(service.data_dir) as cluster, psycopg.connect(cluster.settings().conninfo(Role.WRITER)) as conn:
        conn.execute(write, [old, "0" * 32, timedelta(days=90)])
        conn.execute(write, [young, "0" * 32, timedelta(days=89, hours=23)])

    def left() -> list[str]:
        found = database.execute("SELECT message FROM chat_texts WHERE message = ANY (%s)", [[old, young]])
        return [row[0] for row in found.fetchall()]

    assert sorted(left()) == sorted([old, young])
    with running(service.data_dir):
        end = time.monotonic() + 60
        while len(left()) > 1 and time.monotonic() < end:
            time.sleep(0.1)
    assert left() == [young]


def test_S2_02_over_http_no_messages_while_hands_may_not_be_talked_about(service: Service) -> None:
    table, ann = seated(service, EURO, chat="ON")
    round_ = open_round(service, table)
    done(bet(service, round_, ann), 201)
    done(say(service, table, ann), 201)
    done(step(service, round_, "close"))
    done(step(service, round_, "deal"))
    refused(say(service, table, ann), 409, "CHAT_CLOSED", "table")
    done(step(service, round_, "settle"))
    done(say(service, table, ann, "well played"), 201)


def test_S0_44_over_http_a_player_hides_the_others(service: Service) -> None:
    table, ann = seated(service)
    bob = join(service, table)
    done(say(service, table, ann, "mine"), 201)
    done(say(service, table, bob, "his"), 201)
    done(service.send("PATCH", f"/v1/players/{ann}/settings", {"hide_chat": True}))
    assert chat(service, table, player=ann) == [(ann, "mine")]
    assert chat(service, table, player=bob) == chat(service, table) == [(bob, "his"), (ann, "mine")]


def test_S3_22_over_http_an_abuser_is_removed_and_the_message_withdrawn(service: Service) -> None:
    table, ann = seated(service)
    message = done(say(service, table, ann, "you fools"), 201)["message"]
    path = f"/v1/tables/{table}/chat/{message}/withdraw"
    done(service.post(path, {"reason": "insult"}))
    refused(service.post(path, {"reason": "insult"}), 409, "WRONG_PHASE", "message")
    refused(service.post(f"/v1/tables/{table}/chat/no/withdraw", {"reason": "x"}), 404, "NOT_FOUND", "message")
    removed = done(service.post(f"/v1/players/{ann}/chat/remove", {"reason": "insults"}))
    assert (removed["player"], removed["may_write"]) == (ann, False)
    refused(say(service, table, ann), 403, "FORBIDDEN", "player")
    (line,) = read(service, f"/v1/tables/{table}/chat", player=ann)["items"]
    assert (line["text"], line["withdrawn"]) == (None, True)
    (logged,) = read(service, f"/v1/tables/{table}/chat/log")["items"]
    assert (logged["text"], logged["withdrawn_reason"], logged["intact"]) == ("you fools", "insult", True)
    done(bet(service, open_round(service, table), ann, seat=None), 201)  # plays on
    done(service.post(f"/v1/players/{ann}/chat/restore", {"reason": "apologised"}))
    done(say(service, table, ann, "sorry"), 201)
    refused(service.post(f"/v1/players/{ann}/chat/restore", {"reason": "again"}), 409, "WRONG_PHASE", "player")


def test_S0_46_over_http_a_message_tells_the_player_that_the_round_is_investigated_and_how_it_ended(
    service: Service,
) -> None:
    table, ann = seated(service, EURO)
    round_ = open_round(service, table)
    done(bet(service, round_, ann), 201)
    own = f"/v1/rounds/{round_}/players/{ann}"
    assert read(service, own)["messages"] == []
    done(step(service, round_, "pause", {"reason": "card on the floor"}))
    (told,) = read(service, own)["messages"]
    assert told["notice"] == "UNDER_INVESTIGATION"
    assert "investigated" in told["text"]
    done(step(service, round_, "void", {"reason": "misdeal"}))
    assert [one["notice"] for one in read(service, own)["messages"]] == ["UNDER_INVESTIGATION", "VOIDED"]
    lines = read(service, f"/v1/tables/{table}/chat", player=ann)["items"]
    assert [(one["by"], one["notice"], one["round"]) for one in lines] == [
        ("SYSTEM", "VOIDED", round_),
        ("SYSTEM", "UNDER_INVESTIGATION", round_),
    ]
    assert "card on the floor" not in str(lines)  # the staff's own words are not the players'
