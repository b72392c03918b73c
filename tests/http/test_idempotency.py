"""One key, one effect, one answer, for ever (R13, F05, bug rows 13 and 81)."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2

from tests.http.floor import EURO, bet, done, head, money, new_round, open_table, read, refused, register, step
from tests.http.own import running
from tests.service import Service


def same(first: httpx2.Response, again: httpx2.Response) -> None:
    """The second answer is the first one, byte by byte, and says so."""
    assert again.content == first.content
    assert again.status_code == first.status_code
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["content-type"] == first.headers["content-type"]
    assert again.headers["x-request-id"] != first.headers["x-request-id"]


def test_R13_a_replay_of_every_step_of_a_round_is_byte_equal_and_without_effect(service: Service) -> None:
    table, player = open_table(service, EURO, "EUR"), register(service, "EUR", 100_000)
    opening = service.post(f"/v1/tables/{table}/rounds", key=table)
    same(opening, service.post(f"/v1/tables/{table}/rounds", key=table))
    path = f"/v1/rounds/{opening.json()['round']}"
    steps: list[tuple[str, Any]] = [
        ("wagers", {"player": player, "seat": 1, "ante": 700}),
        ("undo", {"player": player}),
        ("wagers", {"player": player, "seat": 2, "ante": 800}),
        ("pause", {"reason": "why \u00e9"}),
        ("resume", {"reason": "all clear"}),
        ("close", {}),
        ("deal", {}),
        ("decisions", {"player": player, "decision": "call"}),
        ("settle", {}),
        ("void", {"reason": "r", "policy": "CLAW_BACK", "approver": "a"}),
    ]
    sent = []
    for nth, (what, body) in enumerate(steps):
        sent.append((f"{path}/{what}", body, f"{player}-{nth}"))
        first = service.post(sent[-1][0], body, key=sent[-1][2])
        assert first.status_code in {200, 201}, first.text
        before = head(service), money(service, player)
        same(first, service.post(sent[-1][0], body, key=sent[-1][2]))
        assert (head(service), money(service, player)) == before
    # when the round is long over, each is still the answer of then
    for target, body, key in sent:
        assert service.post(target, body, key=key).headers["idempotency-replayed"] == "true"
    assert (head(service), money(service, player)) == before


def test_R13_white_space_and_the_order_of_fields_do_not_count(service: Service) -> None:
    player, key = service.name("player"), service.name("key")
    first = service.post("/v1/players", {"player": player, "currency": "EUR"}, key=key)
    raw = json.dumps({"currency": "EUR", "player": player}, indent=4)
    again = service.client.post("/v1/players", content=raw, headers={"Idempotency-Key": key})
    same(first, again)


def test_bug_013_a_key_with_another_body_or_path_is_a_mismatch_and_the_first_answer_is_still_replayed(
    service: Service,
) -> None:
    player, other, key = register(service, "EUR"), register(service, "EUR"), service.name("key")
    body = {"amount": 500, "currency": "EUR", "transaction_id": key}
    first = service.post(f"/v1/players/{player}/deposits", body, key=key)
    done(first, 201)
    for path, wrong in (
        (f"/v1/players/{player}/deposits", {**body, "amount": 700}),
        (f"/v1/players/{player}/deposits", {**body, "transaction_id": "another"}),
        (f"/v1/players/{other}/deposits", body),
        (f"/v1/players/{player}/withdrawals", body),
        ("/v1/players", {"player": service.name("player"), "currency": "EUR"}),
    ):
        found = refused(service.post(path, wrong, key=key), 422, "IDEMPOTENCY_MISMATCH")
        assert found["field"] == "Idempotency-Key"
    same(first, service.post(f"/v1/players/{player}/deposits", body, key=key))
    assert (money(service, player), money(service, other)) == ((500, 0), (0, 0))


def test_bug_013_a_key_of_a_debit_of_500_serves_none_of_700_nor_one_of_another_player(service: Service) -> None:
    player, other, key = register(service, "EUR", 10_000), register(service, "EUR", 10_000), service.name("key")
    body = {"amount": 500, "currency": "EUR", "transaction_id": key}
    first = service.post(f"/v1/players/{player}/withdrawals", body, key=key)
    done(first, 201)
    for who, wrong in ((player, {**body, "amount": 700}), (player, {**body, "transaction_id": "t2"}), (other, body)):
        refused(service.post(f"/v1/players/{who}/withdrawals", wrong, key=key), 422, "IDEMPOTENCY_MISMATCH")
    same(first, service.post(f"/v1/players/{player}/withdrawals", body, key=key))
    assert (money(service, player), money(service, other)) == ((9_500, 0), (10_000, 0))


def test_bug_013_a_key_of_a_void_serves_no_other_round(service: Service) -> None:
    key, first, second = service.name("key"), new_round(service), new_round(service)
    answer = service.post(f"/v1/rounds/{first}/void", key=key)
    done(answer)
    refused(service.post(f"/v1/rounds/{second}/void", key=key), 422, "IDEMPOTENCY_MISMATCH")
    refused(service.post(f"/v1/rounds/{first}/void", {"reason": "other"}, key=key), 422, "IDEMPOTENCY_MISMATCH")
    same(answer, service.post(f"/v1/rounds/{first}/void", key=key))
    assert read(service, f"/v1/rounds/{second}")["phase"] == "BETTING_OPEN"


def test_a_transaction_id_again_answers_200_with_the_first_answer_under_any_key(service: Service) -> None:
    player, other = register(service, "EUR"), register(service, "EUR")
    body = {"amount": 500, "currency": "EUR", "transaction_id": service.name("bank")}
    first = service.post(f"/v1/players/{player}/deposits", body)
    assert first.status_code == 201
    for _ in range(2):
        again = service.post(f"/v1/players/{player}/deposits", body)
        assert (again.status_code, again.content) == (200, first.content)
        assert again.headers["idempotency-replayed"] == "true"
    # another amount, player or kind is a mismatch
    refused(service.post(f"/v1/players/{player}/deposits", {**body, "amount": 501}), 422, "IDEMPOTENCY_MISMATCH")
    refused(service.post(f"/v1/players/{other}/deposits", body), 422, "IDEMPOTENCY_MISMATCH")
    refused(service.post(f"/v1/players/{player}/withdrawals", body), 422, "IDEMPOTENCY_MISMATCH")
    assert (money(service, player), money(service, other)) == ((500, 0), (0, 0))


def test_a_key_that_repeated_a_transaction_keeps_its_answer_of_200(service: Service) -> None:
    player, key = register(service, "EUR"), service.name("key")
    body = {"amount": 500, "currency": "EUR", "transaction_id": service.name("bank")}
    done(service.post(f"/v1/players/{player}/deposits", body), 201)
    for _ in range(2):
        assert service.post(f"/v1/players/{player}/deposits", body, key=key).status_code == 200
    refused(service.post(f"/v1/players/{player}/deposits", {**body, "amount": 1}, key=key), 422, "IDEMPOTENCY_MISMATCH")


def test_a_refusal_burns_neither_key_nor_transaction_id(service: Service) -> None:
    player, key = register(service, "EUR", 100), service.name("key")
    body = {"amount": 500, "currency": "EUR", "transaction_id": service.name("bank")}
    path = f"/v1/players/{player}/withdrawals"
    refused(service.post(path, body, key=key), 409, "INSUFFICIENT_FUNDS")
    refused(service.post(path, {**body, "amount": -1}, key=key), 422, "INVALID")
    deposit = {"amount": 400, "currency": "EUR", "transaction_id": service.name("bank")}
    done(service.post(f"/v1/players/{player}/deposits", deposit), 201)
    first = service.post(path, body, key=key)
    done(first, 201)
    same(first, service.post(path, body, key=key))
    assert money(service, player) == (0, 0)


def test_bug_081_twenty_parallel_requests_of_one_key_have_one_effect_and_one_answer(service: Service) -> None:
    player, key = register(service, "EUR", 10_000), service.name("key")
    round_ = new_round(service)
    body = {"player": player, "seat": 1, "ante": 500}
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: service.post(f"/v1/rounds/{round_}/wagers", body, key=key), range(20)))
    assert {one.status_code for one in answers} == {201}
    assert len({one.content for one in answers}) == 1
    assert sum("idempotency-replayed" not in one.headers for one in answers) == 1
    assert money(service, player) == (8_500, 1_500)


def test_bug_081_twenty_parallel_requests_of_one_transaction_under_keys_of_their_own_pay_once(service: Service) -> None:
    player = register(service, "EUR")
    body = {"amount": 100, "currency": "EUR", "transaction_id": service.name("bank")}
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: service.post(f"/v1/players/{player}/deposits", body), range(20)))
    assert sorted(one.status_code for one in answers) == [200] * 19 + [201]
    assert len({one.content for one in answers}) == 1
    assert money(service, player) == (100, 0)


def test_keys_and_transaction_ids_live_through_a_restart_of_the_service(service: Service) -> None:
    player, key = register(service, "EUR", 10_000), service.name("key")
    deposit = {"amount": 5, "currency": "EUR", "transaction_id": key}
    wager = {"player": player, "seat": 1, "ante": 500}
    with running(service.data_dir) as first:
        round_ = new_round(first)
        placed = first.post(f"/v1/rounds/{round_}/wagers", wager, key=f"{key}-1")
        paid = first.post(f"/v1/players/{player}/deposits", deposit, key=f"{key}-2")
        done(step(first, round_, "close"))
        dealt = first.post(f"/v1/rounds/{round_}/deal", key=f"{key}-3")
        own = done(first.get(f"/v1/rounds/{round_}/players/{player}"))
    with running(service.data_dir) as second:
        same(placed, second.post(f"/v1/rounds/{round_}/wagers", wager, key=f"{key}-1"))
        same(dealt, second.post(f"/v1/rounds/{round_}/deal", key=f"{key}-3"))
        again = second.post(f"/v1/players/{player}/deposits", deposit)
        assert (again.status_code, again.content) == (200, paid.content)
        mismatch = second.post(f"/v1/players/{player}/deposits", deposit, key=f"{key}-1")
        refused(mismatch, 422, "IDEMPOTENCY_MISMATCH")
        # and the round goes on with the same cards
        assert done(second.get(f"/v1/rounds/{round_}/players/{player}")) == own
        refused(bet(second, round_, player), 409, "BETTING_CLOSED")
        assert done(step(second, round_, "settle"))["phase"] == "SETTLED"
    assert money(service, player)[1] == 0
