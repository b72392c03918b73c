"""What is measured, which ratios are judged, and by which bars. Pure."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

KEYS: Final[Mapping[str, str]] = {
    "http_wagers_per_s": "wagers answered 201 a second, 64 connections, closed loop",
    "http_p99_ms": "99th percentile of a wager's answer at half that rate",
    "http_noop_per_s": "answers a second of a bare FastAPI app with one empty route, same server flags, same client",
    "bulk_wagers_per_s": "wagers a second in bulk calls, on a store of 20 thousand events",
    "settled_seats_per_s": "seats a second of a SHARED round of 10,000 seats, settled by one call",
    "tpcb_tps": "pgbench, TPC-B-like, scale 20, 8 clients, prepared",
    "one_statement_bets_per_s": "pgbench, one statement that takes the stake and inserts the bet, 64 clients",
    "stock_per_s": "the eventsourcing library the documented way, 8 threads",
    "rebuild_events_per_s": "all read models rebuilt from the first event on",
    "raw_read_events_per_s": "the same events read in order, one connection, binary cursor, pages of 5,000",
    "projection_lag_p99_ms": "99th percentile of how long read models are behind, under the full HTTP load",
    "bulk_wagers_per_s_large": "as bulk_wagers_per_s, on a store of 2 million events",
    "round_replay_ms": "one old round with its seats from its events, median, on 20 thousand events",
    "round_replay_ms_large": "the same on 2 million events",
    "rss_mb": "resident memory of the serving process at the end of the load, MiB",
    "two_processes_wagers_per_s": "as http_wagers_per_s, `serve --workers 2`",
}
"""Every key and what it says, for people."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A ratio (or with `below` None a figure itself) with its bar and its aim; `most`: lower is better."""

    name: str
    title: str
    above: str
    below: str | None
    bar: float
    aim: float
    most: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The figures that it is made of."""
        return (self.above,) if self.below is None else (self.above, self.below)


BARS: Final = (
    Bar("http_to_noop", "HTTP wagers / empty endpoint", "http_wagers_per_s", "http_noop_per_s", 0.50, 0.90),
    Bar("http_to_tpcb", "HTTP wagers / TPC-B-like tps", "http_wagers_per_s", "tpcb_tps", 0.60, 1.2),
    Bar("http_to_stock", "HTTP wagers / library the documented way", "http_wagers_per_s", "stock_per_s", 8, 15),
    Bar("bulk_to_tpcb", "bulk wagers / TPC-B-like tps", "bulk_wagers_per_s", "tpcb_tps", 1.5, 3),
    Bar("bulk_to_one_statement", "bulk wagers / one-statement bets", "bulk_wagers_per_s", "one_statement_bets_per_s",
        0.4, 1),
    Bar("settled_to_tpcb", "settled seats / TPC-B-like tps", "settled_seats_per_s", "tpcb_tps", 2, 4),
    Bar("rebuild_to_raw", "rebuild / raw read", "rebuild_events_per_s", "raw_read_events_per_s", 0.10, 0.25),
    Bar("bulk_large_to_small", "bulk at 2 M events / at 20 k", "bulk_wagers_per_s_large", "bulk_wagers_per_s",
        0.8, 0.95),
    Bar("replay_large_to_small", "one round's replay at 2 M / at 20 k", "round_replay_ms_large", "round_replay_ms",
        2, 1.2, most=True),
    Bar("lag_p99_ms", "lag p99 under full load, ms", "projection_lag_p99_ms", None, 1_000, 100, most=True),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ratio:
    """A bar with what was reached; `least` and `most` are those of the single repeats."""

    bar: Bar
    value: float
    least: float
    most: float

    @property
    def met(self) -> bool:
        """Whether the bar is reached."""
        return self.value <= self.bar.bar if self.bar.most else self.value >= self.bar.bar

    @property
    def aimed(self) -> bool:
        """Whether the aim is reached."""
        return self.value <= self.bar.aim if self.bar.most else self.value >= self.bar.aim

    def as_json(self) -> dict[str, object]:
        """For the report."""
        return {
            "title": self.bar.title, "value": rounded(self.value), "least": rounded(self.least),
            "most": rounded(self.most), "bar": self.bar.bar, "aim": self.bar.aim, "at_most": self.bar.most,
            "bar_reached": self.met, "aim_reached": self.aimed,
        }  # fmt: skip


def medians(measured: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median of each figure's repeats, in the order of KEYS."""
    return {key: rounded(statistics.median(measured[key])) for key in KEYS if measured.get(key)}


def ratios(measured: Mapping[str, Sequence[float]]) -> list[Ratio]:
    """Each ratio that was measured: the median of the ratios of figures that were taken in the same repeat."""
    found: list[Ratio] = []
    for bar in BARS:
        if all(measured.get(key) for key in bar.keys):
            above = measured[bar.above]
            below = [1.0] * len(above) if bar.below is None else measured[bar.below]
            each = [one / other for one, other in zip(above, below, strict=False)]
            found.append(Ratio(bar, statistics.median(each), min(each), max(each)))
    return found


def rounded(value: float) -> float:
    """Four significant digits: more would be noise."""
    return float(f"{value:.4g}") if value < 10_000 else float(round(value))


def unknown(names: Collection[str]) -> list[str]:
    """Those that are no key."""
    return sorted(set(names) - set(KEYS))
