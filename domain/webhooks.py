"""Webhooks: an operator's endpoints get its events pushed, each at least once and in order. What is decided about them
without any clock or network: which events an endpoint takes, how long a failed delivery waits, where calls may go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias

from domain.frozen import dataclass

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

WAITS: Final = tuple(
    timedelta(seconds=one) for one in (1, 5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200)
)
"""After the first failure of a delivery, the second, and so on; the last one again and again."""

GIVEN_UP: Final = timedelta(days=3)
"""An endpoint that has failed for so long is disabled."""

TRIES_LEAST: Final = 10
"""And has been tried so often since: days in which nobody called it, because we were away, count for nothing."""

JITTER: Final = 0.2
"""A wait is up to so much of itself shorter or longer, so that endpoints of one receiver do not come back at once."""

RETRY_AFTER_MOST: Final = timedelta(hours=1)

GONE: Final = 410
"""The status by which a receiver ends an endpoint for good."""

PING_TYPE: Final = "studbook.webhook.ping.v1"
"""The type of a test; it stands in no log."""

_NAT64: Final = IPv6Network("64:ff9b::/96")
_METADATA: Final = frozenset({ip_address("168.63.129.16")})
"""Clouds tell their machines about themselves there; the others' addresses are private or link-local anyway."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """An endpoint. All its operator's events up to `position` are delivered, or not of its types. `failures` counts
    tries in a row since `failing_since`, the next one is due at `next_at`; disabled ones say since when and why.
    """

    webhook: str
    url: str
    types: tuple[str, ...]
    active: bool
    created_at: datetime
    position: int
    failures: int = 0
    failing_since: datetime | None = None
    next_at: datetime | None = None
    disabled_at: datetime | None = None
    disabled_reason: str | None = None


@dataclass(frozen=True, slots=True)
class SecretInfo:
    """A secret that signs, without the secret; `expires_at` None: until it is rotated."""

    number: int
    created_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Try:
    """One try of a delivery. `position` is None for a ping, `status` where no answer came."""

    message: str
    position: int | None
    type: str
    attempt: int
    at: datetime
    milliseconds: int
    status: int | None
    delivered: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Failing:
    """How an endpoint fails: how often in a row, since when, and when the next try is due; or why it is disabled."""

    failures: int
    since: datetime
    next_at: datetime | None
    disabled: str | None = None


def takes(types: Iterable[str], type_: str) -> bool:
    """Whether an endpoint for these beginnings of types takes an event of this type."""
    return any(type_.startswith(one) for one in types)


def failed(
    now: datetime, failures: int, since: datetime | None, *, status: int | None, retry_after: int | None, chance: float
) -> Failing:
    """What one more failure at `now` leads to. `failures` and `since` are what was before; `chance` is of 0 to 1."""
    began = since or now
    count = failures + 1
    if status == GONE:
        return Failing(count, began, None, "the endpoint answered 410 Gone")
    end = began + GIVEN_UP
    if now >= end and count >= TRIES_LEAST:
        return Failing(count, began, None, f"no delivery succeeded for {GIVEN_UP.days} days")
    wait = WAITS[min(failures, len(WAITS) - 1)] * (1 + JITTER * (2 * chance - 1))
    if retry_after is not None:
        wait = max(wait, min(timedelta(seconds=retry_after), RETRY_AFTER_MOST))
    return Failing(count, began, min(now + wait, end) if now < end else now + wait)


def message_id(position: int) -> str:
    """The `webhook-id` of an event: the same at each try, after a crash and when it is sent again by hand."""
    return f"msg_{position}"


def may_be_called(address: Address, allowed: Sequence[Network]) -> bool:
    """Whether an endpoint may lie at this address: a public one of a single machine, or one of the networks that the
    installation allows. An address that stands for another (mapped, NAT64, 6to4, Teredo) is judged by that one.
    """
    inner = _inner(address)
    if inner is not None:
        return may_be_called(inner, allowed)
    if any(address in network for network in allowed):
        return True
    if isinstance(address, IPv6Address) and address.is_site_local:
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address in _METADATA)


def _inner(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.sixtofour or (address.teredo[1] if address.teredo else None)
