"""A network between client and service that breaks: connections are cut before, after and during calls."""

from __future__ import annotations

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2

from api.client import Client
from tests.faults.proxy import Cut, Proxy
from tests.service import Service


class Unlucky(httpx2.HTTPTransport):
    """Arms the proxy before some of the calls; `cuts` says which."""

    def __init__(self, proxy: Proxy, cuts: Iterator[Cut | None]) -> None:
        super().__init__()
        self._proxy = proxy
        self._cuts = cuts

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        cut = next(self._cuts, None)
        if cut is not None:
            self._proxy.arm(cut, b"HTTP/1.1\r\n")
        return super().handle_request(request)


@contextmanager
def through(service: Service, cuts: Iterator[Cut | None], **options: Any) -> Iterator[tuple[Client, Proxy]]:
    """A client whose connections break as `cuts` says, one entry for each time that something is sent."""
    there = urlsplit(service.url)
    with Proxy(lambda: socket.create_connection((there.hostname, there.port))) as proxy:
        network = Unlucky(proxy, cuts)
        with Client(
            f"http://127.0.0.1:{proxy.port}", service.key, transport=network, pause=lambda _: None, **options
        ) as client:
            yield client, proxy


def often(seed: int, percent: int) -> Iterator[Cut | None]:
    """Cuts of all kinds, for so many of a hundred calls."""
    dice = random.Random(seed)
    while True:
        yield dice.choice(list(Cut)) if dice.randrange(100) < percent else None
