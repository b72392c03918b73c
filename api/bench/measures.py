"""One repeat: every slice by itself, when the one before it has settled, the two of a pair close to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from api.bench.client import percentile
from api.bench.cpu import per_thousand, spent
from api.bench.faults import BenchFailed
from api.bench.lag import LagWatch, await_read_models
from api.bench.peers import Peers
from api.bench.services import Service
from api.bench.sizes import Sizes
from api.main.bench_fill import PLAYERS, player
from api.main.bench_ground import MAIN, Ground

HALF: Final = 0.5
"""Of the rate reached, at which latencies are measured."""

_NOTED: Final = ("p50_ms", "p99_ms", "statuses", "rounds", "staff_calls")
_TOO_LATE: Final = frozenset({"BETTING_CLOSED", "WRONG_PHASE"})


@dataclass(slots=True)
class Floor:
    """What there is to measure; a service that is not wanted is None. `notes` keep what is no figure."""

    sizes: Sizes
    ground: Ground
    peers: Peers
    main: Service | None = None
    small: Service | None = None
    large: Service | None = None
    rate: float = 0.0
    notes: dict[str, list[Any]] = field(default_factory=dict)

    def note(self, name: str, value: object) -> None:
        """Keep something of one repeat."""
        self.notes.setdefault(name, []).append(value)

    def settle_down(self) -> None:
        """Nothing of what was measured before is still under way: read models have caught up, pages are written."""
        for one in (self.main, self.small, self.large):
            if one is not None:
                await_read_models(self.ground.conninfo(one.store.name))
        self.ground.checkpoint()


Figures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """A slice: which figures it brings, of which services, and how."""

    keys: tuple[str, ...]
    take: Callable[[Floor], Figures]
    uses: str = ""
    """`main`, `small` or `large`."""


def noop(floor: Floor) -> Figures:
    """The empty endpoint."""
    return {"http_noop_per_s": floor.peers.noop()}


def http(floor: Floor) -> Figures:
    """Wagers as fast as they are answered, and meanwhile how far the read models are behind."""
    found, lags = full_load(there(floor.main), floor, "http")
    floor.rate = found["per_s"]
    return {"http_wagers_per_s": found["per_s"], "projection_lag_p99_ms": percentile(lags, 99) * 1_000}


def half(floor: Floor) -> Figures:
    """Wagers at half the rate that this repeat has reached."""
    rate = floor.rate * HALF
    found = there(floor.main).do("wagers", warm=floor.sizes.warm, seconds=floor.sizes.seconds, rate=rate)
    floor.note("half", {"asked_per_s": rate, **{key: found[key] for key in ("per_s", "p50_ms", "p99_ms", "statuses")}})
    _only_wagers(found)
    return {"http_p99_ms": found["p99_ms"]}


def full_load(service: Service, floor: Floor, name: str) -> tuple[dict[str, Any], list[float]]:
    """Wagers as fast as they are answered; the result, and the lags of the read models in seconds."""
    roots = {"serve": service.server.pid, "load": service.client.pid, "postgres": floor.ground.pid}
    before = spent(roots)
    with LagWatch(floor.ground.conninfo(MAIN)) as watch:
        found = service.do("wagers", warm=floor.sizes.warm, seconds=floor.sizes.seconds)
    _only_wagers(found)
    cpu = per_thousand(before, spent(roots), found["successes"])
    floor.note(name, {**{key: found[key] for key in _NOTED}, "cpu_ms_per_wager": cpu})
    return found, watch.lags


def _only_wagers(found: Mapping[str, Any]) -> None:
    """A bet may come too late; anything else that is no 201 is a fault."""
    strange = set(found["refusals"]) - _TOO_LATE
    if strange or not found["successes"]:
        raise BenchFailed(f"wagers were answered {found['statuses']}, with {sorted(strange)}")


def tpcb(floor: Floor) -> Figures:
    """pgbench, TPC-B-like."""
    return {"tpcb_tps": floor.peers.tpcb()}


def one_statement(floor: Floor) -> Figures:
    """pgbench, one statement."""
    return {"one_statement_bets_per_s": floor.peers.one_statement()}


def stock(floor: Floor) -> Figures:
    """The library the documented way."""
    return {"stock_per_s": floor.peers.stock_per_s()}


def bulk_small(floor: Floor) -> Figures:
    """Bulk wagers on the small store."""
    return {"bulk_wagers_per_s": _bulk(there(floor.small), floor.sizes)}


def bulk_large(floor: Floor) -> Figures:
    """Bulk wagers on the large store."""
    return {"bulk_wagers_per_s_large": _bulk(there(floor.large), floor.sizes)}


def _bulk(service: Service, sizes: Sizes) -> float:
    players = [player(nth) for nth in range(PLAYERS)]
    found = service.do("bulk", players=players, items=sizes.bulk_items, calls=sizes.bulk_calls)
    if found["successes"] != found["asked"]:
        raise BenchFailed(f"{found['successes']} of {found['asked']} bulk wagers were accepted")
    return float(found["per_s"])


def replay_small(floor: Floor) -> Figures:
    """An old round from the small store."""
    return {"round_replay_ms": floor.ground.replay_ms(there(floor.small).store, floor.sizes.replays)}


def replay_large(floor: Floor) -> Figures:
    """An old round from the large store."""
    return {"round_replay_ms_large": floor.ground.replay_ms(there(floor.large).store, floor.sizes.replays)}


def settled(floor: Floor) -> Figures:
    """A large round, settled by one call."""
    return {"settled_seats_per_s": there(floor.main).do("settle", seats=floor.sizes.seats)["per_s"]}


def raw_read(floor: Floor) -> Figures:
    """All events of the HTTP run, read and no more."""
    return {"raw_read_events_per_s": floor.ground.raw_read_per_s(MAIN)}


def rebuild(floor: Floor) -> Figures:
    """All read models of the HTTP run."""
    return {"rebuild_events_per_s": floor.ground.rebuild_per_s(MAIN)}


def there(service: Service | None) -> Service:
    """A service that a wanted measure uses."""
    if service is None:
        raise AssertionError("a service that is measured is not running")
    return service


MEASURES: Final = (
    Measure(("http_noop_per_s",), noop),
    Measure(("http_wagers_per_s", "projection_lag_p99_ms"), http, "main"),
    Measure(("tpcb_tps",), tpcb),
    Measure(("bulk_wagers_per_s",), bulk_small, "small"),
    Measure(("bulk_wagers_per_s_large",), bulk_large, "large"),
    Measure(("one_statement_bets_per_s",), one_statement),
    Measure(("stock_per_s",), stock),
    Measure(("http_p99_ms",), half, "main"),
    Measure(("raw_read_events_per_s",), raw_read, "main"),
    Measure(("rebuild_events_per_s",), rebuild, "main"),
    Measure(("round_replay_ms",), replay_small, "small"),
    Measure(("round_replay_ms_large",), replay_large, "large"),
    Measure(("settled_seats_per_s",), settled, "main"),
)
"""One repeat, in this order. What adds most to the log of the HTTP run comes last, behind the rebuild of it."""
