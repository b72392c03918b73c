"""The service's own document is valid, whole and what the service does; /docs asks nothing of the outside (R26)."""

from __future__ import annotations

import re
from collections import Counter

import httpx2
import pytest
from openapi_spec_validator import validate

from tests.http.contract import Contract
from tests.http.floor import EURO, open_jackpot, read
from tests.service import Service

CONTRACT = """\
POST /v1/players · POST /v1/players/{player}/deposits · POST /v1/players/{player}/withdrawals
GET /v1/players/{player}/balance · GET /v1/players/{player}/account-history · GET /v1/players/{player}/game-history
POST /v1/jackpots · GET /v1/jackpots/{jackpot} · POST /v1/tables · GET /v1/tables · POST /v1/tables/{table}/rounds
POST /v1/rounds/{round}/wagers · POST /v1/rounds/{round}/wagers/bulk
POST /v1/rounds/{round}/undo · POST /v1/rounds/{round}/close
POST /v1/rounds/{round}/deal · POST /v1/rounds/{round}/decisions · POST /v1/rounds/{round}/settle
GET /v1/rounds/{round} · GET /v1/rounds · GET /v1/rounds/{round}/players/{player} · GET /v1/rounds/{round}/events
POST /v1/rounds/{round}/pause · POST /v1/rounds/{round}/resume · POST /v1/rounds/{round}/void
POST /v1/rounds/{round}/leave · GET /v1/events · GET /v1/journal
GET /v1/transactions/by-reference/{transaction_id} · GET /livez · GET /readyz · GET /metrics"""

CODES = """\
INSUFFICIENT_FUNDS BELOW_MINIMUM ABOVE_MAXIMUM BETTING_CLOSED WRONG_PHASE SEAT_TAKEN ALREADY_SEATED DUPLICATE_CARD
IDEMPOTENCY_MISMATCH ALREADY_VOIDED NOT_FOUND FORBIDDEN UNAUTHENTICATED INVALID TOO_LARGE RATE_LIMITED UNAVAILABLE
LIMIT_REACHED TABLE_LIMIT CURRENCY_MISMATCH"""


def test_the_document_is_valid_openapi_3_2(contract: Contract) -> None:
    validate(contract.document)
    assert contract.document["openapi"].startswith("3.2")


def test_the_calls_that_we_make_are_described_with_the_schema_of_an_event(contract: Contract) -> None:
    call = contract.document["webhooks"]["event"]["post"]
    ref = call["requestBody"]["content"]["application/cloudevents+json"]["schema"]
    assert set(contract.resolved(ref)["required"]) >= {"specversion", "id", "source", "type"}
    assert [one["name"] for one in call["parameters"]] == ["webhook-id", "webhook-timestamp", "webhook-signature"]


def test_every_call_of_the_contract_is_in_the_document(contract: Contract) -> None:
    wanted = {one.strip() for one in re.split("[·\n]", CONTRACT)}
    assert wanted - {str(one) for one in contract.operations()} == set()


def test_every_operation_has_a_name_of_its_own_a_summary_and_its_answers(contract: Contract) -> None:
    calls = contract.operations()
    names = Counter(one.described["operationId"] for one in calls)
    assert [name for name, times in names.items() if times > 1] == []
    for one in calls:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", one.described["operationId"]), one
        assert one.described["summary"], one
        assert one.described["tags"], one
        responses = one.described["responses"]
        good = [status for status in responses if status.startswith("2")]
        assert good, one
        for status in good:
            assert all("schema" in kind and kind["schema"] for kind in responses[status]["content"].values()), one
        if one.described.get("security") != []:
            assert {"401", "403", "422", "503", "default"} <= set(responses), one
        if one.method == "POST":
            assert {"400", "413"} <= set(responses), one
            is_bulk = one.path.endswith("/bulk")
            assert [p["required"] for p in one.parameters if p["name"] == "Idempotency-Key"] == [not is_bulk], one


def test_two_answers_that_are_called_alike_have_schemas_of_their_own(contract: Contract, service: Service) -> None:
    """A read's and a command's answer about a pool differ: each is held to its own."""
    jackpot = open_jackpot(service, EURO, "EUR")
    read(service, f"/v1/jackpots/{jackpot}")
    refs = {}
    for method, path, status in (("POST", "/v1/jackpots", "201"), ("GET", "/v1/jackpots/{jackpot}", "200")):
        described = contract.document["paths"][path][method.lower()]["responses"][status]
        refs[method] = described["content"]["application/json"]["schema"]["$ref"]
    assert refs["POST"] != refs["GET"]
    assert "pending_micro" in contract.resolved({"$ref": refs["GET"]})["required"]
    assert "pending_micro" not in contract.resolved({"$ref": refs["POST"]})["properties"]


def test_an_answer_that_the_document_does_not_describe_would_be_found(contract: Contract) -> None:
    headers = {"x-request-id": "1", "content-type": "application/json"}
    with pytest.raises(AssertionError, match="position"):
        contract.check("POST", "/v1/players", 201, headers, b'{"player":"a","currency":"EUR"}')
    with pytest.raises(AssertionError, match="not documented"):
        contract.check("POST", "/v1/players", 204, headers, b"")
    with pytest.raises(AssertionError, match="integer"):
        contract.check("GET", "/v1/players/a/balance", 200, headers, b'{"player":"a","available":"1"}')


def test_the_docs_page_and_its_files_come_from_the_service_alone(service: Service) -> None:
    with httpx2.Client(base_url=service.url, timeout=120) as client:
        page = client.get("/docs")
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert page.headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in page.headers["content-security-policy"]
        assert re.findall(r"(?:https?:)?//[a-z]", page.text) == []
        assert "<script>" not in page.text, "a script within the page would be refused by its own policy"
        links = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
        kinds = {link: client.get(link).headers["content-type"].partition(";")[0] for link in links}
        assert kinds == {
            "/docs/static/swagger-ui.css": "text/css",
            "/docs/static/swagger-ui-bundle.js": "text/javascript",
            "/docs/static/start.js": "text/javascript",
        }
        assert client.get("/docs/static/start.js").text.count("/openapi.json") == 1
        assert "Apache License" in client.get("/docs/static/LICENSE").text
        for path in (
            "/docs/static/",
            "/docs/static/none.js",
            "/docs/static/..%2f..%2fauth.py",
            "/docs/oauth2-redirect",
        ):
            assert client.get(path).status_code == 404


def test_the_page_of_problems_explains_every_code_of_the_contract(service: Service) -> None:
    page = httpx2.get(f"{service.url}/docs/problems", timeout=120).text
    for code in CODES.split():
        assert f'id="{code}"' in page, code
