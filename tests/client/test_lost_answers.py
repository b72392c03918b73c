"""What a caller does when the network gave no answer at all (docs/for-operators.md)."""

from __future__ import annotations

import pytest

from api.client import IdempotencyMismatch, LostAnswer
from tests.client.network import through
from tests.faults.proxy import Cut
from tests.http.floor import money, register
from tests.service import Service


@pytest.mark.parametrize("cut", [Cut.AFTER_SEND, Cut.BEFORE_REPLY])
def test_a_deposit_whose_answer_was_lost_is_found_by_its_reference_and_made_once(service: Service, cut: Cut) -> None:
    player, reference = register(service), service.name("bank")
    with through(service, iter([cut]), attempts=1) as (casino, proxy):
        body = {"amount": 700, "currency": "EUR", "transaction_id": reference}
        with pytest.raises(LostAnswer) as lost:
            casino.deposit(player, **body)
        assert proxy.cuts == 1
        again = casino.deposit(player, **body, idempotency_key=lost.value.idempotency_key)
        assert again.balance.available == 700
        found = casino.find_transaction(reference)
        assert found is not None
        assert (found.status, found.amount, found.player) == ("DONE", 700, player)
    assert money(service, player) == (700, 0)


def test_a_withdrawal_that_never_arrived_is_kept_from_coming_late(service: Service) -> None:
    player, reference = register(service, deposit=1_000), service.name("bank")
    with through(service, iter([Cut.BEFORE_SEND]), attempts=1) as (casino, _):
        body = {"amount": 700, "currency": "EUR", "transaction_id": reference}
        with pytest.raises(LostAnswer, match="no answer"):
            casino.withdraw(player, **body)
        assert casino.find_transaction(reference) is None
        assert casino.roll_back_transaction(reference).status == "TOMBSTONED"
        with pytest.raises(IdempotencyMismatch):
            casino.withdraw(player, **body)
        found = casino.find_transaction(reference)
        assert found is not None
        assert found.status == "TOMBSTONED"
    assert money(service, player) == (1_000, 0)


def test_a_follower_that_starts_again_where_it_stopped_misses_nothing_and_hears_nothing_twice(service: Service) -> None:
    player = register(service)
    with through(service, iter([])) as (casino, _):
        before = casino.get_readyz().position
        for number in range(5):
            casino.deposit(player, amount=1 + number, currency="EUR", transaction_id=service.name("bank"))
        whole = [int(event.sequence) for event in casino.follow_events(before, until=casino.position, limit=2)]
        assert whole == sorted(set(whole))
        assert whole[-1] == casino.position
        first = whole[:3]
        rest = [int(event.sequence) for event in casino.follow_events(first[-1], until=casino.position)]
        assert first + rest == whole
