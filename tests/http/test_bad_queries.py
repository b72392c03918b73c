"""Query parameters that are wrong, unknown, doubled or forged: 422, never rows unfiltered (bug rows 21, 93)."""

from __future__ import annotations

import base64
import json

import pytest

from tests.api.bad_bodies import MARK
from tests.http.contract import Contract
from tests.http.floor import EURO, done, open_table, read, refused
from tests.http.scene import Scene, new_scene
from tests.service import Service

WHOLE = ["", "%00", "x", "NaN", "Infinity", "1e400", "1e2", "5.0", "0x10", "1_0", "%205", "+5", "--5", "-1", "true",
         "null", "9223372036854775808", "9" * 5000, "%D9%A1", "1;select%201", "[1]"]  # fmt: skip
MOMENTS = ["", "%00", "x", "0", "1e400", "nan", "99999999999", "2026-11-29", "2026-11-29T12:00:00", "2026-W48-7T12:00Z",
           "2026-13-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00%2B23:59", "0000-01-01T00:00:00Z",
           "2026-11-29T12:00:00%2B24:00", "2026-11-29T12:00:00Z;drop%20table%20x", "%C3%A9"]  # fmt: skip
FORGED = ["x", "%00", "====", "..%2F", "%C3%A9", "A" * 1024, "A" * 1025, "'--", "bnVsbA", "W10"]

BAD: dict[str, list[str]] = {
    "min_position": WHOLE,
    "limit": [*WHOLE, "0", "1001"],
    "after": WHOLE,
    "cursor": FORGED,
    "as_of": [one for one in MOMENTS if one not in {"0", "99999999999"}]
    + ["-1", "9223372036854775808", "1.5", "9" * 41],
    "wait": ["", "x", "-1", "31", "1.5", "1e1", "%00", "9" * 30],
    "type": ["", "wallet", "studbook", "studbook.%00", "studbook.A", "studbook.%25", "studbook." + "a" * 101],
    "subject": ["", "%00", "a%20b", "o'--", "s" * 201, "%F0%9F%82%A1", "%25"],
    "from": MOMENTS,
    "to": MOMENTS,
    "clock": ["", "%00", "RECORDED", "now", "recorded,effective"],
    "account": ["", "%00", "av%20ann", "o'--", "a" * 301, "%F0%9F%82%A1"],
    "round": ["", "%00", "a%2Fb", "a%20b", "r" * 65, "o'--", "..%2F"],
    "threshold": WHOLE,
    "explain": ["", "%00", "x", "a:b", "a:b:%00", "a:b:c%0A", ":" * 501],
    "currency": ["", "eur", "QQQ", "XAU", "%00", "o';drop%20table%20x--", "EUR,USD", "E" * 5000],
    "game_number": ["", "%00", "a%20b", "o';drop%20table%20x--", "g" * 101, "%F0%9F%82%A1"],
    "kind": ["", "%00", "denied", "DENIED'--", "D", "K" * 33, "DENIED%0A"],
    "player": ["", "%00", "a%2Fb", "a%20b", "p" * 65, "o'--", "%F0%9F%82%A1", "..%2F"],
    "table": ["", "%00", "a%2Fb", "a%20b", "t" * 65, "o'--", "%F0%9F%82%A1", "..%2F"],
}
"""By the parameter's name; a new one needs a row here."""


@pytest.fixture(scope="module")
def scene(service: Service) -> Scene:
    made = new_scene(service)
    open_table(service, EURO, "EUR")  # so that there is a second page of tables
    for nth in range(3):
        body = {"amount": 1 + nth, "currency": "EUR", "transaction_id": service.name("more")}
        done(service.post(f"/v1/players/{made.player}/deposits", body), 201)
    return made


