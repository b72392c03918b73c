"""Commands as an operator's own program sends them: a key for each, the same key again until there is an answer.

What was answered is kept: acknowledged commands with their first answer, refusals, and everything that must not be.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any, Final

from tests.faults.stage import OPERATOR, Stage, api_key

GIVE_UP_SECONDS: Final = 90.0
ANSWER_SECONDS: Final = 30.0


class Lost(Exception):
    """No answer came: it is not known whether the command was carried out."""


@dataclass(frozen=True, slots=True)
class Command:
    """A POST or PATCH under a key."""

    path: str
    body: bytes
    key: str
    operator: str = OPERATOR
    method: str = "POST"
    subject: str = ""
    """Who sends it, where that is not the engineer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, byte for byte."""

    status: int
    content: bytes
    replayed: bool
    retry_after: str | None
    seconds: float

    @property
    def body(self) -> Any:
        """The JSON document."""
        return json.loads(self.content)

    @property
    def is_done(self) -> bool:
        """Whether the command was carried out."""
        return self.status in {200, 201, 202}


@dataclass(slots=True)
class Calls:
    """Everything that was sent and answered. Safe for threads."""

    acknowledged: dict[Command, Reply] = field(default_factory=dict)
    refused: dict[Command, Reply] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)
    """Of every answer; 0 counts what was lost."""
    wrong: list[str] = field(default_factory=list)
    """Answers that must not be: a 5xx other than 503 with Retry-After, another answer to the same key."""
    found_done: int = 0
    """Commands whose first answer never came, and which turned out to be done when they were sent again."""
    unanswered: list[Command] = field(default_factory=list)
    unavailable_at: list[tuple[float, float]] = field(default_factory=list)
    """When a 503 came, and how long it took."""
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def note(self, command: Command, reply: Reply) -> None:
        """An answer came."""
        with self.lock:
            self.statuses[reply.status] += 1
            if reply.status == 503 and reply.retry_after is not None:
                self.unavailable_at.append((time.monotonic(), reply.seconds))
            elif reply.status >= 500:
                self.wrong.append(f"{reply.status} to {command.path}: {reply.content[:200]!r}")
            elif reply.is_done:
                self._done(command, reply)
            else:
                self.refused[command] = reply

    def _done(self, command: Command, reply: Reply) -> None:
        self.found_done += reply.replayed and command not in self.acknowledged
        first = self.acknowledged.setdefault(command, reply)
        self.refused.pop(command, None)
        if (first.status, first.content) != (reply.status, reply.content):
            self.wrong.append(f"key {command.key} was answered {first.content[:120]!r}, then {reply.content[:120]!r}")

    def note_read(self, path: str, reply: Reply) -> None:
        """A read was answered."""
        if reply.status == 503 and reply.retry_after is not None:
            with self.lock:
                self.unavailable_at.append((time.monotonic(), reply.seconds))
        if reply.status >= 500 and (reply.status, reply.retry_after is None) != (503, False):
            with self.lock:
                self.wrong.append(f"{reply.status} to GET {path}: {reply.content[:200]!r}")

    def lost(self) -> None:
        """No answer came."""
        with self.lock:
            self.statuses[0] += 1


class Caller:
    """One client with one connection at a time, at one of the doors; not for several threads."""

    def __init__(self, stage: Stage, calls: Calls, door: int = 0, ports: list[int] | None = None) -> None:
        self._stage = stage
        self._ports = ports
        self.calls = calls
        self.door = door
        self._conn: HTTPConnection | None = None

    def send(self, command: Command) -> Reply:
        """Once, whatever comes. Lost when no answer does."""
        began = time.monotonic()
        headers = {
            "Authorization": f"Bearer {api_key(command.operator, command.subject)}",
            "Idempotency-Key": command.key,
            "Content-Type": "application/json",
        }
        try:
            status, content, told = self._request(command.method, command.path, command.body, headers)
        except (OSError, HTTPException) as fault:
            self.close()
            self.calls.lost()
            raise Lost(f"{command.path}: {type(fault).__name__} {fault}") from None
        replayed, after = told.get("idempotency-replayed") == "true", told.get("retry-after")
        reply = Reply(status, content, replayed, after, time.monotonic() - began)
        self.calls.note(command, reply)
        return reply

    def settle(self, command: Command, seconds: float = GIVE_UP_SECONDS) -> Reply:
        """Until there is an answer that a retry would not change, with the same key, at whichever door answers."""
        end = time.monotonic() + seconds
        while True:
            try:
                reply = self.send(command)
            except Lost:
                self.door += 1
            else:
                if reply.status != 503:
                    return reply
            if time.monotonic() > end:
                with self.calls.lock:
                    self.calls.unanswered.append(command)
                raise Lost(f"{command.path}: no answer in {seconds:.0f} s")
            time.sleep(0.05)

    def get(self, path: str, operator: str = OPERATOR) -> Reply:
        """A read. Lost when no answer comes."""
        began = time.monotonic()
        try:
            status, content, told = self._request("GET", path, None, {"Authorization": f"Bearer {api_key(operator)}"})
        except (OSError, HTTPException) as fault:
            self.close()
            raise Lost(f"{path}: {type(fault).__name__} {fault}") from None
        reply = Reply(status, content, False, told.get("retry-after"), time.monotonic() - began)
        self.calls.note_read(path, reply)
        return reply

    def close(self) -> None:
        """Close the connection."""
        if self._conn is not None:
            self._conn.close()
            self._conn = None

    def _request(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[int, bytes, dict[str, str]]:
        if self._conn is None:
            ports = self._ports or [door.port for door in self._stage.doors]
            self._conn = HTTPConnection("127.0.0.1", ports[self.door % len(ports)], timeout=ANSWER_SECONDS)
            self._conn.connect()
            self._conn.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._conn.request(method, path, body, headers)
        answer = self._conn.getresponse()
        content = answer.read()
        return answer.status, content, {name.lower(): value for name, value in answer.getheaders()}


def command(path: str, body: Any, key: str, operator: str = OPERATOR) -> Command:
    """A command with a JSON body."""
    return Command(path, json.dumps(body, separators=(",", ":")).encode(), key, operator)
