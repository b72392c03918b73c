"""Fixtures of these tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.casino import Casino
from tests.support.open_casino import casino

__all__ = ["casino"]


@pytest.fixture
async def crowd() -> AsyncIterator[Casino]:
    """A casino that does its books when it is asked to (see tests/services/crowd.py)."""
    async with Casino() as made:
        yield made
        made.compare()
