"""The typed client with a key that signs its requests."""

from __future__ import annotations

import pytest

from api.client import Client
from api.client.refusals import Unauthenticated
from tests.http.keys import new_key
from tests.service import Service


def test_the_client_signs_commands_reads_and_streams_of_a_key_that_signs(service: Service) -> None:
    made = new_key(service, "operator", signed=True)
    player, bank = service.name("a:b@c"), service.name("bank")
    with Client(service.url, made["key"], signing_secret=made["signing_secret"]) as casino:
        casino.register_player(player=player, currency="EUR")
        for _ in range(2):
            paid = casino.deposit(player, amount=7, currency="EUR", transaction_id=bank, idempotency_key=bank)
        assert casino.get_balance(player).available == 7
        assert casino.find_transaction(bank).status == "DONE"
        first = next(iter(casino.stream_events(after=paid.position - 1)))
        assert first.sequence == f"{paid.position:019d}"


def test_without_its_secret_or_with_another_the_key_opens_nothing(service: Service) -> None:
    made, other = (new_key(service, "operator", signed=True) for _ in range(2))
    for secret in (None, other["signing_secret"]):
        with Client(service.url, made["key"], signing_secret=secret) as casino, pytest.raises(Unauthenticated):
            casino.list_tables()
    for wrong in ("", "whsec_", "whsec_!"):
        with pytest.raises(ValueError, match="signing_secret"):
            Client(service.url, made["key"], signing_secret=wrong)
