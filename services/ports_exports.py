"""Where exports are kept, as one operator may see them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

from domain.exports import Export


class ExportStore(Protocol):
    """Everything is of the operator named first, and raises Unavailable when the database cannot be had."""

    async def add(self, operator: str, one: Export, most: int) -> bool:
        """Ask for one; False when so many are unfinished already."""

    async def get(self, operator: str, export: str) -> Export | None:
        """One, None when there is none."""

    async def has_stream(self, operator: str, stream: str) -> bool:
        """Whether there is an event of a stream of the operator."""

    async def standing(self, operator: str) -> int:
        """The position of the operator's last event; 0 where there is none."""

    def chunks(self, operator: str, export: str) -> AsyncIterator[bytes]:
        """The file of one that is done, piece by piece."""
