"""How many requests a key may make, and how many unknown keys an address may try, in a window of time.

Counted by the library `limits`, fixed windows, in the memory of this process: with several serving processes each
counts what reaches it. The answer's headers are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import Final

from limits import RateLimitItem, parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter
from starlette.types import Scope

from api.auth import KeyRing
from api.errors import Header, RateLimited, UnknownKey
from domain.errors import Refusal

RATE: Final = "studbook.rate"
"""The scope's key of the headers that tell how much of its limit the key has left."""

WINDOWS_MAX: Final = 100_000
"""Windows that are kept; beyond, the oldest is dropped, and whom it counted begins anew."""


class Windows(Storage):
    """The library's storage in a dictionary: no thread, as its own has, and no more than WINDOWS_MAX entries."""

    def __init__(self, clock: Callable[[], float] = time.time, most: int = WINDOWS_MAX) -> None:
        super().__init__()
        self._clock = clock
        self._most = most
        self._windows: dict[str, tuple[int, float]] = {}

    @property
    def base_exceptions(self) -> type[Exception]:
        """What this storage may raise: nothing of its own."""
        return KeyError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count `amount` more in the window, which ends `expiry` seconds after its first; the new count."""
        found, now = self._windows.get(key), self._clock()
        if found is not None and now < found[1]:
            count, end = found[0] + amount, found[1]
        else:
            self._windows.pop(key, None)  # a new window goes behind all others
            count, end = amount, now + expiry
        self._windows[key] = count, end
        if len(self._windows) > self._most:
            del self._windows[next(iter(self._windows))]
        return count

    def get(self, key: str) -> int:
        """The count of the window, 0 when there is none."""
        count, end = self._windows.get(key, (0, 0.0))
        return count if self._clock() < end else 0

    def window(self, key: str) -> tuple[int, float]:
        """Count and end of a window that was just counted in."""
        return self._windows[key]

    def get_expiry(self, key: str) -> float:
        """When the window ends."""
        return self._windows.get(key, (0, self._clock()))[1]

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int:
        """Forget everything."""
        count = len(self._windows)
        self._windows.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget one window."""
        self._windows.pop(key, None)

    def __len__(self) -> int:
        return len(self._windows)


class Rates:
    """The limit of each key (`requests`), and that of each address for keys that nobody has (`failures`).

    Written as the library reads them: `600/minute`, `20/second`. None: no limit.
    """

    def __init__(
        self, requests: str | None = None, failures: str | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.requests: Final = None if requests is None else parse(requests)
        self._failures: Final = None if failures is None else parse(failures)
        self._clock = clock
        self._made, self._failed = Windows(clock), Windows(clock)
        self._limiter = FixedWindowRateLimiter(self._made)
        self._name: Callable[[str], str] = lru_cache(4096)(
            lambda key: self.requests.key_for(key) if self.requests else ""
        )
        self._policy: Header = (b"ratelimit-policy", _policy(self.requests))

    def take(self, scope: Scope, key_id: str, cost: int = 1) -> None:
        """Count a request of this key and leave the headers in the scope; RateLimited when the window has no room."""
        item = self.requests
        if item is None:
            return
        is_in = self._limiter.hit(item, key_id, cost=cost)
        told, seconds = self._told(item, key_id)
        if not is_in:
            raise RateLimited(f"this key may make {_words(item)}; wait {seconds} s", seconds, told)
        scope[RATE] = told

    def take_items(self, scope: Scope, key_id: str, items: int) -> None:
        """Count the items of a request that was counted as one. More than the whole limit take all of a window.

        RateLimited when there is no room for all of them, and then they are not counted.
        """
        item = self.requests
        if item is None or (more := min(items, item.amount) - 1) < 1:
            return
        if not self._limiter.test(item, key_id, cost=more):
            told, seconds = self._told(item, key_id)
            detail = f"this key may make {_words(item)}, and each item counts; send fewer, or wait {seconds} s"
            raise RateLimited(detail, seconds, told)
        self.take(scope, key_id, more)

    def _told(self, item: RateLimitItem, key_id: str) -> tuple[tuple[Header, ...], int]:
        """The headers for a key that has just been counted, and the seconds until its window ends."""
        count, end = self._made.window(self._name(key_id))
        seconds = self._seconds(end)
        return (self._policy, (b"ratelimit", b'"key";r=%d;t=%d' % (max(0, item.amount - count), seconds))), seconds

    def refuse_guesses(self, scope: Scope, keys: KeyRing, header: bytes | None) -> None:
        """RateLimited where the caller's address has tried too many keys that nobody has; not for a key that has opened
        before, so that nobody is locked out by another who sits behind the same proxy."""
        if not self._failed or self._failures is None or keys.remembers(header):
            return
        name = self._failures.key_for(address_of(scope))
        if self._failed.get(name) >= self._failures.amount:
            seconds = self._seconds(self._failed.get_expiry(name))
            raise RateLimited("too many unknown keys came from this address; wait", seconds)

    def refused(self, refusal: Refusal, scope: Scope) -> None:
        """Count it where the caller's address has tried a key that nobody has."""
        if self._failures is not None and isinstance(refusal, UnknownKey):
            self._failed.incr(self._failures.key_for(address_of(scope)), self._failures.get_expiry())

    def _seconds(self, end: float) -> int:
        """Whole seconds until then, at least one."""
        return max(1, ceil(end - self._clock()))


def address_of(scope: Scope) -> str:
    """Whom to count: the peer's address, of IPv6 the network of 64 bits, which is one customer's."""
    client = scope.get("client")
    if client is None:
        return "unknown"
    try:
        found = ip_address(client[0])
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or f"{IPv6Address(int(found) >> 64 << 64)}/64")
    return str(found)


def _policy(item: RateLimitItem | None) -> bytes:
    return b"" if item is None else b'"key";q=%d;w=%d' % (item.amount, item.get_expiry())


def _words(item: RateLimitItem) -> str:
    return f"{item.amount} requests in {item.get_expiry()} s"


UNLIMITED: Final = Rates()
"""No limits."""
