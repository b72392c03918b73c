"""The benchmark from the first database to the last check."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from api.bench.checks import fast_enough, wagers_equal
from api.bench.measures import MEASURES, Floor, Measure, full_load
from api.bench.peers import peers
from api.bench.processes import resident_mb
from api.bench.services import service, verified
from api.bench.sizes import Sizes
from api.demo.own_service import new_folder, remove_folder
from api.main.bench_ground import Ground, Store, ground

Tell = Callable[[str, int, int], None]
"""Told what is being done, how far it is, and how far it goes."""

AFTER: Final = ("rss_mb", "two_processes_wagers_per_s")
"""Figures that are taken when the repeats are over."""

VERIFIED_MOST: Final = 1_500_000
"""Events of the largest store that is verified."""

_WITH: Final = {"http_wagers_per_s": frozenset({"http_p99_ms"})}
"""A figure that is taken whenever one of these is: theirs depends on it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run is to measure: the keys, none for all, and how often."""

    sizes: Sizes
    repeats: int
    only: frozenset[str] = frozenset()

    def key(self, name: str) -> bool:
        """Whether a figure is wanted, by itself or for another one."""
        return not self.only or bool(self.only & {name, *_WITH.get(name, ())})

    @property
    def measures(self) -> list[Measure]:
        """The slices of one repeat."""
        return [one for one in MEASURES if any(self.key(key) for key in one.keys)]

    def uses(self, name: str) -> bool:
        """Whether a service is needed."""
        return any(one.uses == name for one in self.measures) or (name == "main" and any(map(self.key, AFTER)))


@dataclass(slots=True)
class Outcome:
    """Each figure repeat by repeat, the checks, what else there is to know, and how long all of it took."""

    measured: dict[str, list[float]] = field(default_factory=dict)
    checks: dict[str, Any] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    server: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def add(self, figures: Sequence[tuple[str, float]]) -> None:
        """One more repeat of these figures."""
        for key, value in figures:
            self.measured.setdefault(key, []).append(value)


def run(wanted: Wanted, tell: Tell) -> Outcome:
    """Measure and check. BenchFailed when it is no result."""
    began, outcome = time.monotonic(), Outcome()
    folder = new_folder("bench")
    with ExitStack() as stack:
        stack.callback(remove_folder, folder)
        scripts = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="studbook-bench-")))
        tell("starting the database", 0, 1)
        base = stack.enter_context(ground(folder))
        outcome.server = base.shown("server_version", "fsync", "synchronous_commit", "full_page_writes",
                                    "shared_buffers", "max_wal_size")  # fmt: skip
        tell("filling the peers' databases", 0, 1)
        floor = Floor(wanted.sizes, base, stack.enter_context(peers(base, wanted.sizes, wanted.key, scripts)))
        with _services(floor, wanted, tell):
            _repeat(floor, wanted, outcome, tell)
            if floor.main is not None and wanted.key("rss_mb"):
                outcome.add([("rss_mb", resident_mb(floor.main.server.pid))])
        answered = {one.store: one.wagers for one in (floor.main, floor.small, floor.large) if one is not None}
        if floor.main is not None and wanted.key("two_processes_wagers_per_s"):
            answered[floor.main.store] += _two_processes(floor, wanted, outcome, tell)
        _check(base, answered, outcome, tell)
        outcome.notes = floor.notes
    outcome.seconds = time.monotonic() - began
    return outcome


@contextmanager
def _services(floor: Floor, wanted: Wanted, tell: Tell) -> Iterator[None]:
    """Fill the stores and start the services that are needed; they stop at the end."""
    with ExitStack() as stack:
        if wanted.uses("small") or wanted.uses("large"):
            copies = wanted.sizes.copies if wanted.uses("large") else 0
            end = wanted.sizes.store_events * (copies + 1)
            began = time.monotonic()
            small, large = floor.ground.filled_stores(
                wanted.sizes.store_events, copies, lambda at: tell("filling the large store", at, end)
            )
            floor.note("filling", {"seconds": round(time.monotonic() - began, 1), "events": floor.ground.events(large)})
            if wanted.uses("small"):
                floor.small = stack.enter_context(service(small, _no_tables(wanted.sizes), "s"))
            if wanted.uses("large"):
                floor.large = stack.enter_context(service(large, _no_tables(wanted.sizes), "l"))
        if wanted.uses("main"):
            tell("opening players and tables", 0, 1)
            floor.main = stack.enter_context(service(floor.ground.main_store(), wanted.sizes, "one"))
            floor.main.do("open", new_players=True)
        yield


def _no_tables(sizes: Sizes) -> Sizes:
    return replace(sizes, players=0, tables=0)


def _repeat(floor: Floor, wanted: Wanted, outcome: Outcome, tell: Tell) -> None:
    """All slices in turn, as often as wanted; and once how fast the client is by itself."""
    measures = wanted.measures
    end = wanted.repeats * len(measures)
    for nth in range(end):
        one = measures[nth % len(measures)]
        tell(f"measuring, {wanted.repeats} times", nth, end)
        floor.settle_down()
        outcome.add([(key, value) for key, value in one.take(floor).items() if wanted.key(key)])
    if "http_noop_per_s" in outcome.measured:
        alone = floor.peers.client_alone()
        outcome.checks["client"] = fast_enough(alone, outcome.measured["http_noop_per_s"], wanted.sizes.client_margin)


def _two_processes(floor: Floor, wanted: Wanted, outcome: Outcome, tell: Tell) -> int:
    """The HTTP load against two serving processes on the same store; how many wagers were accepted."""
    with service(floor.ground.main_store(), wanted.sizes, "two", workers=2) as both:
        both.do("open", new_players=False)
        for nth in range(wanted.repeats):
            tell("two serving processes", nth, wanted.repeats)
            floor.settle_down()
            found, _ = full_load(both, floor, "two_processes")
            outcome.add([("two_processes_wagers_per_s", found["per_s"])])
        return both.wagers


def _check(base: Ground, answered: dict[Store, int], outcome: Outcome, tell: Tell) -> None:
    """Every accepted wager is in its ledger, no other is, and the stores verify. BenchFailed if not.

    A store of millions is not verified: that takes longer than all the rest. A test verifies one made in the same way.
    """
    for store, count in answered.items():
        outcome.checks[f"wagers_{store.name}"] = wagers_equal(count, base.count(store.name) - store.wagers, store.name)
    for nth, store in enumerate(answered):
        if base.events(store) > VERIFIED_MOST:
            continue
        tell("verifying", nth, len(answered))
        found = verified(store)
        outcome.checks[f"verify_{store.name}"] = {"ok": found["ok"], "events": found["events"]}
