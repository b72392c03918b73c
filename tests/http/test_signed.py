"""Signed requests over HTTP: what the page shows works; what was recorded and sent again has no new effect."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx2
import pytest

from tests.http.contract import Contract
from tests.http.floor import done, money, refused, register
from tests.http.keys import Captured, calling_with, captured, documented_signer, new_key
from tests.service import Service


@pytest.fixture(scope="module")
def made(service: Service) -> dict[str, Any]:
    return new_key(service, "operator", "dealer", signed=True)


@pytest.fixture(scope="module")
def player(service: Service) -> str:
    return register(service, "EUR")


def deposit(service: Service, made: dict[str, Any], player: str, **more: Any) -> Captured:
    name = service.name("bank")
    body = {"amount": 100, "currency": "EUR", "transaction_id": name}
    return captured(made, f"/v1/players/{player}/deposits", body, name, **more)


def failed(answer: httpx2.Response, check: str) -> dict[str, Any]:
    """An answer that must be a 401 naming this check and the server's time."""
    found = refused(answer, 401, "UNAUTHENTICATED")
    assert found["check"] == f"signature.{check}"
    said = datetime.fromisoformat(found["server_time"])
    assert abs((datetime.now(UTC) - said).total_seconds()) < 60
    return found


def test_the_signer_of_the_page_signs_commands_and_reads(service: Service, made: dict[str, Any]) -> None:
    sign: Callable[..., dict[str, str]] = documented_signer()
    secret, name = made["signing_secret"], service.name("player")
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret)
    body = f'{{"player": "{name}", "currency": "EUR"}}'
    with calling_with(service, made["key"]) as mine:
        headers = sign(secret, "POST", "/v1/players", body, name) | {"Idempotency-Key": name}
        known = done(mine.client.post("/v1/players", content=body, headers=headers), 201)
        target = f"/v1/players/{name}/balance?min_position={known['position']}"
        done(mine.get(target, headers=sign(secret, "GET", target, "")))
        failed(mine.get(f"/v1/players/{name}/balance", headers=sign(secret, "GET", target, "")), "id")


def test_bug_090_without_a_timestamp_at_301_s_and_ten_times_within_the_window(
    service: Service, made: dict[str, Any], player: str
) -> None:
    before = money(service, player)[0]
    for name in ("webhook_timestamp", "webhook_signature", "webhook_id"):
        failed(deposit(service, made, player).send(service, **{name: None}), "headers")
    assert "s behind" in failed(deposit(service, made, player, ago=301).send(service), "timestamp")["detail"]
    assert "ahead of" in failed(deposit(service, made, player, ago=-310).send(service), "timestamp")["detail"]
    assert money(service, player)[0] == before
    recorded = deposit(service, made, player)
    answers = [recorded.send(service) for _ in range(10)]
    assert {one.content for one in answers} == {answers[0].content}
    assert [one.headers.get("idempotency-replayed") for one in answers] == [None] + ["true"] * 9
    assert money(service, player)[0] == before + 100


def test_F20_a_recorded_request_opens_no_other_path_body_key_or_tenant(
    service: Service, made: dict[str, Any], player: str
) -> None:
    other = register(service, "EUR")
    before = [money(service, one)[0] for one in (player, other)]
    sent = deposit(service, made, player)
    moved = Captured("POST", sent.target.replace(player, other), sent.headers, sent.body)
    failed(moved.send(service), "id")
    failed(Captured("POST", f"/v1/players/{player}/withdrawals", sent.headers, sent.body).send(service), "id")
    failed(Captured("POST", sent.target, sent.headers, sent.body.replace(b"100", b"999")).send(service), "signature")
    failed(sent.send(service, idempotency_key=service.name("fresh")), "id")
    failed(sent.send(service, webhook_timestamp=str(int(datetime.now(UTC).timestamp()) + 9)), "signature")
    with_more = Captured("POST", sent.target + "?x=1", sent.headers, sent.body).send(service)
    assert with_more.status_code in {401, 422}
    assert [money(service, one)[0] for one in (player, other)] == before
    operator = service.name("other")
    assert service.studbook("keys", "operator", "add", operator).returncode == 0
    told = service.studbook("keys", "add", "boss", "--operator", operator, "--role", "operator", "--signed")
    theirs = re.search(r"^sb_\S+$", told.stdout, re.MULTILINE)
    assert theirs is not None, told
    failed(sent.send(service, authorization=f"Bearer {theirs[0]}"), "signature")
    failed(sent.send(service, authorization=f"Bearer {service.key}"), "key")
    assert [money(service, one)[0] for one in (player, other)] == before
    done(sent.send(service), 201)


def test_a_key_that_signs_is_refused_without_signature_at_every_call(
    service: Service, contract: Contract, made: dict[str, Any]
) -> None:
    with calling_with(service, new_key(service, "admin", "auditor", "operator", "finance", signed=True)["key"]) as mine:
        for call in [one for one in contract.operations() if one.described.get("security") != []]:
            url = call.url({})
            answer = mine.get(url) if call.method == "GET" else mine.send(call.method, url, {})
            failed(answer, "headers")


def test_a_bulk_call_is_signed_with_the_keys_of_its_items(service: Service, made: dict[str, Any], player: str) -> None:
    name, before = service.name("bulk"), money(service, player)[0]
    item = {"player": player, "amount": 7, "currency": "EUR", "transaction_id": name, "key": name}
    sent = captured(made, "/v1/deposits/bulk", {"deposits": [item]}, "")
    for _ in range(3):
        assert done(sent.send(service))["succeeded"] == 1
    failed(sent.send(service, idempotency_key="another"), "id")
    assert money(service, player)[0] == before + 7


def test_a_header_of_the_three_that_comes_twice_is_refused(service: Service, made: dict[str, Any]) -> None:
    name = service.name("player")
    sent = captured(made, "/v1/players", {"player": name, "currency": "EUR"}, name)
    headers = [*sent.headers.items(), ("webhook-signature", "v1,AAAA")]
    answer = httpx2.post(service.url + sent.target, content=sent.body, headers=headers, timeout=120)
    refused(answer, 400, "INVALID", "webhook-signature")


def test_a_rotated_key_signs_with_a_secret_of_its_own(service: Service) -> None:
    old = new_key(service, "operator", signed=True)
    new = done(service.post(f"/v1/keys/{old['key_id']}/rotate"), 201)
    assert new["signed"] is True
    assert new["signing_secret"] != old["signing_secret"]
    body, name = {"player": service.name("player"), "currency": "EUR"}, service.name("key")
    failed(
        captured(new | {"signing_secret": old["signing_secret"]}, "/v1/players", body, name).send(service), "signature"
    )
    done(captured(new, "/v1/players", body, name).send(service), 201)
