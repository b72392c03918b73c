"""What all calls share: places for those under way, and look-ups of names. Both are bounded for all operators and for
each, so that one whose endpoints answer slowly, or whose names nobody answers for, waits for himself alone.
"""

from __future__ import annotations

import asyncio
import socket
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from threading import Thread
from typing import Final

from domain.webhooks import Address

CALLS_MOST: Final = 256
"""Calls at once, over all operators; each may take ten seconds."""

CALLS_OF_ONE: Final = 8
"""Of one operator. What else it has to be sent waits, and a dead endpoint backs off."""

NAMES_MOST: Final = 64
NAMES_OF_ONE: Final = 4
"""Look-ups at once; the system gives one up after some tens of seconds, and it cannot be broken off."""


class NameUnknown(Exception):
    """A name has no address now."""


class Flight:
    """Places for calls."""

    def __init__(self, most: int = CALLS_MOST, of_one: int = CALLS_OF_ONE) -> None:
        self._all = asyncio.Semaphore(most)
        self._of: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(of_one))

    @asynccontextmanager
    async def place(self, operator: str) -> AsyncIterator[None]:
        """Waited for in the operator's own row first, which holds none of the others' places."""
        async with self._of[operator], self._all:
            yield


class Names:
    """Looks names up, each in a thread of its own that nobody waits for at the end: the system's resolver can take as
    long as a name server of somebody else wants."""

    def __init__(self, most: int = NAMES_MOST, of_one: int = NAMES_OF_ONE) -> None:
        self._all = asyncio.Semaphore(most)
        self._of: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(of_one))

    async def addresses(self, operator: str, host: str, port: int) -> list[Address]:
        """Every address of a host, once each. Raises NameUnknown. Where too many are being looked up it waits, in the
        operator's own row first; who gives up waiting for an answer frees no place, since the thread still asks.
        """
        await self._of[operator].acquire()
        try:
            await self._all.acquire()
        except asyncio.CancelledError:
            self._of[operator].release()
            raise
        return await self._asked(operator, host, port)

    def _asked(self, operator: str, host: str, port: int) -> asyncio.Future[list[Address]]:
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[Address]] = loop.create_future()

        def tell(result: list[Address] | Exception) -> None:
            self._all.release()
            self._of[operator].release()
            if found.done():
                return  # who asked has given up
            if isinstance(result, Exception):
                found.set_exception(NameUnknown(str(result)))
            else:
                found.set_result(result)

        def look_up() -> None:
            result: list[Address] | Exception
            try:
                result = _addresses(host, port)
            except (OSError, UnicodeError, ValueError) as fault:
                result = fault
            with suppress(RuntimeError):  # we have ended meanwhile
                loop.call_soon_threadsafe(tell, result)

        Thread(target=look_up, daemon=True, name="studbook-name").start()
        return found


def _addresses(host: str, port: int) -> list[Address]:
    told = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(one[4][0]).partition("%")[0]) for one in told))
