"""What stands beside the service: the empty endpoint, pgbench, the library the documented way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from psycopg.conninfo import conninfo_to_dict

from api.bench.pgbench import PgBench
from api.bench.processes import Process, module, process
from api.bench.sizes import Sizes
from api.main.bench_ground import Ground, plain_environment

STOCK_THREADS: Final = 8
START_SECONDS: Final = 60.0


@dataclass(slots=True)
class Peers:
    """Peers that are up as long as the run. Each measures one slice."""

    sizes: Sizes
    environ: Mapping[str, str]
    folder: Path
    tpcb_base: PgBench
    one_base: PgBench
    stock: Process

    def tpcb(self) -> float:
        """Transactions a second, TPC-B-like."""
        return self.tpcb_base.tpcb(self.sizes.pgbench_seconds)

    def one_statement(self) -> float:
        """Bets a second, one statement each."""
        sizes = self.sizes
        return self.one_base.one_statement(sizes.players, sizes.connections, sizes.pgbench_seconds, self.folder)

    def stock_per_s(self) -> float:
        """Bets a second of the library."""
        return float(
            self.stock.ask(START_SECONDS + self.sizes.stock_seconds, seconds=self.sizes.stock_seconds)["per_s"]
        )

    def noop(self) -> float:
        """Answers a second of the empty endpoint."""
        return self._empty("api.bench.noop")

    def client_alone(self) -> float:
        """Answers a second of the least that answers HTTP: the client's own limit."""
        return self._empty("api.bench.raw_responder")

    def _empty(self, server: str) -> float:
        sizes = self.sizes
        with process(server, module(server), self.environ) as answering, \
                process("the load", module("api.bench.jobs"), self.environ) as client:  # fmt: skip
            url = f"http://127.0.0.1:{int(answering.line(START_SECONDS))}"
            first = {"url": url, "key": "none", "prefix": "none", "players": 0, "tables": 0}
            client.tell(**first, connections=sizes.connections)
            told: dict[str, Any] = {"job": "nothing", "warm": sizes.warm, "seconds": sizes.noop_seconds}
            return float(client.ask(START_SECONDS + sizes.noop_seconds, **told)["per_s"])


@contextmanager
def peers(ground: Ground, sizes: Sizes, wanted: Callable[[str], bool], folder: Path) -> Iterator[Peers]:
    """Fill the databases of the peers that are wanted (by their figures' keys)."""
    environ = plain_environment()
    tpcb = PgBench(ground.program("pgbench"), ground.make_database("bench_tpcb"), environ)
    one = PgBench(ground.program("pgbench"), ground.make_database("bench_one_statement"), environ)
    stock = _stock_environment(environ, ground.make_database("bench_stock"))
    if wanted("tpcb_tps"):
        tpcb.fill(sizes.tpcb_scale)
    if wanted("one_statement_bets_per_s"):
        one.open_accounts(sizes.players)
    with ExitStack() as stack:
        wallets = str(sizes.wallets if wanted("stock_per_s") else 0)
        command = module("api.bench.stock", "--wallets", wallets, "--threads", str(STOCK_THREADS))
        running = stack.enter_context(process("the library", command, stock))
        yield Peers(sizes, environ, folder, tpcb, one, running)


def _stock_environment(environ: Mapping[str, str], conninfo: str) -> dict[str, str]:
    told = conninfo_to_dict(conninfo)
    return {
        **environ,
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(told["dbname"]),
        "POSTGRES_HOST": str(told["host"]),
        "POSTGRES_PORT": str(told["port"]),
        "POSTGRES_USER": str(told["user"]),
        "POSTGRES_PASSWORD": str(told["password"]),
        "POSTGRES_POOL_SIZE": str(STOCK_THREADS),
    }
