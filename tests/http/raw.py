"""Requests as bytes, for what no client of good manners sends."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import orjson

from tests.service import Service


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """Status, headers by their small names, body."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def code(self) -> str:
        """The problem's code."""
        return str(orjson.loads(self.body)["code"])


def connect(service: Service, seconds: float = 30) -> socket.socket:
    """A connection to the service."""
    where = urlsplit(service.url)
    return socket.create_connection((where.hostname or "", where.port or 0), timeout=seconds)


def head_of(service: Service, method: str, target: str | bytes, *more: str | bytes, key: bool = True) -> bytes:
    """A request's head; `more` are whole header lines."""
    raw = target if isinstance(target, bytes) else target.encode()
    lines: list[str | bytes] = [b"%s %s HTTP/1.1" % (method.encode(), raw), "Host: studbook"]
    if key:
        lines.append(f"Authorization: Bearer {service.key}")
    return b"".join((one if isinstance(one, bytes) else one.encode()) + b"\r\n" for one in [*lines, *more]) + b"\r\n"


def read_answer(sock: socket.socket, *, is_head: bool = False) -> RawAnswer:
    """One answer from a connection; ConnectionError when there is none."""
    with sock.makefile("rb") as file:
        first = file.readline()
        if not first:
            raise ConnectionError("closed without an answer")
        headers = dict(_headers(iter(file.readline, b"\r\n")))
        length = int(headers.get("content-length", 0))
        body = b"" if is_head else file.read(length)
        return RawAnswer(int(first.split()[1]), headers, body)


def _headers(lines: Iterable[bytes]) -> Iterable[tuple[str, str]]:
    for line in lines:
        name, _, value = line.decode("latin-1").partition(":")
        yield name.strip().lower(), value.strip()


def ask(
    service: Service, method: str, target: str | bytes, *more: str | bytes, body: bytes = b"", key: bool = True
) -> RawAnswer:
    """One request on a connection of its own."""
    lengths: tuple[str, ...] = (f"Content-Length: {len(body)}",) if body else ()
    with connect(service) as sock:
        sock.sendall(head_of(service, method, target, *lengths, *more, key=key) + body)
        return read_answer(sock, is_head=method == "HEAD")
