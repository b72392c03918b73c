"""OAuth 2.0 client credentials over HTTP (RFC 6749, 4.4 and 5.2)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_plus

import httpx2
import pytest

from tests.http.floor import done, refused
from tests.http.keys import calling_with, new_key
from tests.http.raw import connect, head_of, read_answer
from tests.service import Service

GRANT = {"grant_type": "client_credentials"}


@pytest.fixture(scope="module")
def made(service: Service) -> dict[str, Any]:
    return new_key(service, "dealer", "operator")


def ask(service: Service, form: Any, **more: Any) -> httpx2.Response:
    return httpx2.post(f"{service.url}/oauth/token", data=form, timeout=120, **more)


def credentials(made: dict[str, Any]) -> dict[str, str]:
    return {**GRANT, "client_id": made["key_id"], "client_secret": made["key"]}


def error(answer: httpx2.Response, status: int, code: str) -> str:
    """An answer that must be this error of RFC 6749; its description."""
    found = answer.json()
    assert (answer.status_code, found["error"]) == (status, code), answer.text
    assert found.keys() == {"error", "error_description"}
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-request-id"]
    assert ("www-authenticate" in answer.headers) == (status == 401)
    return str(found["error_description"])


def test_a_key_is_exchanged_for_a_token_in_the_form_and_by_basic(service: Service, made: dict[str, Any]) -> None:
    by_form = ask(service, credentials(made))
    by_basic = ask(service, GRANT, auth=(made["key_id"], made["key"]))
    escaped = ask(service, GRANT, auth=(quote_plus(made["key_id"]), quote_plus(made["key"])))
    for answer in (by_form, by_basic, escaped):
        found = done(answer)
        assert (found["token_type"], found["expires_in"], found["scope"]) == ("Bearer", 600, "dealer operator")
        assert (answer.headers["cache-control"], answer.headers["pragma"]) == ("no-store", "no-cache")
        with calling_with(service, found["access_token"]) as mine:
            done(mine.get("/v1/tables"))
            done(mine.post("/v1/players", {"player": service.name("player"), "currency": "EUR"}), 201)
            refused(mine.get("/v1/journal"), 403, "FORBIDDEN")


def test_a_scope_narrows_the_roles_and_cannot_widen_them(service: Service, made: dict[str, Any]) -> None:
    token = done(ask(service, credentials(made) | {"scope": "dealer"}))["access_token"]
    with calling_with(service, token) as mine:
        body = {"player": service.name("player"), "currency": "EUR"}
        refused(mine.post("/v1/players", body), 403, "FORBIDDEN")
    for scope in ("admin", "dealer admin", "dealers", " "):
        error(ask(service, credentials(made) | {"scope": scope}), 400, "invalid_scope")


def test_a_token_ends_with_its_key(service: Service) -> None:
    made = new_key(service, "dealer")
    token = done(ask(service, credentials(made)))["access_token"]
    with calling_with(service, token) as mine:
        done(mine.get("/v1/tables"))
        done(service.post(f"/v1/keys/{made['key_id']}/revoke"))
        assert refused(mine.get("/v1/tables"), 401, "UNAUTHENTICATED")["check"] == "token.key"
        assert refused(mine.post("/v1/tables/x/rounds"), 401, "UNAUTHENTICATED")["check"] == "token.key"
    error(ask(service, credentials(made)), 401, "invalid_client")


def test_a_token_is_exchanged_for_no_other(service: Service, made: dict[str, Any]) -> None:
    token = done(ask(service, credentials(made)))["access_token"]
    error(ask(service, credentials(made) | {"client_secret": token}), 401, "invalid_client")


def test_a_key_that_signs_gets_no_token(service: Service) -> None:
    signing = new_key(service, "dealer", signed=True)
    assert "sign" in error(ask(service, credentials(signing)), 400, "unauthorized_client")


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"grant_type": ""}, 400, "invalid_request"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"grant_type": "CLIENT_CREDENTIALS"}, 400, "unsupported_grant_type"),
        ({"client_secret": ""}, 401, "invalid_client"),
        ({"client_secret": "sb_0123456789abcdef_" + "0" * 64}, 401, "invalid_client"),
        ({"client_secret": "caf\u00e9-caf\u00e9-caf\u00e9-caf\u00e9"}, 401, "invalid_client"),
        ({"client_id": ""}, 401, "invalid_client"),
        ({"client_id": "0123456789abcdef"}, 401, "invalid_client"),
    ],
)
def test_what_is_wrong_is_told_in_the_form_of_the_rfc(
    service: Service, made: dict[str, Any], change: dict[str, str], status: int, code: str
) -> None:
    said = error(ask(service, credentials(made) | change), status, code)
    assert made["key"] not in said


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"grant_type", "application/x-www-form-urlencoded"),
        (b"\xff\xfe", "application/x-www-form-urlencoded"),
        (b"a=1&" * 50, "application/x-www-form-urlencoded"),
        (b"grant_type=client_credentials&grant_type=client_credentials", "application/x-www-form-urlencoded"),
        (b"a=" + b"x" * 9000, "application/x-www-form-urlencoded"),
        (b'{"grant_type": "client_credentials"}', "application/json"),
        (b"grant_type=client_credentials", "text/plain"),
    ],
)
def test_a_body_that_is_no_form_is_an_invalid_request(service: Service, raw: bytes, kind: str) -> None:
    answer = httpx2.post(f"{service.url}/oauth/token", content=raw, headers={"Content-Type": kind}, timeout=120)
    error(answer, 400, "invalid_request")


def test_credentials_in_two_places_or_in_the_url_are_refused(service: Service, made: dict[str, Any]) -> None:
    both = ask(service, credentials(made), auth=(made["key_id"], made["key"]))
    error(both, 400, "invalid_request")
    url = f"{service.url}/oauth/token?client_id={made['key_id']}"
    error(httpx2.post(url, data=credentials(made), timeout=120), 400, "invalid_request")
    differs = ask(service, GRANT | {"client_id": "x"}, auth=(made["key_id"], made["key"]))
    error(differs, 400, "invalid_request")


@pytest.mark.parametrize("header", ["Basic", "Basic !!", "Basic YQ==", "Bearer abc", "Basic /////w=="])
def test_a_header_that_is_no_basic_is_an_invalid_client(service: Service, header: str) -> None:
    error(ask(service, GRANT, headers={"Authorization": header}), 401, "invalid_client")


def test_F16_a_form_that_does_not_arrive_is_given_up_after_ten_seconds(service: Service) -> None:
    with connect(service) as sock:
        kind = "Content-Type: application/x-www-form-urlencoded"
        sock.sendall(head_of(service, "POST", "/oauth/token", kind, "Content-Length: 40", key=False) + b"grant_type=")
        answer = read_answer(sock)
    assert (answer.status, answer.code) == (408, "REQUEST_TIMEOUT")


def test_only_post_is_served_there(service: Service) -> None:
    assert httpx2.get(f"{service.url}/oauth/token", timeout=120).status_code == 405


def test_the_document_tells_where_tokens_come_from(service: Service) -> None:
    schemes = httpx2.get(f"{service.url}/openapi.json", timeout=120).json()["components"]["securitySchemes"]
    flow = schemes["token"]["flows"]["clientCredentials"]
    assert flow["tokenUrl"] == "/oauth/token"
    assert set(flow["scopes"]) == {"admin", "auditor", "dealer", "finance", "operator"}
