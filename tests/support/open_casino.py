"""A fixture: a casino whose books are replayed from nothing at the end."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.casino import Casino


@pytest.fixture
async def casino() -> AsyncIterator[Casino]:
    """An empty casino that checks every law after every command; at the end its books are replayed from nothing."""
    async with Casino() as open_casino:
        yield open_casino
        open_casino.compare()
        again = await open_casino.replay()
        assert again.standing() == open_casino.books.standing()
        assert again.states == open_casino.books.states
