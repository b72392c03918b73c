"""A process whose places for streams are all taken: who comes next is told to come again, and all else is served."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from api.streams import OPERATOR_MOST, PROCESS_MOST
from tests.http.floor import deposit, done, read, refused, register
from tests.http.keys import calling_with, key_of
from tests.http.raw import connect, head_of
from tests.service import Service
from tests.support.streams import ACCEPT, heard

EVENTS = "/v1/events/stream"
SECONDS = 100.0


def followers(service: Service) -> int:
    """Streams and reads that wait, as the figures have them."""
    found = re.findall(r"^studbook_streams\{.*\} ([0-9.]+)$", service.get("/metrics").text, re.MULTILINE)
    return sum(int(float(one)) for one in found)


@contextmanager
def held(service: Service, key: str, count: int) -> Iterator[list[socket.socket]]:
    """So many open streams of a key."""
    head = head_of(service, "GET", EVENTS, f"Authorization: Bearer {key}", f"Accept: {ACCEPT['Accept']}", key=False)
    with ExitStack() as stack:
        socks = [stack.enter_context(connect(service, SECONDS)) for _ in range(count)]
        for sock in socks:
            sock.sendall(head)
        for sock in socks:
            assert until(sock, b"retry: 3000").startswith(b"HTTP/1.1 200")
        yield socks


def until(sock: socket.socket, wanted: bytes) -> bytes:
    """What comes up to something wanted."""
    got = b""
    while wanted not in got:
        more = sock.recv(2**16)
        assert more, got
        got += more
    return got


def test_operators_that_fill_a_process_with_streams_are_heard_and_others_are_served(service: Service) -> None:
    houses = [key_of(service, service.name("house")) for _ in range(PROCESS_MOST // OPERATOR_MOST)]
    other, before = key_of(service, service.name("house")), followers(service)
    with ExitStack() as stack:
        streams = [stack.enter_context(held(service, one.key, OPERATOR_MOST)) for one in houses]
        assert followers(service) == before + PROCESS_MOST
        with calling_with(service, other.key) as last, calling_with(service, houses[0].key) as first:
            # when one more operator comes, it is told to come again, and when
            for path, headers in ((EVENTS, ACCEPT), (f"/v1/events?after={2**40}&wait=5", {})):
                answer = last.get(path, headers=headers)
                problem = refused(answer, 503, "UNAVAILABLE")
                assert (problem["retryable"], int(answer.headers["retry-after"]) >= 1) == (True, True)
                assert f"{PROCESS_MOST} followers" in problem["detail"]
            # and commands and reads are served, of everybody, on all the ways that wait for nothing
            for house in (last, first, service):
                player = register(house, "EUR", 100)
                assert read(house, f"/v1/players/{player}/balance")["available"] == 100
                assert done(house.get("/v1/events"))["events"]
            # and who has a stream hears what happens
            player = register(first, "EUR")
            deposit(first, player, 7)
            for sock in streams[0]:
                until(sock, f"wallet/{player}".encode())
    end = time.monotonic() + SECONDS
    while followers(service) > before:
        assert time.monotonic() < end, "places that were left are not free"
        time.sleep(0.1)
    with heard(service.url, EVENTS, other.key) as stream:
        assert stream.frame().retry == 3000
