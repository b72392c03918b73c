"""Logs that the tests of reports read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from services.ports import Recorded
from tests.support.bookkeeping import evening
from tests.support.books import Books
from tests.support.casino import Casino


class Evening:
    """The log of an evening with something of everything, and its books, which no report has a part in."""

    def __init__(self, events: Sequence[Recorded], books: Books) -> None:
        self.events, self.books = events, books


@pytest.fixture(scope="session")
def an_evening() -> Evening:
    """Played once."""

    async def played() -> Evening:
        async with Casino() as casino:
            await evening(casino)
            return Evening(await casino.everything(), casino.books)

    return asyncio.run(played())
