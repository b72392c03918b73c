"""A lost answer, asked about: by its key, by the operator's own reference, by the player's view (R5, R13)."""

from __future__ import annotations

import pytest

from tests.http.contract import Contract
from tests.http.floor import bet, deposit, done, head, money, new_round, read, refused, register, step
from tests.http.two_persons import persons
from tests.service import Service

BY_REFERENCE = "/v1/transactions/by-reference"


def test_R5_a_reference_is_DONE_then_ROLLED_BACK_and_an_unknown_one_NOT_FOUND_until_its_TOMBSTONE(
    service: Service,
) -> None:
    player, never = register(service), service.name("never")
    for kind, after in (("deposits", 700), ("withdrawals", 0)):
        name = deposit(service, player, 700, kind)["transaction_id"]
        assert read(service, f"{BY_REFERENCE}/{name}")["status"] == "DONE"
        assert money(service, player) == (after, 0)
        if kind == "withdrawals":
            assert done(service.post(f"/v1/transactions/{name}/rollback"))["status"] == "ROLLED_BACK"
            assert read(service, f"{BY_REFERENCE}/{name}")["status"] == "ROLLED_BACK"
    refused(service.get(f"{BY_REFERENCE}/{never}"), 404, "NOT_FOUND")
    assert done(service.post(f"/v1/transactions/{never}/rollback"))["status"] == "TOMBSTONED"
    found = read(service, f"{BY_REFERENCE}/{never}")
    assert (found["status"], found["player"], found["amount"]) == ("TOMBSTONED", None, None)
    body = {"amount": 1, "currency": "EUR", "transaction_id": never}
    for kind in ("deposits", "withdrawals"):
        late = service.post(f"/v1/players/{player}/{kind}", body)
        refused(late, 422, "IDEMPOTENCY_MISMATCH", "transaction_id")
    assert money(service, player) == (700, 0)


def test_F19_another_operators_reference_is_NOT_FOUND_in_the_words_of_one_that_never_was(
    service: Service, contract: Contract
) -> None:
    name = deposit(service, register(service), 700)["transaction_id"]
    with persons(service, contract) as others:
        theirs = refused(others["pit"].get(f"{BY_REFERENCE}/{name}"), 404, "NOT_FOUND")
        never = refused(others["pit"].get(f"{BY_REFERENCE}/never"), 404, "NOT_FOUND")
    differs = {key for key in theirs if theirs[key] != never[key]}
    assert differs == {"request_id"}


def test_a_lost_wager_is_asked_about_by_its_key_or_by_the_players_own_view(service: Service) -> None:
    player, round_, key = register(service, deposit=10_000), new_round(service), service.name("key")
    path, body = f"/v1/rounds/{round_}/wagers", {"player": player, "seat": 1, "ante": 500}
    placed = done(service.post(path, body, key=key), 201)
    wager = placed["wagers"][0]["wager"]
    view = read(service, f"/v1/rounds/{round_}/players/{player}")
    assert [one["wager"] for one in view["wagers"]] == [wager]
    refused(service.get(f"{BY_REFERENCE}/{wager}"), 404, "NOT_FOUND")
    again = service.post(path, body, key=key)
    assert (again.json(), again.headers["idempotency-replayed"]) == (placed, "true")
    assert money(service, player) == (8_500, 1_500)


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_lost_wager_sent_again_after_the_close_is_placed_only_if_it_was_before(
    service: Service, is_closed: bool
) -> None:
    """The late debit of a wager: what never arrived in time is refused, what did is told."""
    player, round_, key = register(service, deposit=10_000), new_round(service), service.name("key")
    path, body = f"/v1/rounds/{round_}/wagers", {"player": player, "seat": 1, "ante": 500}
    done(bet(service, round_, register(service, deposit=10_000), seat=2), 201)
    if not is_closed:
        done(service.post(path, body, key=key), 201)
    done(step(service, round_, "close"))
    before = head(service)
    again = service.post(path, body, key=key)
    if is_closed:
        refused(again, 409, "BETTING_CLOSED")
    else:
        assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")
    assert head(service) == before
