"""Fixtures of these tests."""

from tests.support.open_casino import casino

__all__ = ["casino"]
