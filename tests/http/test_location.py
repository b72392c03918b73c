"""A 201 says where to read what it made, and so does the answer that repeats it."""

from __future__ import annotations

from tests.http.floor import EURO, bet, open_jackpot, open_round, open_table, read, register
from tests.service import Service


def test_the_location_of_every_201_is_read_by_the_same_key(service: Service) -> None:
    player, jackpot = register(service, "EUR", 100_000), open_jackpot(service, EURO, "EUR")
    table = open_table(service, EURO, "EUR", jackpot)
    round_ = open_round(service, table)
    reference = service.name("bank")
    body = {"amount": 5, "currency": "EUR", "transaction_id": reference}
    made = {
        f"/v1/transactions/by-reference/{reference}": service.post(f"/v1/players/{player}/deposits", body),
        f"/v1/players/{player}/account-history": service.post(
            f"/v1/players/{player}/adjustments", {"amount": 5, "reason": "found", "approver": "boss"}
        ),
        f"/v1/rounds/{round_}/players/{player}": bet(service, round_, player, 1000),
    }
    new = service.name("player")
    made[f"/v1/players/{new}/balance"] = service.post("/v1/players", {"player": new, "currency": "EUR"})
    other = open_table(service, EURO, "EUR", jackpot)
    opened = service.post(f"/v1/tables/{other}/rounds")
    made[f"/v1/rounds/{opened.json()['round']}"] = opened
    for path, answer in made.items():
        assert (answer.status_code, answer.headers.get("location")) == (201, path)
        read(service, path)


def test_an_answer_that_is_repeated_has_the_same_location_and_a_refusal_has_none(service: Service) -> None:
    player, key, reference = register(service), service.name("key"), service.name("bank")
    path = f"/v1/players/{player}/deposits"
    body = {"amount": 5, "currency": "EUR", "transaction_id": reference}
    first, again = service.post(path, body, key=key), service.post(path, body, key=key)
    other = service.post(path, body)
    assert (first.status_code, again.status_code, other.status_code) == (201, 201, 200)
    assert {one.headers["location"] for one in (first, again, other)} == {f"/v1/transactions/by-reference/{reference}"}
    assert "location" not in service.post(path, {**body, "amount": 6}).headers
    assert "location" not in service.post(f"/v1/transactions/{reference}/rollback").headers
    assert read(service, first.headers["location"])["amount"] == 5
