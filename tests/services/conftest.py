"""Fixtures of these tests."""

from __future__ import annotations

from tests.support.open_casino import casino

__all__ = ["casino"]
