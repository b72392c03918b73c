"""What `/metrics` tells, in Prometheus' text form.

    REGISTRY   what this process did and how it does: each serving process has its own, told apart by `worker`
    DATABASE   what is the same whoever is asked: told once, by the process that answers
    HOUSE      what names an operator or a pool: shown only to who sends STUDBOOK_METRICS_TOKEN (docs/adr/0018)

Labels are names of commands, codes, phases, read models, operators and pools; never players, rounds or keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

REGISTRY: Final = CollectorRegistry()
DATABASE: Final = CollectorRegistry()
HOUSE: Final = CollectorRegistry()

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
PROBLEMS: Final = Counter(
    "studbook_problems_total",
    "Problem documents by code, those of a bulk call's items too.",
    ["code"],
    registry=REGISTRY,
)
TURN_COMMANDS: Final = Histogram(
    "studbook_turn_commands",
    "Commands that one transaction of the writer took.",
    buckets=(1, 2, 5, 10, 20, 50, 100, 200, 400),
    registry=REGISTRY,
)
TURN_SECONDS: Final = Histogram(
    "studbook_turn_seconds",
    "Time of one transaction of the writer, from taking the lock to the end of the commit.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
    registry=REGISTRY,
)
EVENTS: Final = Counter("studbook_events_total", "Events that this process appended.", registry=REGISTRY)
WAITING: Final = Gauge("studbook_commands_waiting", "Commands that wait for the next turn.", registry=REGISTRY)
TURNS_LOST: Final = Gauge(
    "studbook_turns_lost", "Turns of the writer that did not commit, since this process began.", registry=REGISTRY
)
POSITION: Final = Gauge("studbook_log_position", "Position of the last event known here.", registry=REGISTRY)
STOPPED: Final = Gauge(
    "studbook_writer_stopped", "1 while this process takes no commands; /readyz says why.", registry=REGISTRY
)
BROKEN: Final = Gauge("studbook_streams_broken", "Streams that could not be read.", registry=REGISTRY)
LOOP_LAG: Final = Gauge(
    "studbook_loop_lag_seconds", "The longest that the event loop was late within the last 15 s.", registry=REGISTRY
)
CLOCK_OFF: Final = Gauge(
    "studbook_clock_off_seconds",
    "By how much the machine's clock is ahead of the time that this process keeps, since it jumped.",
    registry=REGISTRY,
)
CLOCK_JUMPS: Final = Gauge(
    "studbook_clock_jumps", "Jumps of the machine's clock since this process began.", registry=REGISTRY
)
STREAMS: Final = Gauge(
    "studbook_streams", "Followers that are served now: streaming, or waiting for news.", ["kind"], registry=REGISTRY
)
for _kind in ("streaming", "waiting"):
    STREAMS.labels(_kind)  # told from the start, so that none is 0 and not nothing
POOL: Final = Gauge(
    "studbook_pool_connections", "Connections of a pool: open, idle.", ["pool", "state"], registry=REGISTRY
)
POOL_WAITING: Final = Gauge(
    "studbook_pool_requests_waiting", "Requests that wait for a connection.", ["pool"], registry=REGISTRY
)
BUILD: Final = Gauge(
    "studbook_build_info", "1; the labels name the software.", ["version", "build", "python"], registry=REGISTRY
)
OPEN_ROUNDS: Final = Gauge(
    "studbook_open_rounds", "Rounds that are not over, told by the process that runs the timers.", ["phase"],
    registry=REGISTRY,
)  # fmt: skip
OPEN_ROUND_IDLE: Final = Gauge(
    "studbook_open_round_idle_seconds",
    "For how long the open round that waits longest was not touched.",
    registry=REGISTRY,
)
ProcessCollector(registry=REGISTRY)

LAG: Final = Gauge(
    "studbook_projection_lag_events", "Events that a read model is behind.", ["model"], registry=DATABASE
)
MODEL_STOPPED: Final = Gauge(
    "studbook_projection_stopped", "1 while a read model stands before an event it cannot take.", ["model"],
    registry=DATABASE,
)  # fmt: skip
ANCHORED: Final = Gauge(
    "studbook_anchored", "1 where a folder of anchors is known, 0: nothing is anchored outside of the database.",
    registry=DATABASE,
)  # fmt: skip
UNANCHORED: Final = Gauge(
    "studbook_unanchored_events", "Events that lie behind the last anchor; 0 where none are written.",
    registry=DATABASE,
)  # fmt: skip
ANCHOR_AGE: Final = Gauge(
    "studbook_anchor_age_seconds", "Age of the last anchor while events lie behind it, else 0.", registry=DATABASE
)
LOG_DIFFERS: Final = Gauge(
    "studbook_log_differs", "1 while the log does not hold what was anchored: it was cut or changed.", registry=DATABASE
)
READY: Final = Gauge("studbook_ready", "1 when /readyz of the process that answers says 200.", registry=DATABASE)
WORKERS: Final = Gauge(
    "studbook_workers", "Serving processes of this service whose figures stand here.", registry=DATABASE
)
DELIVERER_AGE: Final = Gauge(
    "studbook_deliverer_age_seconds", "Since the deliverer told how it does; it does so every 2 s.", registry=DATABASE
)
WEBHOOKS: Final = Gauge(
    "studbook_webhooks", "Webhooks that are called, those of them that fail, and disabled ones.", ["state"],
    registry=DATABASE,
)  # fmt: skip
WEBHOOK_BACKLOG: Final = Gauge(
    "studbook_webhook_backlog_events", "Events that wait for webhooks, over all that are called.", registry=DATABASE
)
WEBHOOK_CALLS: Final = Gauge(
    "studbook_webhook_calls", "Calls of webhooks since the deliverer began, by outcome.", ["outcome"], registry=DATABASE
)
EXPORTER_AGE: Final = Gauge(
    "studbook_exporter_age_seconds",
    "Since the exporter told how it does; it does so every 2 s while it makes nothing.",
    registry=DATABASE,
)
EXPORTS: Final = Gauge(
    "studbook_exports", "Exports that wait or are made now; done and failed since the exporter began.", ["state"],
    registry=DATABASE,
)  # fmt: skip
ACCESS_DROPPED: Final = Counter(
    "studbook_access_log_dropped_total", "Visits that the access log had no room for.", registry=REGISTRY
)
ACCESS_WAITING: Final = Gauge(
    "studbook_access_log_waiting", "Lines of the access log not yet written.", registry=REGISTRY
)

OPERATOR_ROUNDS: Final = Gauge(
    "studbook_operator_open_rounds", "Rounds of an operator that are not over.", ["operator"], registry=HOUSE
)
JACKPOT: Final = Gauge(
    "studbook_jackpot_minor",
    "Whole minor units of a pool: its meter, reserve and overflow. For dashboards; accounts are kept in whole numbers.",
    ["operator", "jackpot", "currency", "balance"],
    registry=HOUSE,
)

_counters: dict[tuple[str, str], Counter] = {}
_problems: dict[str, Counter] = {}


def command(name: str, outcome: str, seconds: float) -> None:
    """One command more: its outcome (done, replayed, or a refusal's code) and how long it took."""
    counter = _counters.get((name, outcome))
    if counter is None:  # the client's own look-up of labels takes longer than the count
        counter = _counters[name, outcome] = COMMANDS.labels(name, outcome)
    counter.inc()
    SECONDS.observe(seconds)


def problem(code: str) -> None:
    """One problem document more."""
    counter = _problems.get(code)
    if counter is None:
        counter = _problems[code] = PROBLEMS.labels(code)
    counter.inc()


def turn(commands: int, events: int, seconds: float) -> None:
    """One transaction of the writer."""
    TURN_COMMANDS.observe(commands)
    TURN_SECONDS.observe(seconds)
    EVENTS.inc(events)


class _Labelled(Collector):
    """A registry's figures with the label `worker` on each."""

    def __init__(self, registry: CollectorRegistry, worker: str) -> None:
        self._registry = registry
        self._worker = worker

    def collect(self) -> Iterable[Metric]:
        """All of them."""
        for family in self._registry.collect():
            family.samples = [one._replace(labels={**one.labels, "worker": self._worker}) for one in family.samples]
            yield family


def own(worker: str | None, *, full: bool) -> bytes:
    """This process's figures; `worker` tells it from its neighbours, None where it has none."""
    wanted = (REGISTRY, HOUSE) if full else (REGISTRY,)
    if worker is None:
        return b"".join(generate_latest(one) for one in wanted)
    return generate_latest(_Labelled(REGISTRY, worker)) + (generate_latest(HOUSE) if full else b"")


def database() -> bytes:
    """What is the same whoever is asked."""
    return generate_latest(DATABASE)


def merged(texts: Iterable[bytes]) -> bytes:
    """Several texts as one: the samples of a family stand together under its head, as the form wants it."""
    families: dict[bytes, list[bytes]] = {}
    for text in texts:
        for block in text.split(b"# HELP ")[1:]:
            help_line, type_line, samples = block.split(b"\n", 2)
            families.setdefault(b"# HELP %b\n%b\n" % (help_line, type_line), []).append(samples)
    return b"".join(head + b"".join(samples) for head, samples in families.items())


def webhooks(age: float, backlog: int, states: Mapping[str, int], calls: Mapping[str, int]) -> None:
    """What the deliverer left; `age` in seconds, `backlog` in events."""
    DELIVERER_AGE.set(age)
    WEBHOOK_BACKLOG.set(backlog)
    for state, count in states.items():
        WEBHOOKS.labels(state).set(count)
    for outcome, count in calls.items():
        WEBHOOK_CALLS.labels(outcome).set(count)


def exports(age: float, states: Mapping[str, int]) -> None:
    """What the exporter left; `age` in seconds."""
    EXPORTER_AGE.set(age)
    for state, count in states.items():
        EXPORTS.labels(state).set(count)
