"""Checks of money: a repeated call moves it once, a lost one can be asked about."""

from __future__ import annotations

from typing import Final

from api.client import Forbidden, IdempotencyMismatch
from api.conformance.world import CURRENCIES, Failed, World, should

MONEY: Final = 1_000_000
OURS: Final = "This is a fault of the service: tell who runs it, with this output"


def wallet(world: World) -> None:
    """two players are registered and money is brought in"""
    for currency in CURRENCIES:
        player, once = world.player(currency), world.name(f"in-{currency}")
        try:
            world.casino.register_player(player=player, currency=currency)
            done = world.casino.deposit(
                player, amount=MONEY, currency=currency, transaction_id=once, idempotency_key=once
            )
        except Forbidden as refusal:
            raise Failed(refusal.detail, "The casino's own systems need a key with the role operator") from None
        should(done.balance.available == MONEY, f"the balance after it is {done.balance.available}", OURS)


def repeated(world: World) -> None:
    """the same deposit sent again gets the same answer and moves nothing"""
    player, once = world.player("EUR"), world.name("in-EUR")
    path = f"/v1/players/{player}/deposits"
    body = {"amount": MONEY, "currency": "EUR", "transaction_id": once}
    answers = [world.post(path, body, once) for _ in range(2)]
    should(answers[0].content == answers[1].content, "two answers to one key differ", OURS)
    replayed = answers[1].headers.get("idempotency-replayed")
    remedy = "A proxy drops the header Idempotency-Replayed, or changes the body so that it is another request"
    should(replayed == "true", f"{answers[1].status_code}, Idempotency-Replayed is {replayed}", remedy)
    other = world.post(path, {**body, "amount": 1}, once)
    code = other.json().get("code")
    should(code == "IDEMPOTENCY_MISMATCH", f"the same key with another amount answers {code}", OURS)
    available = world.casino.get_balance(player).available
    should(available == MONEY, f"the balance is {available}", OURS)


def asked_about(world: World) -> None:
    """a deposit is found by its own id, and one that was never made is not"""
    found = world.casino.find_transaction(world.name("in-EUR"))
    should(found is not None and found.status == "DONE", f"by reference: {found and found.status}", OURS)
    should(world.casino.find_transaction(world.name("never")) is None, "one that was never made is found", OURS)


def kept_out(world: World) -> None:
    """a withdrawal that was rolled back before it came stays out"""
    late = world.name("late")
    rolled = world.casino.roll_back_transaction(late)
    should(rolled.status == "TOMBSTONED", f"an unknown id is {rolled.status}", OURS)
    try:
        world.casino.withdraw(world.player("EUR"), amount=1, currency="EUR", transaction_id=late)
    except IdempotencyMismatch:
        return
    raise Failed("the late withdrawal was carried out", OURS)


def paid_out(world: World) -> None:
    """the money goes out again, to the last unit"""
    for currency in CURRENCIES:
        player, out = world.player(currency), world.name(f"out-{currency}")
        there = world.casino.get_balance(player)
        should(there.held == 0, f"{there.held} is still held", OURS)
        done = world.casino.withdraw(player, amount=there.available, currency=currency, transaction_id=out)
        should(done.balance.available == 0, f"{done.balance.available} is left", OURS)
