"""Load through a `Wire`: as fast as answers come, or at a fixed rate; what came back is counted by status."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from api.bench.wire import Connection, Wire

Source = Callable[[], bytes | None]
"""The next request; None when there is none at the moment (or, in `run_all`, any more)."""


@dataclass(slots=True)
class Tally:
    """What one slice of load brought. `in_time` are successes within the measured seconds, latencies are in seconds."""

    wanted: int
    statuses: Counter[int] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    in_time: int = 0
    latencies: list[float] = field(default_factory=list)

    @property
    def successes(self) -> int:
        """Answers with the wanted status, measured or not."""
        return self.statuses[self.wanted]


@dataclass(slots=True)
class Load:
    """Clients, one on each connection."""

    wire: Wire
    connections: list[Connection]
    source: Source
    tally: Tally
    measured_from: float = 0.0
    measured_until: float = 0.0
    idle: list[Connection] = field(default_factory=list)
    """Used in turn, so that none stays silent until the server closes it."""
    hurried: bool = False
    """Whether a client sends its next request at once; else when it is due."""

    def closed_loop(self, warm: float, seconds: float) -> None:
        """Each client sends its next request when its answer has come, for so long; then every answer is awaited."""
        now = time.perf_counter()
        self.measured_from, self.measured_until = now + warm, now + warm + seconds
        self.idle, self.hurried = list(self.connections), True
        while time.perf_counter() < self.measured_until:
            self.send_idle()
            self.wire.turn(0.01)
        self.wire.drain()

    def paced(self, warm: float, seconds: float, rate: float) -> None:
        """Requests at a fixed rate, whatever the answers do; a latency counts from when its request was due."""
        start = time.perf_counter()
        self.measured_from, self.measured_until = start + warm, start + warm + seconds
        self.idle, self.hurried = list(self.connections), False
        sent = 0
        while (now := time.perf_counter()) < self.measured_until:
            while self.idle and (due := start + sent / rate) <= now:
                request = self.source()
                if request is None:
                    break
                self._send(self.idle.pop(0), request, due)
                sent += 1
            self.wire.turn(max(min(start + sent / rate - time.perf_counter(), 0.01), 0.0))
        self.wire.drain()

    def send_idle(self) -> None:
        """Every idle client sends, as long as there are requests."""
        while self.idle:
            request = self.source()
            if request is None:
                return
            self._send(self.idle.pop(0), request, time.perf_counter())

    def _send(self, connection: Connection, request: bytes, due: float) -> None:
        def answered(status: int, body: bytes) -> None:
            now = time.perf_counter()
            tally = self.tally
            tally.statuses[status] += 1
            if status != tally.wanted:
                tally.refusals[_code(body)] += 1
            elif self.measured_from <= now < self.measured_until:
                tally.in_time += 1
                tally.latencies.append(now - due)
            if self.hurried and now < self.measured_until and (following := self.source()) is not None:
                self._send(connection, following, now)
            else:
                self.idle.append(connection)

        self.wire.send(connection, request, answered)


def run_all(wire: Wire, connections: list[Connection], requests: Iterator[bytes], wanted: int) -> Tally:
    """Send them all, as fast as answers come."""
    tally = Tally(wanted)
    load = Load(
        wire, connections, lambda: next(requests, None), tally, 0.0, float("inf"), list(connections), hurried=True
    )
    load.send_idle()
    wire.drain()
    return tally


def _code(body: bytes) -> str:
    """The code of a problem document."""
    at = body.find(b'"code":')
    return body[at + 7 : at + 60].split(b'"')[1].decode() if at >= 0 else "?"
