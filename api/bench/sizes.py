"""How large and how long: the run whose figures count, and the quick one for a first look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Sizes:
    """Seconds are those of one slice; `warm` seconds before each slice of HTTP are not measured."""

    players: int
    tables: int
    connections: int
    warm: float
    seconds: float
    noop_seconds: float
    pgbench_seconds: int
    stock_seconds: float
    tpcb_scale: int
    wallets: int
    seats: int
    bulk_items: int
    bulk_calls: int
    store_events: int
    copies: int
    replays: int
    client_margin: float
    """How many times the empty endpoint's rate the client must reach by itself."""


FULL: Final = Sizes(
    players=5_000, tables=50, connections=64, warm=1.0, seconds=8.0, noop_seconds=4.0, pgbench_seconds=6,
    stock_seconds=5.0, tpcb_scale=20, wallets=5_000, seats=10_000, bulk_items=5_000, bulk_calls=4,
    store_events=20_000, copies=99, replays=300, client_margin=2.0,
)  # fmt: skip

QUICK: Final = Sizes(
    players=200, tables=10, connections=16, warm=0.2, seconds=1.0, noop_seconds=0.5, pgbench_seconds=1,
    stock_seconds=0.5, tpcb_scale=1, wallets=100, seats=600, bulk_items=500, bulk_calls=2,
    store_events=6_000, copies=2, replays=20, client_margin=0.0,
)  # fmt: skip
