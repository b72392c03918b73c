"""Before showdown no card that is not public can be read: not in the database, not in a log, not in an answer (F32)."""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.database.migrations import migrate
from adapters.embedded import Cluster
from domain.cards import DECK
from tests.embedded import folder
from tests.postgres import Database
from tests.store.hidden import HANDS, TALKATIVE, check_hidden_cards
from tests.store.in_process import serving
from tests.store.scanning import leaks
from tests.support.fixtures import StackedShoe

__all__ = ["folder"]


@pytest.fixture
async def service(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Any]:
    """A client, its database on a server that logs every statement with its parameters, and the shoe."""
    caplog.set_level(logging.DEBUG)
    shoe = StackedShoe()
    monkeypatch.setattr("api.main.application.Shoe", lambda: shoe)
    with Cluster.start(folder, TALKATIVE) as cluster:
        migrate(cluster.cluster_dsn("owner"))
        database = Database("studbook", cluster)
        async with serving(database) as client:
            yield client, database, shoe


async def test_F32_before_showdown_no_hidden_card_is_readable_and_after_it_the_same_cards_stand_in_clear(
    service: Any, caplog: pytest.LogCaptureFixture
) -> None:
    client, database, shoe = service
    looked: list[Any] = []
    await check_hidden_cards(client, database, shoe, lambda: caplog.text, looked.append)
    assert len(looked) == 16


def test_cards_are_seen_however_they_are_written() -> None:
    hand = HANDS[1]
    plain = json.dumps(hand).encode()
    for text in (plain, b"\\x" + plain.hex().encode(), base64.b64encode(b"{" + plain), base64.urlsafe_b64encode(plain)):
        assert leaks(b"before " + text + b" after", hand, []) == {f'"{card}"' for card in hand}
    packed = "".join(hand).encode()
    numbers = json.dumps([DECK.index(card) for card in hand]).encode()
    for text in (packed, packed.hex().encode(), base64.b64encode(packed), " ".join(hand).encode(), numbers):
        assert leaks(b"before " + text + b" after", [], [hand])
    assert not leaks(b'{"cards": ["2c", null], "sum": "Kd"}', hand[:1], [hand])
