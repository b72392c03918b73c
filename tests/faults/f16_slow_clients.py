"""F16: 200 sockets that send one byte in five seconds, or nothing, beside clients of good manners.

Each slow one is closed within 15 s, those who got as far as a request with a problem document; the others notice
nothing.
"""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Final

from tests.faults.calls import Caller, Calls, command
from tests.faults.check import check
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.faults.stage import OPERATOR, Stage, api_key

SECONDS, LONG_SECONDS = 25, 120
BEFORE_SECONDS: Final = 4.0
SOCKETS: Final = 200
BYTE_SECONDS: Final = 5.0
CLOSED_SECONDS: Final = 15.0
CLIENTS: Final = 4

_HEAD: Final = (
    f"POST /v1/players/slow/deposits HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {api_key(OPERATOR)}\r\n"
    "Idempotency-Key: slow\r\n"
)
KINDS: Final = {
    "head": ("", _HEAD * 9),
    "body": (f"{_HEAD}Content-Length: 400\r\n\r\n", " " * 400),
    "refused body": ("POST /v1/players HTTP/1.1\r\nHost: here\r\nContent-Length: 400\r\n\r\n", " " * 400),
    "chunks": (f"{_HEAD}Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n" * 90),
    "second head": ("GET /livez HTTP/1.1\r\nHost: here\r\n\r\n", _HEAD * 9),
    "line ends": ("", "\r\n" * 200),
    "silence": ("", ""),
}
"""What is sent at once, and what comes byte by byte."""


@dataclass(slots=True)
class Slow:
    """One slow connection."""

    kind: str
    sock: socket.socket
    rest: bytes
    began: float
    due: float
    got: bytes = b""


class Crawl:
    """All slow connections, held by one thread."""

    def __init__(self, trial: Trial, port: int, seconds: float) -> None:
        self._trial, self._port = trial, port
        self._end = time.monotonic() + seconds
        self._all = selectors.DefaultSelector()
        self._kinds = count()
        self.closed = 0
        self.longest = 0.0
        self.answers: Counter[int] = Counter()

    def run(self) -> None:
        """Until the time is over and all are closed, or none can be waited for any longer."""
        for _ in range(SOCKETS):
            self._open()
        while self._all.get_map() and time.monotonic() < self._end + LIVENESS * CLOSED_SECONDS:
            for key, _ in self._all.select(0.05):
                self._hear(key.data)
            for key in list(self._all.get_map().values()):
                self._crawl(key.data)
        for key in list(self._all.get_map().values()):
            self._trial.expect(False, f"a connection of kind {key.data.kind} was never closed")
            key.data.sock.close()

    def _open(self) -> None:
        kind = list(KINDS)[next(self._kinds) % len(KINDS)]
        first, rest = KINDS[kind]
        sock = socket.create_connection(("127.0.0.1", self._port), timeout=LIVENESS * CLOSED_SECONDS)
        sock.sendall(first.encode())
        now = time.monotonic()
        self._all.register(sock, selectors.EVENT_READ, Slow(kind, sock, rest.encode(), now, now))

    def _crawl(self, slow: Slow) -> None:
        if slow.rest and time.monotonic() >= slow.due:
            slow.due += BYTE_SECONDS
            with suppress(OSError):  # that it is closed is heard
                slow.sock.send(slow.rest[:1])
                slow.rest = slow.rest[1:]

    def _hear(self, slow: Slow) -> None:
        try:
            more = slow.sock.recv(65_536)
        except OSError:
            more = b""
        slow.got += more
        if more:
            return
        self._all.unregister(slow.sock)
        slow.sock.close()
        self.closed += 1
        self.longest = max(self.longest, time.monotonic() - slow.began)
        self.answers.update(int(part[:3]) for part in slow.got.split(b"HTTP/1.1 ")[1:])
        if time.monotonic() < self._end:
            self._open()


def p99(times: list[float]) -> float:
    """In milliseconds."""
    return sorted(times)[len(times) * 99 // 100] * 1_000


def mannered(trial: Trial, stage: Stage, calls: Calls, name: str, end: threading.Event) -> None:
    """Clients who pay in until the end, each as soon as it was answered."""
    times: list[float] = []

    def client(nth: int) -> None:
        caller = Caller(stage, calls, nth)
        for turn in count():
            if end.is_set():
                break
            mark = f"{name}-{nth}-{turn}".replace(" ", "-")
            body = {"amount": 1, "currency": "EUR", "transaction_id": mark}
            reply = caller.send(command("/v1/players/quick/deposits", body, mark))
            times.append(reply.seconds)
            trial.expect(reply.status == 201, f"a client of good manners got {reply.status} {reply.content[:150]!r}")
        caller.close()

    with ThreadPoolExecutor(CLIENTS) as pool:
        for done in [pool.submit(client, nth) for nth in range(CLIENTS)]:
            done.result()
    trial.figure(f"p99 ms {name}", p99(times))


def run(trial: Trial) -> None:
    with Stage.start(trial.folder, doors=1) as stage:
        calls = Calls()
        caller = Caller(stage, calls)
        for player in ("quick", "slow"):
            caller.settle(command("/v1/players", {"player": player, "currency": "EUR"}, player))
        caller.close()
        end = threading.Event()
        threading.Timer(BEFORE_SECONDS, end.set).start()
        mannered(trial, stage, calls, "alone", end)
        trial.progress(0, f"{SOCKETS} slow sockets")
        crawl, end = Crawl(trial, stage.doors[0].port, trial.amount), threading.Event()
        beside = threading.Thread(target=mannered, args=(trial, stage, calls, "beside them", end))
        beside.start()
        try:
            crawl.run()
        finally:
            end.set()
            beside.join()
        trial.progress(trial.amount)
        trial.in_time("closed within s", crawl.longest, CLOSED_SECONDS)
        trial.expect(crawl.closed >= SOCKETS, f"only {crawl.closed} of {SOCKETS} were closed")
        trial.expect(set(crawl.answers) <= {200, 401, 408}, f"slow ones were answered {dict(crawl.answers)}")
        trial.expect(crawl.answers[408] > 0, "no slow one was told that it is too slow")
        trial.figure("slow ones closed", crawl.closed)
        check(trial, stage, calls)


FAULT: Final = Fault("F16", "slow clients", SECONDS, LONG_SECONDS, "seconds", run)
