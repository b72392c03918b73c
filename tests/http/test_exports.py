"""Reports and exports over HTTP: asked for, made by another process, fetched, kept apart, logged (R4, R5, R27)."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import time
import zipfile
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.http.floor import done, read, refused
from tests.http.keys import calling_with, new_key
from tests.service import Service

SECONDS = 150.0
"""A file is made in a moment; this only ends a test that would wait for ever."""


@pytest.fixture(scope="module")
def player(service: Service) -> str:
    name = service.name("player")
    done(service.post("/v1/players", {"player": name, "currency": "KWD"}), 201)
    body = {"amount": 1005, "currency": "KWD", "transaction_id": service.name("bank")}
    done(service.post(f"/v1/players/{name}/deposits", body), 201)
    return name


def asked(service: Service, **body: Any) -> dict[str, Any]:
    """An export once it is over."""
    return ended(service, service.post("/v1/exports", body))


def report(service: Service, name: str, **query: Any) -> dict[str, Any]:
    """A report: the answer itself, or, on a machine too busy for that, the file that the answer names."""
    answer = service.get(f"/v1/reports/{name}", params=query)
    if answer.status_code == 202:
        one = ended(service, answer)
        answer = service.get(one["file"])
    return done(answer)


def ended(service: Service, answer: httpx2.Response) -> dict[str, Any]:
    """The export that an answer with 202 tells of, once it is over."""
    one, until = done(answer, 202), time.monotonic() + SECONDS
    assert answer.headers["location"] == f"/v1/exports/{one['export']}"
    while one["status"] in {"WAITING", "RUNNING"} and time.monotonic() < until:
        time.sleep(0.05)
        one = done(service.get(answer.headers["location"]))
    return one


def test_a_file_is_asked_for_and_fetched_with_its_hash_name_and_totals(service: Service, player: str) -> None:
    one = asked(service, kind="trial-balance", format="csv", currency="KWD", to="2120-01-01T00:00:00Z")
    assert (one["status"], one["failure"], one["file_name"]) == ("DONE", None, "trial-balance-2120-01-01.csv")
    assert one["events_read"] == one["events"] >= one["position"] > 0
    answer = service.get(one["file"])
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8; header=present")
    assert answer.headers["content-disposition"] == f'attachment; filename="{one["file_name"]}"'
    assert hashlib.sha256(answer.content).hexdigest() == one["sha256"]
    assert (answer.headers["etag"], len(answer.content)) == (f'"{one["sha256"]}"', one["bytes"])
    rows = {row["account"]: row for row in csv.DictReader(io.StringIO(answer.text, newline=""))}
    assert rows[f"av/{player}"]["closing"] == "1.005"
    assert one["totals"]["accounts"]["rows"] == len(rows)
    assert one["totals"]["accounts"]["sums"]["closing_micro"] == {"KWD": "0"}
    again = service.get(one["file"], headers={"If-None-Match": f'"{one["sha256"]}"'})
    assert (again.status_code, again.content) == (304, b"")
    head = service.client.head(one["file"])
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(one["bytes"]))


@pytest.mark.parametrize(("kind", "form", "start"), [
    ("journal", "hledger", b"; studbook journal"), ("journal", "xlsx", b"PK"), ("journal", "parquet", b"PAR1"),
    ("events", "ndjson", b'{"specversion"'),
])  # fmt: skip
def test_every_form_is_made_by_the_process_of_serve(
    service: Service, player: str, kind: str, form: str, start: bytes
) -> None:
    one = asked(service, kind=kind, format=form)
    assert (one["status"], one["failure"]) == ("DONE", None)
    content = service.get(one["file"]).content
    assert content.startswith(start)
    if form == "xlsx":
        assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    if form == "ndjson":
        assert len(content.splitlines()) == one["totals"]["events"]["rows"]


def test_the_same_request_again_asks_once_and_another_under_its_key_is_refused(service: Service) -> None:
    body, key = {"kind": "journal", "format": "ndjson"}, service.name("key")
    first, second = (service.post("/v1/exports", body, key=key) for _ in range(2))
    assert (first.status_code, second.status_code, first.content) == (202, 202, second.content)
    assert second.headers["idempotency-replayed"] == "true"
    assert first.headers["location"] == second.headers["location"]
    refused(service.post("/v1/exports", {**body, "format": "csv"}, key=key), 422, "IDEMPOTENCY_MISMATCH")


@pytest.mark.parametrize(("body", "field"), [
    ({"kind": "diary"}, "kind"),
    ({"kind": "events"}, "format"),
    ({"kind": "trial-balance", "format": "hledger"}, "format"),
    ({"kind": "trial-balance", "table": "lines"}, "table"),
    ({"kind": "journal", "from": "2026-11-29"}, "from"),
    ({"kind": "journal", "from": "2026-11-30T00:00:00Z", "to": "2026-11-29T00:00:00Z"}, "to"),
    ({"kind": "journal", "format": "hledger", "clock": "effective"}, "clock"),
    ({"kind": "statement"}, "account"),
    ({"kind": "journal", "parameters": {"account": "cash"}}, "account"),
    ({"kind": "large-wins", "parameters": {"threshold": "many"}}, "threshold"),
])  # fmt: skip
def test_what_cannot_be_made_is_refused_at_once_with_the_name_of_the_field(
    service: Service, body: dict[str, Any], field: str
) -> None:
    refused(service.post("/v1/exports", {"format": "csv", **body}), 422, "INVALID", field)


def test_a_report_is_answered_at_once_with_what_was_just_written(service: Service, player: str) -> None:
    body = {"amount": 5, "currency": "KWD", "transaction_id": service.name("bank")}
    done(service.post(f"/v1/players/{player}/deposits", body), 201)
    found = report(service, "statement", account=f"av/{player}", currency="KWD")
    assert (found["report"], found["parameters"]) == ("statement", {"account": f"av/{player}"})
    assert str(1010 * 10**6) in json.dumps(found["tables"])


@pytest.mark.parametrize(
    ("name", "field", "asked_about"),
    [
        ("player-statement", "player", "nobody-here"), ("incident", "round", "no-such-round"),
        ("statement", "account", "av/nobody-here"), ("statement", "account", "m/no-such-pool"),
    ],
)  # fmt: skip
def test_a_report_about_what_is_not_there_names_the_field_and_does_not_read_as_no_activity(
    service: Service, name: str, field: str, asked_about: str
) -> None:
    answer = service.get(f"/v1/reports/{name}", params={field: asked_about})
    refused(answer, 422, "INVALID", field)
    assert asked_about.partition("/")[2] in answer.json()["detail"]
    body = {"kind": name, "format": "csv", "parameters": {field: asked_about}}
    refused(service.post("/v1/exports", body), 422, "INVALID", field)


def test_a_number_of_a_report_is_explained_by_its_events(service: Service, player: str) -> None:
    cell = f"accounts:closing_micro:KWD:av/{player}"
    found = report(service, "trial-balance", currency="KWD", explain=cell)
    amounts = [one["value"] for one in found["sources"] if one["column"] == "credit_micro"]
    assert sum(amounts) == found["cell"]
    assert {one["event"] for one in found["sources"]} == {"wallet.deposited.v1"}


def test_reports_are_listed_with_their_tables_and_parameters(service: Service) -> None:
    found = {one["name"]: one for one in done(service.get("/v1/reports"))["reports"]}
    [accounts, *_] = found["trial-balance"]["tables"]
    assert (accounts["name"], accounts["keys"]) == ("accounts", ["currency", "account"])
    assert {one["unit"] for one in accounts["columns"]} == {"micro"}
    assert [one["name"] for one in found["statement"]["parameters"]] == ["account"]


@pytest.mark.parametrize(("path", "status", "code", "field"), [
    ("horoscope", 404, "NOT_FOUND", "name"),
    ("statement", 422, "INVALID", "account"),
    ("trial-balance?player=ann", 422, "INVALID", "player"),
    ("trial-balance?explain=accounts:interest:EUR:cash", 422, "INVALID", "explain"),
    ("journal", 200, "", ""),
])  # fmt: skip
def test_a_question_that_a_report_has_no_answer_to_is_refused(
    service: Service, path: str, status: int, code: str, field: str
) -> None:
    answer = service.get(f"/v1/reports/{path}")
    if status == 200:
        done(answer)
    else:
        refused(answer, status, code, field)


@pytest.fixture(scope="module")
def finance(service: Service) -> Iterator[Service]:
    with calling_with(service, new_key(service, "finance")["key"]) as mine:
        yield mine


def test_the_events_are_for_auditors_ordered_or_fetched(service: Service, finance: Service) -> None:
    refused(finance.post("/v1/exports", {"kind": "events", "format": "ndjson"}), 403, "FORBIDDEN")
    one = asked(service, kind="events", format="ndjson")
    refused(finance.get(f"/v1/exports/{one['export']}"), 403, "FORBIDDEN")
    refused(finance.get(one["file"]), 403, "FORBIDDEN")


def test_orders_and_downloads_stand_in_the_access_log(service: Service, finance: Service) -> None:
    one = asked(finance, kind="journal", format="csv")
    assert finance.get(one["file"]).status_code == 200
    until, found = time.monotonic() + SECONDS, list[str]()
    while len(found) < 2 and time.monotonic() < until:
        time.sleep(0.1)
        lines = read(service, "/v1/access-log", kind="EXPORT", limit=100)["items"]
        found = [line["detail"] for line in lines if one["export"] in line["detail"]]
    assert sorted(text.rpartition(", ")[2] for text in found) == ["asked for", "fetched"]


def test_metrics_tell_how_many_exports_wait(service: Service) -> None:
    asked(service, kind="journal", format="csv")
    until, text, none = time.monotonic() + SECONDS, "", 'studbook_exports{state="waiting"} 0.0'
    while ('studbook_exports{state="done"}' not in text or none not in text) and time.monotonic() < until:
        time.sleep(0.2)
        text = httpx2.get(f"{service.url}/metrics", timeout=120).text
    assert none in text
    assert "studbook_exporter_age_seconds" in text
