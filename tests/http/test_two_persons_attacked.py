"""A proposer who wants to let his own proposal happen, and a world that changed before the second person agreed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from tests.http.contract import Contract
from tests.http.floor import DEALER, done, money, played, read, refused, register, step
from tests.http.keys import calling_with, key_of
from tests.http.two_persons import Persons
from tests.http.two_persons import persons as of_a_strict_operator
from tests.service import Service

WHY = {"reason": "miscount"}


@pytest.fixture(scope="module")
def persons(service: Service, contract: Contract) -> Iterator[Persons]:
    with of_a_strict_operator(service, contract) as found:
        yield found


def asked(who: Service, player: str, amount: int = -500) -> str:
    """A proposal to adjust a balance."""
    return str(done(who.post(f"/v1/players/{player}/adjustments", {"amount": amount, **WHY}), 202)["approval"])


def token(service: Service, key_id: str, key: str, scope: str) -> str:
    form = {"grant_type": "client_credentials", "client_id": key_id, "client_secret": key, "scope": scope}
    return str(done(httpx2.post(f"{service.url}/oauth/token", data=form, timeout=120))["access_token"])


def test_R23_no_key_and_no_token_of_the_proposer_approves_whatever_becomes_of_the_key_that_proposed(
    service: Service, persons: Persons
) -> None:
    pit, boss, player = persons["pit"], persons["boss"], register(persons["pit"], deposit=10_000)
    # given a person of the books with a key of its own, who proposes with it
    first = done(boss.post("/v1/keys", {"subject": "clerk", "roles": ["finance", "operator"]}), 201)
    with calling_with(pit, first["key"]) as clerk:
        approval = asked(clerk, player)
        refused(clerk.post(f"/v1/approvals/{approval}"), 403, "FORBIDDEN")
    # when the key is replaced, exchanged and revoked
    second = done(boss.post(f"/v1/keys/{first['key_id']}/rotate"), 201)
    done(boss.post(f"/v1/keys/{first['key_id']}/revoke"))
    shown = [second["key"]]
    shown += [token(service, second["key_id"], second["key"], one) for one in ("finance", "finance operator")]
    # then neither the new one, nor a token of it, nor all at once let it happen
    for one in shown:
        with calling_with(pit, one) as clerk:
            refused(clerk.post(f"/v1/approvals/{approval}"), 403, "FORBIDDEN")
    with calling_with(pit, second["key"]) as clerk, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: clerk.post(f"/v1/approvals/{approval}").status_code, range(16)))
    assert answers == [403] * 16
    assert money(pit, player) == (10_000, 0)
    # and another person does, once
    done(pit.post(f"/v1/approvals/{approval}"))
    assert money(pit, player) == (9_500, 0)
    assert read(pit, f"/v1/approvals/{approval}")["proposer"] == "clerk"


def test_R13_an_approval_that_was_recorded_lets_nothing_else_happen(service: Service, persons: Persons) -> None:
    pit, boss, player = persons["pit"], persons["boss"], register(persons["pit"], deposit=10_000)
    first, second, key = asked(pit, player), asked(pit, player), pit.name("key")
    done(boss.post(f"/v1/approvals/{first}", key=key))
    refused(boss.post(f"/v1/approvals/{second}", key=key), 422, "IDEMPOTENCY_MISMATCH")
    refused(boss.post(f"/v1/approvals/{first}"), 409, "WRONG_PHASE")
    assert read(pit, f"/v1/approvals/{second}")["status"] == "OPEN"
    assert money(pit, player) == (9_500, 0)
    # and who sends it again for the approver gets the answer of then, and nothing happens
    again = pit.post(f"/v1/approvals/{first}", key=key)
    assert again.headers["idempotency-replayed"] == "true"
    assert money(pit, player) == (9_500, 0)
    with calling_with(pit, key_of(service, service.name("house"), "strict", "boss").key) as stranger:
        for sent in (None, key):
            answer = stranger.post(f"/v1/approvals/{second}", key=sent)
            refused(answer, 404, "NOT_FOUND", "approval")


def test_C19_what_was_proposed_is_decided_on_what_the_round_has_become_since(persons: Persons) -> None:
    pit, boss = persons["pit"], persons["boss"]
    player = register(pit, deposit=10_000)
    round_, _ = played(pit, player)
    cards = {"seats": {"1": ["2c", "3d", "5h", "7s", "9c"]}, "dealer": DEALER, "policy": "CLAW_BACK", **WHY}
    again = str(done(step(pit, round_, "resettle", cards), 202)["approval"])
    void = str(done(step(pit, round_, "void", {"policy": "CLAW_BACK", **WHY}), 202)["approval"])
    done(boss.post(f"/v1/approvals/{void}"))
    assert money(pit, player) == (10_000, 0)
    # a resettlement of a round that is void by now does not happen, and does not look as if it had
    answer = boss.post(f"/v1/approvals/{again}")
    assert answer.status_code == 409, answer.text
    assert read(pit, f"/v1/approvals/{again}")["status"] == "OPEN"
    assert money(pit, player) == (10_000, 0)
    done(boss.post(f"/v1/approvals/{again}", {"decision": "REJECT", "reason": "void"}))
