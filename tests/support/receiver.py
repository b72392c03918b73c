"""An operator's end of a webhook: an HTTP server that keeps what it was sent and answers as it is told."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from standardwebhooks import Webhook


@dataclass(frozen=True, slots=True)
class Got:
    """One request."""

    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    def verified(self, secret: str) -> dict[str, Any]:
        """The body, checked as a receiver should."""
        found: dict[str, Any] = Webhook(secret).verify(self.body, dict(self.headers))
        return found


@dataclass
class Receiver:
    """`answers` gives the status for a request, and may take its time."""

    port: int = 0
    got: list[Got] = field(default_factory=list)
    answers: Callable[[Got], int] = lambda _: 204
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def wait(self, count: int, seconds: float = 150) -> list[Got]:
        """The first so many requests; AssertionError when they do not come."""
        until = time.monotonic() + seconds
        while len(self.got) < count:
            assert time.monotonic() < until, f"{len(self.got)} of {count} requests came"
            time.sleep(0.02)
        return self.got[:count]

    def wait_for(self, holds: Callable[[], bool], seconds: float = 150) -> None:
        """Until something holds."""
        until = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < until, f"it did not come, {len(self.got)} requests did"
            time.sleep(0.02)


class Server(ThreadingHTTPServer):
    """One whose callers may be killed in the middle of a request."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def receiving(port: int = 0) -> Iterator[Receiver]:
    """A receiver on a port of its own, or on the one given."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            if len(body) < length:  # who called was killed in the middle of it: that is no request
                self.close_connection = True
                return
            got = Got({name.lower(): value for name, value in self.headers.items()}, body, time.time())
            receiver.got.append(got)
            status = receiver.answers(got)
            self.send_response(status)
            for name, value in receiver.more.items():
                self.send_header(name, value)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = Server(("127.0.0.1", port), Handler)
    receiver.port = server.server_port
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
