"""What the deliverer takes up, fairly; and what it signs with when a key is missing."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from standardwebhooks import WebhookVerificationError

from adapters.database.pools import request_pool
from adapters.deliverer import Flight, Names, Sending, new_secret
from adapters.deliverer.following import Counts, Endpointed
from adapters.deliverer.store import ORDERS_OF_ONE, DelivererStore
from adapters.vault import VaultError
from tests.postgres import Database
from tests.support.receiver import receiving

HOOK = """INSERT INTO webhooks (operator, webhook, url, types, active, position)
    VALUES (%s, 'h', 'https://a/', '{x}', true, 0)"""
ORDER = """INSERT INTO webhook_orders (operator, webhook, message)
    SELECT %s, 'h', 'm' || nth FROM generate_series(1, %s) nth"""


async def test_what_one_operator_has_ordered_stands_in_no_others_way(database: Database) -> None:
    for operator, count in (("slow", 300), ("quick", 1)):
        with database.connect("request", operator=operator) as conn:
            conn.execute(HOOK, [operator])
            conn.execute(ORDER, [operator, count])
    pool = request_pool(database.conninfo("projector"), 1, "studbook test", autocommit=True)
    await pool.open()
    try:
        found = [one.operator for one in await DelivererStore(pool).orders()]
    finally:
        await pool.close()
    assert (found.count("quick"), found.count("slow")) == (1, ORDERS_OF_ONE)


class Kept:
    """Sealed secrets: one of now, and those that a key which is gone has sealed."""

    def __init__(self, *secrets: tuple[str, datetime | None]) -> None:
        self._secrets = list(secrets)

    async def secrets(self, _operator: str, _webhook: str) -> list[tuple[str, datetime | None]]:
        return self._secrets


def calls_of(kept: Any, url: str) -> Endpointed:
    def opened(sealed: str, _operator: str, _webhook: str) -> str:
        if sealed == "lost":
            raise VaultError("key 01234567 is not here")
        return sealed

    allowed, tls = (ip_network("127.0.0.0/8"),), ssl.create_default_context()
    sending = Sending(lambda _: b"{}", opened, allowed, tls, "studbook", Flight(), Names())
    return Endpointed(kept, sending, Counts(), ("lucky", "h"), url)


async def test_a_secret_that_no_key_opens_is_left_out_once_a_rotation_has_put_another_in_its_place() -> None:
    new, gone = new_secret(), new_secret()
    soon, past = datetime.now(UTC) + timedelta(hours=1), datetime.now(UTC) - timedelta(hours=1)
    with receiving() as receiver:
        calls = calls_of(Kept((new, None), ("lost", soon), (gone, past)), receiver.url)
        await calls.learn_secrets()
        tried, _ = await calls.send("msg_1", "studbook.x", b"{}", position=1, attempt=1)
        await calls.aclose()
        assert tried.delivered
        assert receiver.got[0].verified(new) == {}
        with pytest.raises(WebhookVerificationError):
            receiver.got[0].verified(gone)


async def test_with_no_secret_that_opens_nothing_is_sent_unsigned() -> None:
    calls = calls_of(Kept(("lost", None)), "http://127.0.0.1:9/")
    with pytest.raises(VaultError, match="is not here"):
        await calls.learn_secrets()
    await calls.aclose()
