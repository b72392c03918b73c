"""`studbook serve` as users start it, and the load's process in front of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from api.bench.faults import BenchFailed
from api.bench.processes import READY_SECONDS, Process, completed, module, process
from api.bench.sizes import Sizes
from api.main.bench_ground import Store

JOB_SECONDS: Final = 300.0
VERIFY_SECONDS: Final = 600.0


@dataclass(slots=True)
class Service:
    """A service with its load; `wagers` are those that were answered 201."""

    store: Store
    server: Process
    client: Process
    wagers: int = 0

    def do(self, job: str, **told: Any) -> dict[str, Any]:
        """Have the load's process do a job, and count the wagers that were accepted."""
        found = self.client.ask(JOB_SECONDS, job=job, **told)
        self.wagers += found.get("successes", 0)
        return found


@contextmanager
def service(store: Store, sizes: Sizes, prefix: str, workers: int = 1) -> Iterator[Service]:
    """Start `serve` on a store, and the load's process; both end at the end."""
    options = ["--port", "0", "--json", *store.options, *(["--workers", str(workers)] if workers > 1 else [])]
    with ExitStack() as stack:
        server = stack.enter_context(process("serve", module("api.cli", "serve", *options), store.environ))
        ready = json.loads(server.line(READY_SECONDS))
        client = stack.enter_context(process("the load", module("api.bench.jobs"), store.environ))
        client.tell(
            url=ready["url"],
            key=ready["key"] or store.key,
            prefix=prefix,
            players=sizes.players,
            tables=sizes.tables,
            connections=sizes.connections,
        )
        yield Service(store, server, client)


def verified(store: Store) -> dict[str, Any]:
    """What `studbook verify` says of a store. BenchFailed unless it finds nothing."""
    command = module("api.cli", "verify", "--json", *store.options)
    code, output, said = completed("verify", command, store.environ, VERIFY_SECONDS)
    if code:
        raise BenchFailed(f"studbook verify on {store.name} ended with {code}: {output.strip()[:500] or said}")
    found: dict[str, Any] = json.loads(output)
    return found
