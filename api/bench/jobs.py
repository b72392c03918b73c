"""The load's own process: jobs come as JSON lines on standard input, results go out as JSON lines.

    python -m api.bench.jobs

The first line names the service (`{"url", "key", "prefix", "players", "tables", "connections"}`); tables and their open
rounds stay between the jobs that follow. A job that fails answers `{"failed": "..."}` and ends the process.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from api.bench.client import Client
from api.bench.faults import BenchFailed
from api.bench.load import Tally
from api.bench.wire import Answered, Connection, post

BULK_TOGETHER: Final = 2
"""Bulk calls under way at once, so that one is decided while the next is read."""


@dataclass(slots=True)
class Jobs:
    """Jobs of one client."""

    client: Client
    crowd: int = 0
    rounds: int = 0
    _bulk: list[str] = field(default_factory=list)

    def do(self, job: str, **told: Any) -> dict[str, Any]:
        """One job."""
        self.client.connect()
        match job:
            case "open":
                return self.open(new_players=told["new_players"])
            case "wagers":
                return self.client.wagers(told["warm"], told["seconds"], told.get("rate"))
            case "nothing":
                return self.client.nothing(told["warm"], told["seconds"])
            case "bulk":
                return self.bulk(told["players"], told["items"], told["calls"])
            case "settle":
                return self.settle(told["seats"])
        raise BenchFailed(f"no job is named {job}")

    def open(self, *, new_players: bool) -> dict[str, Any]:
        """Players with money where there are none yet, and a round at every table."""
        if new_players:
            self.client.set_up(0, self.client.players)
        self.client.open_floor()
        return {}

    def bulk(self, players: list[str], items: int, calls: int) -> dict[str, Any]:
        """So many bulk calls of so many bets, of these players in turn, on a SHARED round that stays open."""
        path = f"/v1/rounds/{self._bulk_round()}/wagers/bulk"
        requests = [self._bulk_call(path, players, items) for _ in range(calls)]
        tally, bodies = Tally(200), list[bytes]()

        def kept(status: int, body: bytes) -> None:
            tally.statuses[status] += 1
            bodies.append(body)

        waiting, began = iter(requests), time.perf_counter()
        self._send_all(waiting, kept)
        took = time.perf_counter() - began
        if set(tally.statuses) != {200}:
            raise BenchFailed(f"POST {path}: {dict(tally.statuses)}: {bodies[0][:300].decode('utf-8', 'replace')}")
        done = sum(one["status"] == 201 for body in bodies for one in json.loads(body)["results"])
        return {"per_s": done / took, "successes": done, "asked": calls * items}

    def _send_all(self, waiting: Iterator[bytes], kept: Answered) -> None:
        """Send them over a few connections and await all answers."""
        wire = self.client.wire

        def send(connection: Connection) -> None:
            request = next(waiting, None)
            if request is None:
                return

            def answered(status: int, body: bytes) -> None:
                kept(status, body)
                send(connection)

            wire.send(connection, request, answered)

        for connection in self.client.free[:BULK_TOGETHER]:
            send(connection)
        wire.drain()

    def _bulk_call(self, path: str, players: list[str], items: int) -> bytes:
        new = self.client.keys.new
        wagers = [
            {"player": one, "ante": 500, "key": new()} for one in itertools.islice(itertools.cycle(players), items)
        ]
        return post(self.client.head, path, new(), json.dumps({"wagers": wagers}).encode())

    def _bulk_round(self) -> str:
        """A SHARED round that stays open from call to call."""
        if not self._bulk:
            self.client.all(201, iter([self.client.open_table("bulk", shared=True)]))
            self._bulk.append(self._open("bulk"))
        return self._bulk[0]

    def settle(self, seats: int) -> dict[str, Any]:
        """A SHARED round of so many seats in which half have called and half have folded, settled by one call."""
        client, name = self.client, "crowd"
        if self.crowd < seats:
            client.set_up(max(self.crowd, client.players), seats)
            self.crowd = seats
        if not self.rounds:
            client.all(201, iter([client.open_table(name, shared=True)]))
        self.rounds += 1
        path = f"/v1/rounds/{self._open(name)}"
        who = [f"player-{nth}" for nth in range(seats)]
        placed = client.all(201, (client.post(f"{path}/wagers", player=one, ante=500) for one in who))
        self._ask(f"{path}/close")
        self._ask(f"{path}/deal")
        choice = ("call", "fold")
        client.all(200, (client.post(f"{path}/decisions", player=one, decision=choice[nth % 2])
                         for nth, one in enumerate(who)))  # fmt: skip
        began = time.perf_counter()
        answer = self._ask(f"{path}/settle")
        took = time.perf_counter() - began
        if json.loads(answer)["phase"] != "SETTLED":
            raise BenchFailed(f"POST {path}/settle: {answer[:300].decode('utf-8', 'replace')}")
        return {"per_s": seats / took, "successes": placed.successes}

    def _open(self, table: str) -> str:
        return str(json.loads(self._ask(f"/v1/tables/{table}/rounds"))["round"])

    def _ask(self, path: str) -> bytes:
        """One call of the staff, to its end."""
        bodies: list[bytes] = []
        self.client.dealers.ask(path, bodies.append)
        self.client.wire.drain()
        return bodies[0]


def main() -> None:
    """Take jobs until the end of standard input."""
    jobs = Jobs(Client(**json.loads(sys.stdin.readline())))
    for line in sys.stdin:
        try:
            result = jobs.do(**json.loads(line))
        except (BenchFailed, OSError) as fault:
            print(json.dumps({"failed": " ".join(str(fault).split())}), flush=True)
            sys.exit(1)
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
