"""Players, dealers and tables of one service, and the load that they make."""

from __future__ import annotations

import json
import statistics
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from api.bench.evening import Dealers, Keys, Table
from api.bench.faults import BenchFailed
from api.bench.load import Load, Tally, run_all
from api.bench.wire import Connection, Wire, head_of, post

DEALERS: Final = 8
"""Connections of the staff, beside those of the players."""

MONEY_MINOR: Final = 1_000_000_000
_GAMES: Final = {True: "live-5plus1-v1", False: "land-progressive-v1"}


@dataclass(slots=True)
class Client:
    """Players, dealers and tables of one service."""

    url: str
    key: str
    prefix: str
    players: int
    tables: int
    connections: int
    wire: Wire = field(init=False)
    head: bytes = field(init=False)
    keys: Keys = field(init=False)
    dealers: Dealers = field(init=False)
    floor: list[Table] = field(init=False)
    free: list[Connection] = field(default_factory=list)
    waiting: deque[Table] = field(default_factory=deque)

    def __post_init__(self) -> None:
        at = urlsplit(self.url)
        host, port = at.hostname or "", at.port or 80
        self.wire, self.head, self.keys = Wire(host, port), head_of(host, port, self.key), Keys(self.prefix)
        self.dealers = Dealers(self.wire, self.head, self.keys)
        each = self.players // self.tables if self.tables else 0
        self.floor = [self._table(nth, range(nth * each, (nth + 1) * each)) for nth in range(self.tables)]

    def _table(self, nth: int, regulars: range) -> Table:
        names = [f"player-{one}" for one in regulars]
        return Table(
            f"{self.prefix}-{nth}", names, nth % 2 == 0, self.dealers, self.waiting.append, (nth + 1) / self.tables
        )

    def connect(self) -> None:
        """Fresh connections; a server closes those that have been idle for long."""
        self.wire.close()
        self.free[:] = [self.wire.connect() for _ in range(self.connections)]
        self.dealers.free[:] = [self.wire.connect() for _ in range(DEALERS)]

    @property
    def pool(self) -> str:
        """The pool that all PER_SEAT tables share."""
        return f"{self.prefix}-pool"

    def post(self, path: str, **body: object) -> bytes:
        """A POST under a key of its own."""
        return post(self.head, path, self.keys.new(), json.dumps(body).encode())

    def set_up(self, first: int, end: int) -> None:
        """Open players `first` to `end` with money on their wallets."""
        names = [f"player-{nth}" for nth in range(first, end)]
        self.all(201, (self.post("/v1/players", player=one, currency="USD") for one in names))
        self.all(201, (self._deposit(one) for one in names))

    def _deposit(self, player: str) -> bytes:
        path, transaction = f"/v1/players/{player}/deposits", f"in-{player}"
        return self.post(path, amount=MONEY_MINOR, currency="USD", transaction_id=transaction)

    def open_floor(self) -> None:
        """The pool that all PER_SEAT tables share, the tables, and a round at each."""
        self.all(201, iter([self.post(
            "/v1/jackpots", jackpot=self.pool, ruleset=_GAMES[False], currency="USD", seed=1_000_000, reset=1_000_000,
            increment_rate="0.40", reserve_rate="0.05", handpay_threshold=None,
        )]))  # fmt: skip
        self.all(201, (self.open_table(one.name, shared=one.shared) for one in self.floor))
        for one in self.floor:
            one.open()
        self.wire.drain()

    def open_table(self, name: str, *, shared: bool) -> bytes:
        """The call that opens a table."""
        pool = {} if shared else {"jackpot": self.pool}
        return self.post("/v1/tables", table=name, ruleset=_GAMES[shared], currency="USD", ante_min=100,
                         ante_max=100_000_000, **pool)  # fmt: skip

    def all(self, wanted: int, requests: Iterator[bytes]) -> Tally:
        """Send them all; BenchFailed unless all have the wanted status."""
        tally = run_all(self.wire, self.free, requests, wanted)
        if set(tally.statuses) - {wanted}:
            raise BenchFailed(f"{dict(tally.statuses)} where {wanted} was expected: {dict(tally.refusals)}")
        return tally

    def next_wager(self) -> bytes | None:
        """A bet at the open tables in turn; None while all are closed."""
        waiting = self.waiting
        if not waiting:
            return None
        table = waiting.popleft()
        path = f"/v1/rounds/{table.round}/wagers"
        body, _ = table.next_bet()
        if table.is_open:
            waiting.append(table)
        return post(self.head, path, self.keys.new(), body)

    def wagers(self, warm: float, seconds: float, rate: float | None) -> dict[str, Any]:
        """Bets at the tables for so long, as fast as they are answered or at a rate."""
        rounds, staff = sum(one.rounds for one in self.floor), self.dealers.done
        found = measured(Load(self.wire, self.free, self.next_wager, Tally(201)), warm, seconds, rate)
        opened = sum(one.rounds for one in self.floor) - rounds
        return {**found, "rounds": opened, "staff_calls": self.dealers.done - staff}

    def nothing(self, warm: float, seconds: float) -> dict[str, Any]:
        """Empty requests, as small as HTTP allows."""
        request = f"GET / HTTP/1.1\r\nHost: {self.wire.host}\r\n\r\n".encode()
        return measured(Load(self.wire, self.free, lambda: request, Tally(200)), warm, seconds, None)


def measured(load: Load, warm: float, seconds: float, rate: float | None) -> dict[str, Any]:
    """Run a load; what it brought."""
    if rate is None:
        load.closed_loop(warm, seconds)
    else:
        load.paced(warm, seconds, rate)
    tally = load.tally
    return {
        "per_s": tally.in_time / seconds,
        "p99_ms": percentile(tally.latencies, 99) * 1_000,
        "p50_ms": percentile(tally.latencies, 50) * 1_000,
        "successes": tally.successes,
        "statuses": {str(status): count for status, count in tally.statuses.items()},
        "refusals": dict(tally.refusals),
    }


def percentile(values: list[float], percent: int) -> float:
    """The value that so many percent do not pass; 0 where there are none."""
    if len(values) < 2:
        return max(values, default=0.0)
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
