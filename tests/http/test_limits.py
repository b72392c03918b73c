"""A service whose keys are limited: what the answers tell, over HTTP (draft-ietf-httpapi-ratelimit-headers-10)."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator

import httpx2
import pytest

from tests.http.contract import Contract
from tests.http.floor import refused, register
from tests.http.keys import new_key
from tests.http.own import running
from tests.service import Service

LIMIT = 40


@pytest.fixture
def limited(service: Service) -> Iterator[Service]:
    """A service beside the shared one, on its database, at the beginning of a window."""
    told = {"STUDBOOK_RATE_LIMIT": f"{LIMIT}/hour", "STUDBOOK_FAILED_LOGINS": "5/hour"}
    with running(service.data_dir, **told) as other:
        yield other


def left(answer: httpx2.Response) -> int:
    """Requests left, by the header."""
    found = re.fullmatch(r'"key";r=(\d+);t=(\d+)', answer.headers["ratelimit"])
    assert found is not None, answer.headers
    assert 0 < int(found[2]) <= 3600
    assert answer.headers["ratelimit-policy"] == f'"key";q={LIMIT};w=3600'
    return int(found[1])


def deposits(service: Service, player: str, count: int) -> httpx2.Response:
    name = uuid.uuid4().hex
    items = [
        {"player": player, "amount": 1, "currency": "EUR", "transaction_id": f"{name}-{nth}"} for nth in range(count)
    ]
    return service.post("/v1/deposits/bulk", {"deposits": items})


def test_a_key_that_asks_too_often_is_429_and_a_bulk_call_counts_its_items(
    contract: Contract, service: Service, limited: Service
) -> None:
    player = register(service, "EUR")
    # given an answer, a refusal and a bulk call of ten
    assert left(limited.get(f"/v1/players/{player}/balance")) == LIMIT - 1
    assert left(limited.post("/v1/players", {"player": "?"})) == LIMIT - 2
    assert left(deposits(limited, player, 10)) == LIMIT - 12
    # when more items come than there is room for, then none is carried out and none counted
    told = deposits(limited, player, 30)
    problem = refused(told, 429, "RATE_LIMITED")
    assert (left(told), problem["retryable"], 0 < int(told.headers["retry-after"]) <= 3600) == (LIMIT - 13, True, True)
    last = deposits(limited, player, 27)
    assert left(last) == 0
    # and at its end nothing is, a read or a command
    refused(limited.get("/v1/tables"), 429, "RATE_LIMITED")
    refused(limited.post("/v1/players", {"player": "p", "currency": "EUR"}), 429, "RATE_LIMITED")
    newest = max(one["position"] for one in last.json()["results"])
    assert service.get(f"/v1/players/{player}/balance?min_position={newest}").json()["available"] == 37
    # and what needs no key is answered
    assert limited.get("/livez").status_code == 200
    assert "ratelimit" not in service.get("/v1/tables").headers
    contract.check("GET", "/v1/tables", told.status_code, told.headers, told.content)


def test_an_address_that_tries_keys_is_429_and_who_came_before_is_served(limited: Service) -> None:
    assert limited.get("/v1/tables").status_code == 200
    guess = {"Authorization": "Bearer sb_0123456789abcdef_" + "0" * 64}
    answers = [httpx2.get(f"{limited.url}/v1/tables", headers=guess, timeout=120) for _ in range(7)]
    assert [one.status_code for one in answers] == [401] * 5 + [429] * 2
    assert 0 < int(answers[-1].headers["retry-after"]) <= 3600
    time.sleep(1.1)  # the service asks its store again who that is
    assert limited.get("/v1/tables").status_code == 200


def test_guesses_at_the_exchange_for_tokens_count_as_those_at_every_other_door(limited: Service) -> None:
    form = {"grant_type": "client_credentials", "client_id": "0123456789abcdef"}

    def guess(nth: int) -> httpx2.Response:
        told = {**form, "client_secret": f"sb_0123456789abcdef_{nth:064x}"}
        return httpx2.post(f"{limited.url}/oauth/token", data=told, timeout=120)

    assert limited.get("/v1/tables").status_code == 200
    # when keys that nobody has are tried there, in the form
    answers = [guess(nth) for nth in range(7)]
    # then it is told no more whether they open, in the form of RFC 6749, there and elsewhere
    assert [one.status_code for one in answers] == [401] * 5 + [429] * 2
    assert answers[-1].json()["error"] == "temporarily_unavailable"
    assert 0 < int(answers[-1].headers["retry-after"]) <= 3600
    stranger = {"Authorization": "Bearer sb_0123456789abcdef_" + "f" * 64}
    other = httpx2.get(f"{limited.url}/v1/tables", headers=stranger, timeout=120)
    refused(other, 429, "RATE_LIMITED")
    # and a key that has opened before is exchanged all the same
    assert limited.get("/v1/tables").status_code == 200


def test_asking_for_tokens_counts_against_the_key(service: Service, limited: Service) -> None:
    made = new_key(service, "operator")
    form = {"grant_type": "client_credentials", "client_id": made["key_id"], "client_secret": made["key"]}
    answers = [httpx2.post(f"{limited.url}/oauth/token", data=form, timeout=120) for _ in range(LIMIT + 2)]
    assert [one.status_code for one in answers] == [200] * LIMIT + [429] * 2
    assert [left(one) for one in answers[:3]] == [LIMIT - 1, LIMIT - 2, LIMIT - 3]
    assert (left(answers[-1]), answers[-1].json()["error"]) == (0, "temporarily_unavailable")
