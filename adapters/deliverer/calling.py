"""Calls of an operator's endpoint, which may not lead into our own network.

The name is resolved once for a while and every address it has is checked (domain.webhooks.may_be_called); the
connection goes to the checked address itself, so that a name which changes meanwhile changes nothing. Certificates are
verified against the name all the same. Redirects are not followed, proxies of the environment are not used, and of an
answer little is read.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Mapping, Sequence
from typing import Final

import httpx2

from adapters.deliverer.flight import Names, NameUnknown
from domain.frozen import dataclass
from domain.webhooks import Address, Network, may_be_called

ANSWER_SECONDS: Final = 10.0
"""For resolving, connecting, sending and the answer together."""

ANSWER_BYTES: Final = 1024
RESOLVED_SECONDS: Final = 30.0
RETRY_AFTER_MOST: Final = 10**6


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a call: the answer's status, or None and why there is none."""

    status: int | None
    detail: str
    milliseconds: int
    retry_after: int | None = None

    @property
    def is_done(self) -> bool:
        """Whether the receiver took it."""
        return self.status is not None and 200 <= self.status < 300


class NotAllowed(Exception):
    """The endpoint lies where no call may go."""


class Caller:
    """Calls one endpoint, on one connection that is kept. `allowed` are networks beside the public ones; only there
    plain HTTP is spoken.
    """

    def __init__(
        self, url: str, allowed: Sequence[Network], tls: ssl.SSLContext, *, names: Names, operator: str
    ) -> None:
        self._url = httpx2.URL(url)
        self._allowed = allowed
        self._names = names
        self._operator = operator
        self._host = self._url.raw_host.decode("ascii")
        self._known: tuple[float, list[Address]] = (0.0, [])
        self._client = httpx2.AsyncClient(
            verify=tls,
            trust_env=False,
            follow_redirects=False,
            timeout=ANSWER_SECONDS,
            limits=httpx2.Limits(max_connections=4, max_keepalive_connections=1),
        )

    async def aclose(self) -> None:
        """Close the connection."""
        await self._client.aclose()

    async def post(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """POST the body; never raises for what the other side does."""
        began = time.monotonic()
        status, retry_after = None, None
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                status, retry_after = await self._posted(headers, body)
            detail = "" if 200 <= status < 300 else f"answered {status}"
        except NotAllowed as fault:
            detail = str(fault)
        except (TimeoutError, httpx2.TimeoutException):
            detail = f"no answer within {ANSWER_SECONDS:.0f} s"
        except (NameUnknown, UnicodeError):
            detail = "the name of the host cannot be resolved"
        except httpx2.ConnectError as fault:
            detail = f"no connection: {' '.join(str(fault).split())[:120]}"
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as fault:
            detail = f"no answer: {type(fault).__name__}"
        return Reply(status, detail, round(1000 * (time.monotonic() - began)), retry_after)

    async def _posted(self, headers: Mapping[str, str], body: bytes) -> tuple[int, int | None]:
        """Status and Retry-After, of the first address that can be reached."""
        addresses = await self._addresses()
        for nth, address in enumerate(addresses, 1):
            try:
                return await self._posted_to(address, headers, body)
            except httpx2.ConnectError:
                if nth == len(addresses):
                    raise
        raise NotAllowed("the name of the host has no address")

    async def _posted_to(self, address: Address, headers: Mapping[str, str], body: bytes) -> tuple[int, int | None]:
        request = self._client.build_request(
            "POST",
            self._url.copy_with(host=str(address)),
            headers={"Host": self._url.netloc.decode("ascii"), **headers},
            content=body,
            extensions={"sni_hostname": self._host},
        )
        answer = await self._client.send(request, stream=True)
        try:
            size = 0
            async for chunk in answer.aiter_raw():
                size += len(chunk)
                if size >= ANSWER_BYTES:
                    break
        finally:
            await answer.aclose()
        return answer.status_code, _seconds(answer.headers.get("retry-after", ""))

    async def _addresses(self) -> list[Address]:
        """The host's addresses, every one of them checked. Raises NotAllowed, NameUnknown."""
        until, known = self._known
        if time.monotonic() < until:
            return known
        port = self._url.port or (443 if self._url.scheme == "https" else 80)
        addresses = await self._names.addresses(self._operator, self._host.strip("[]"), port)
        if not all(may_be_called(one, self._allowed) for one in addresses):
            raise NotAllowed(
                "the host has an address that is not public; whoever runs the service can list its network in"
                " STUDBOOK_WEBHOOK_PRIVATE"
            )
        if self._url.scheme != "https" and not all(any(one in net for net in self._allowed) for one in addresses):
            raise NotAllowed("calls without TLS are allowed into networks of STUDBOOK_WEBHOOK_PRIVATE alone")
        self._known = time.monotonic() + RESOLVED_SECONDS, addresses
        return addresses


def _seconds(text: str) -> int | None:
    """Retry-After in seconds; its other form, a date, is not used."""
    return min(int(text), RETRY_AFTER_MOST) if text.isascii() and text.isdigit() and len(text) < 10 else None