def test_bug_070_bug_071_bug_093_a_bad_value_of_every_parameter_of_every_read_is_refused_with_its_name(
    contract: Contract, scene: Scene
) -> None:
    tried = 0
    for call in contract.operations("GET"):
        for name in call.named("query"):
            for value in BAD[name]:
                answer = scene.service.get(f"{call.url(scene.ids)}?{name}={value}")
                found = refused(answer, 422, "INVALID")
                assert found["field"] in {name, "game_number"}, f"{call}, {name}={value[:40]}: {answer.text}"
                tried += 1
    assert tried > 300


@pytest.mark.parametrize("query", ["statuss=void", "amount[equals]=100", "sort=amount;select%201", "LIMIT=1", "x", "=1",
                                   "%00=1", "group_by=1)--", f"{MARK}=1", "limit%20=1"])  # fmt: skip
def test_bug_021_an_unknown_parameter_of_every_read_is_refused_never_ignored(
    contract: Contract, scene: Scene, query: str
) -> None:
    for call in contract.operations("GET"):
        refused(scene.service.get(f"{call.url(scene.ids)}?{query}"), 422, "INVALID")


def test_bug_021_a_parameter_given_twice_is_refused_never_half_ignored(contract: Contract, scene: Scene) -> None:
    good = {"min_position": "0", "limit": "1", "after": "0", "as_of": "1", "currency": "EUR", "table": scene.table}
    for call in contract.operations("GET"):
        for name in call.named("query"):
            if value := good.get(name):
                answer = scene.service.get(f"{call.url(scene.ids)}?{name}={value}&{name}={value}")
                refused(answer, 422, "INVALID", name)


FORGED_PLACES = [b'["\\ud800","a"]', b'["a","\\udc00"]', b'{"a":1,"b":2}', b'"ab"', b'["a"]', b"[1,2]", b"null", b"NaN",
                 b'["a","\\u0000"]', b"\xff\xfe", b"[" * 500, b'["a", "b"]', b""]  # fmt: skip


def forged(cursor: str, text: bytes) -> str:
    """A cursor with its mark kept, so that it belongs to its question, and another place in it."""
    raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    return base64.urlsafe_b64encode(raw[:8] + text).decode().rstrip("=")


@pytest.mark.parametrize("text", FORGED_PLACES)
def test_a_cursor_forged_by_hand_is_no_cursor(service: Service, scene: Scene, text: bytes) -> None:
    for path in (f"/v1/players/{scene.player}/account-history", "/v1/tables", "/v1/journal"):
        first = read(service, path, limit=1)
        answer = service.get(path, params={"cursor": forged(first["next"], text)})
        refused(answer, 422, "INVALID", "cursor")


def test_a_cursor_led_to_another_players_rows_shows_none_of_them(service: Service, scene: Scene) -> None:
    other = new_scene(service)
    path = f"/v1/players/{scene.player}/account-history"
    cursor = read(service, path, limit=1)["next"]
    grp, key = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))[8:])
    led = json.dumps([grp.replace(scene.player, other.player), key + "~"], separators=(",", ":")).encode()
    found = done(service.get(path, params={"cursor": forged(cursor, led)}))
    mine = {one["transaction_id"] for one in done(service.get(path))["items"]}
    assert {one["transaction_id"] for one in found["items"]} <= mine


def test_a_cursor_of_another_question_is_refused(service: Service, scene: Scene) -> None:
    journal = read(service, "/v1/journal", limit=1)["next"]
    answer = service.get("/v1/journal", params={"cursor": journal, "currency": "EUR"})
    refused(answer, 422, "INVALID", "cursor")
    refused(service.get("/v1/tables", params={"cursor": journal}), 422, "INVALID", "cursor")


@pytest.mark.parametrize("query", ["", "table=a&game_number=b", "limit=5"])
def test_rounds_are_looked_up_by_one_of_game_number_and_table(service: Service, query: str) -> None:
    refused(service.get(f"/v1/rounds?{query}"), 422, "INVALID")


def test_the_journal_ends_after_it_begins(service: Service) -> None:
    query = {"from": "2026-02-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}
    refused(service.get("/v1/journal", params=query), 422, "INVALID", "to")
