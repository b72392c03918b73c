"""A client that costs little: keep-alive connections, prepared bytes out, status line and length in.

Client, service and database share the cores, so what the client spends is missing elsewhere. It keeps one request per
connection under way, never pipelines, and reads no more of an answer's head than its status and its length.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from api.bench.faults import BenchFailed

Answered = Callable[[int, bytes], None]
"""Told status and body of an answer."""

_LENGTH: Final = b"content-length: "
_HEAD_END: Final = b"\r\n\r\n"
_ANSWER_SECONDS: Final = 60.0


@dataclass(slots=True, eq=False)
class Connection:
    """One connection; `answered` is whoever waits on it."""

    sock: socket.socket
    answered: Answered | None = None
    buffer: bytes = b""


@dataclass(slots=True)
class Wire:
    """Connections to one address, driven by `turn`."""

    host: str
    port: int
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    under_way: int = 0

    def connect(self) -> Connection:
        """One more connection."""
        sock = socket.create_connection((self.host, self.port), _ANSWER_SECONDS)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made = Connection(sock)
        self.selector.register(sock, selectors.EVENT_READ, made)
        return made

    def send(self, connection: Connection, request: bytes, answered: Answered) -> None:
        """Send a request on an idle connection."""
        connection.answered = answered
        connection.sock.sendall(request)
        self.under_way += 1

    def turn(self, seconds: float) -> None:
        """Take in what has come, waiting at most so long for anything."""
        for key, _ in self.selector.select(seconds):
            self._read(key.data)

    def drain(self) -> None:
        """Wait for every answer that is under way. BenchFailed when one does not come."""
        until = time.monotonic() + _ANSWER_SECONDS
        while self.under_way:
            self.turn(0.1)
            if time.monotonic() > until:
                raise BenchFailed(f"{self.under_way} answers did not come within {_ANSWER_SECONDS:.0f} s")

    def close(self) -> None:
        """Close every connection."""
        for key in list(self.selector.get_map().values()):
            self.selector.unregister(key.fileobj)
            key.data.sock.close()

    def _read(self, connection: Connection) -> None:
        data = connection.sock.recv(1 << 18)
        if not data:
            raise BenchFailed("the server closed a connection")
        if connection.buffer:
            data = connection.buffer + data
        end = data.find(_HEAD_END)
        if end >= 0:
            at = data.find(_LENGTH, 0, end) + len(_LENGTH)
            if len(data) >= end + 4 + int(data[at : data.find(b"\r", at)]):
                connection.buffer = b""
                self.under_way -= 1
                answered, connection.answered = connection.answered, None
                if answered is None:
                    raise BenchFailed("an answer came that nobody asked for")
                answered(int(data[9:12]), data[end + 4 :])
                return
        connection.buffer = data


def post(head: bytes, path: str, key: str, body: bytes) -> bytes:
    """A POST; `head` holds the lines that are the same for all."""
    return (
        b"POST %b HTTP/1.1\r\n%bIdempotency-Key: %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
        % (path.encode(), head, key.encode(), len(body), body)
    )


def head_of(host: str, port: int, key: str) -> bytes:
    """The header lines that are the same for every request under an API key."""
    return f"Host: {host}:{port}\r\nAuthorization: Bearer {key}\r\n".encode()
