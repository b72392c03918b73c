"""An evening at the tables: rounds are opened, bet on, closed, dealt and settled, over and over, over HTTP.

Each table leads itself: when the bets that it expects have been sent it closes the betting, whatever is still on its
way, has the cards dealt, settles, and opens the next round. A bet that comes too late is refused and does not count.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from api.bench.faults import BenchFailed
from api.bench.wire import Connection, Wire, post

ANTE_MINOR: Final = 500
SIDE_MINOR: Final = 100
CHIP_MINOR: Final = 100
SEATS: Final = 7
"""Of a PER_SEAT table."""

CHIPS_PER_SEAT: Final = 12
"""Calls of a seat in a round of a PER_SEAT table: the ante with the progressive wager, then one chip after another."""

CHIPS_SHARED: Final = 3
"""The same at a SHARED table, where every player of the table is in the round."""

_STEPS: Final = ("close", "deal", "settle")


@dataclass(slots=True)
class Keys:
    """Idempotency keys that were never used: a prefix of this client and a number."""

    prefix: str
    made: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def new(self) -> str:
        """The next one."""
        return f"{self.prefix}-{next(self.made)}"


@dataclass(slots=True)
class Dealers:
    """The staff's few connections: commands wait in line for a free one."""

    wire: Wire
    head: bytes
    keys: Keys
    free: list[Connection] = field(default_factory=list)
    line: deque[tuple[str, Callable[[bytes], None]]] = field(default_factory=deque)
    done: int = 0

    def ask(self, path: str, then: Callable[[bytes], None]) -> None:
        """POST an empty body to `path` as soon as there is a connection; it must succeed."""
        self.line.append((path, then))
        self._next()

    def _next(self) -> None:
        while self.line and self.free:
            path, then = self.line.popleft()
            self._send(self.free.pop(0), path, then)

    def _send(self, connection: Connection, path: str, then: Callable[[bytes], None]) -> None:
        def answered(status: int, body: bytes) -> None:
            if status not in (200, 201):
                raise BenchFailed(f"POST {path}: {status}: {body[:300].decode('utf-8', 'replace')}")
            self.done += 1
            self.free.append(connection)
            then(body)
            self._next()

        self.wire.send(connection, post(self.head, path, self.keys.new(), b"{}"), answered)


@dataclass(slots=True)
class Table:
    """A table and its regulars; `is_open` while it takes bets.

    `share` is how much of its bets the first round takes, so that tables do not close all at once.
    """

    name: str
    regulars: list[str]
    shared: bool
    dealers: Dealers
    wake: Callable[[Table], None]
    share: float = 1.0
    is_open: bool = False
    rounds: int = 0
    round: str = ""
    _sent: int = 0

    def open(self) -> None:
        """Open the next round."""
        self.dealers.ask(f"/v1/tables/{self.name}/rounds", self._opened)

    def _opened(self, body: bytes) -> None:
        self.round = str(json.loads(body)["round"])
        self.rounds += 1
        self._sent = 0
        self.is_open = True
        self.wake(self)

    @property
    def players(self) -> int:
        """How many play in a round."""
        return len(self.regulars) if self.shared else min(SEATS, len(self.regulars))

    @property
    def bets(self) -> int:
        """How many bets the round takes."""
        whole = self.players * (CHIPS_SHARED if self.shared else CHIPS_PER_SEAT)
        return max(round(whole * self.share), 1) if self.rounds == 1 else whole

    def next_bet(self) -> tuple[bytes, int]:
        """The body of the round's next bet and what it stakes; after the last one the betting is closed."""
        at, chip = self._sent % self.players, self._sent // self.players
        self._sent += 1
        if self._sent >= self.bets:
            self.is_open = False
            self._step(0)
        return self._bet(at, first=chip == 0)

    def _bet(self, at: int, *, first: bool) -> tuple[bytes, int]:
        turn = 0 if self.shared else self.rounds * SEATS
        who = self.regulars[(turn + at) % len(self.regulars)]
        seat = "" if self.shared else f',"seat":{at + 1}'
        if not first:
            return f'{{"player":"{who}"{seat},"ante":{CHIP_MINOR}}}'.encode(), CHIP_MINOR
        side = "five_plus_one" if self.shared else "progressive"
        body = f'{{"player":"{who}"{seat},"ante":{ANTE_MINOR},"side":{{"{side}":{SIDE_MINOR}}}}}'
        return body.encode(), ANTE_MINOR + SIDE_MINOR

    def _step(self, nth: int) -> None:
        if nth < len(_STEPS):
            self.dealers.ask(f"/v1/rounds/{self.round}/{_STEPS[nth]}", lambda _: self._step(nth + 1))
        else:
            self.open()
