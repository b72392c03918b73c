"""What `/metrics` tells, in Prometheus' text form. Labels are names of commands and codes, never ids."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY: Final = CollectorRegistry()

COMMANDS: Final = Counter(
    "studbook_commands_total",
    "Commands by outcome: done, replayed, or the code of the refusal.",
    ["command", "outcome"],
    registry=REGISTRY,
)
SECONDS: Final = Histogram(
    "studbook_command_seconds",
    "Time from the hand-in of a command, or of a slice of a bulk call, to its durable answer.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0),
    registry=REGISTRY,
)
WAITING: Final = Gauge("studbook_commands_waiting", "Commands that wait for the next turn.", registry=REGISTRY)
TURNS_LOST: Final = Gauge(
    "studbook_turns_lost", "Turns of the writer that did not commit, since this process began.", registry=REGISTRY
)
POSITION: Final = Gauge("studbook_log_position", "Position of the last event known here.", registry=REGISTRY)
LAG: Final = Gauge(
    "studbook_projection_lag_events", "Events that a read model is behind.", ["model"], registry=REGISTRY
)
STREAMS: Final = Gauge(
    "studbook_streams", "Followers that are served now: streaming, or waiting for news.", ["kind"], registry=REGISTRY
)


_counters: dict[tuple[str, str], Counter] = {}


def command(name: str, outcome: str, seconds: float) -> None:
    """One command more: its outcome (done, replayed, or a refusal's code) and how long it took."""
    counter = _counters.get((name, outcome))
    if counter is None:  # the client's own look-up of labels takes longer than the count
        counter = _counters[name, outcome] = COMMANDS.labels(name, outcome)
    counter.inc()
    SECONDS.observe(seconds)


def text() -> bytes:
    """All figures."""
    return generate_latest(REGISTRY)
