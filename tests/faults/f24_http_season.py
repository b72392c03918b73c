"""F24: rounds over HTTP without a pause, by turns at one serving process and at two on one database.

A round is opened, bet on twice by each player, closed, dealt, decided by some (by the platform for the others) and
settled; tables of timers run beside it. No request may fail. Every answer is counted, few are kept: what grows then in
the serving processes and the projector is theirs.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from adapters.database.settings import Role
from tests.faults.calls import Caller, Calls, Command, Reply, command
from tests.faults.check import Watch, ask_again, check, open_rounds
from tests.faults.evidence import wait_until
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.faults.floor import CLIENTS, Place, close_floor, open_floor
from tests.faults.ground import FULL_EVENTS, MODELS_SECONDS, whole_log
from tests.faults.invariants import AUTO_SECONDS
from tests.faults.pulse import TENTHS, Latencies, Memory
from tests.faults.stage import Stage

P99_SECONDS: Final = 0.25
RATE: Final = 150.0
KEPT: Final = 200
"""One answer in so many is kept, and asked for again in the end."""
ANTE_MINOR: Final = 100
SEATED: Final = 5
"""Players of a round at a table with one hand for all."""
WAGERS: Final = 100_000
GROWN_MB: Final = 5.0
"""So much memory may a process gain in so many wagers, once its caches are full."""
WARM_SHARE: Final = 0.5
LONG_ROUNDS: Final = 50_000


class Sampled(Calls):
    """Calls of which few are kept."""

    def _done(self, command: Command, reply: Reply) -> None:
        if self.statuses[reply.status] % KEPT == 0 or reply.replayed or command in self.acknowledged:
            super()._done(command, reply)


@dataclass(slots=True)
class Tally:
    """What all clients have done. Safe for threads."""

    amount: int
    rounds: int = 0
    begun: int = 0
    wagers: int = 0
    requests: int = 0
    latencies: Latencies = field(default_factory=Latencies)
    faults: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self) -> bool:
        """Whether there is one more round to play."""
        with self.lock:
            self.begun += 1
            return self.begun <= self.amount and not self.faults

    @property
    def doors(self) -> int:
        """At how many serving processes clients are now: one and two in turns, a tenth of the rounds each."""
        return 1 + (self.begun - 1) * TENTHS // self.amount % 2


class Client:
    """Leads the rounds of one table, one request after the other."""

    def __init__(self, stage: Stage, calls: Calls, place: Place, tally: Tally, seed: int) -> None:
        self._caller = Caller(stage, calls, 0)
        self._place, self._tally = place, tally
        self._chance = random.Random(f"{seed}/{place.client}")
        self._sent = 0

    def live(self) -> None:
        """Until all rounds are played."""
        try:
            while self._tally.begin():
                self._go_to(self._place.client % self._tally.doors)
                self._round()
        except Exception as fault:
            with self._tally.lock:
                self._tally.faults.append(f"client {self._place.client}: {type(fault).__name__}: {fault}")
        finally:
            self._caller.close()

    def _go_to(self, door: int) -> None:
        if door != self._caller.door:
            self._caller.close()
            self._caller.door = door

    def _round(self) -> None:
        place, chance = self._place, self._chance
        name = self._post(f"/v1/tables/{place.table}/rounds").body["round"]
        players = chance.sample(place.players, place.game.seats or SEATED)
        for body in self._bets(players):
            self._post(f"/v1/rounds/{name}/wagers", body)
        self._post(f"/v1/rounds/{name}/close")
        self._post(f"/v1/rounds/{name}/deal")
        for player in players[::3]:
            choice = chance.choice(("call", "fold"))
            self._post(f"/v1/rounds/{name}/decisions", {"player": player, "decision": choice})
        self._post(f"/v1/rounds/{name}/settle")
        with self._tally.lock:
            self._tally.rounds += 1
            self._tally.wagers += 2 * len(players)

    def _bets(self, players: Sequence[str]) -> list[dict[str, Any]]:
        """Two for each player, the side wager with the first."""
        game, bets = self._place.game, []
        for nth, player in enumerate(players, 1):
            bet: dict[str, Any] = {"player": player, "ante": ANTE_MINOR}
            if game.seats is not None:
                bet["seat"] = nth
            side = {"side": {game.side: game.side_price}} if self._chance.randrange(2) else {}
            bets += [{**bet, **side}, bet]
        return bets

    def _post(self, path: str, body: Any = None) -> Reply:
        self._sent += 1
        asked = command(path, body or {}, f"c{self._place.client}-{self._sent}")
        reply = self._caller.send(asked)
        if not reply.is_done:
            raise AssertionError(f"{path}: {reply.status} {reply.content[:200]!r}")
        with self._tally.lock:
            self._tally.requests += 1
            self._tally.latencies.note(reply.seconds, (self._tally.begun - 1) / self._tally.amount)
        return reply


def run(trial: Trial) -> None:
    """All clients at once; then every check."""
    with Stage.start(trial.folder) as stage:
        calls, tally, memory = Sampled(), Tally(trial.amount), Memory()
        places = open_floor(stage, calls, CLIENTS)
        clients = [Client(stage, calls, one, tally, trial.seed) for one in places]
        threads = [threading.Thread(target=one.live, daemon=True) for one in clients]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        _watch(trial, stage, tally, memory, threads)
        spent = time.monotonic() - began
        close_floor(stage, calls)
        _figures(trial, tally, spent)
        _memory(trial, tally, memory)
        _checked(trial, stage, calls)


def _watch(trial: Trial, stage: Stage, tally: Tally, memory: Memory, threads: Sequence[threading.Thread]) -> None:
    """Progress, and memory now and then, until the last client is done."""
    began, pids = time.monotonic(), _pids(stage)
    noted, each = 0, max(1, trial.amount // 100)
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.1)
        if tally.rounds >= noted:
            memory.note(tally.wagers, pids)
            noted = tally.rounds + each
        rate = tally.requests / (time.monotonic() - began)
        left = (trial.amount - tally.rounds) / max(tally.rounds, 1) * (time.monotonic() - began) / 60
        trial.progress(tally.rounds, f"{rate:.0f} requests/s at {tally.doors}, {left:.1f} min left")
    trial.progress(tally.rounds)


def _pids(stage: Stage) -> dict[str, int]:
    found = {f"serve {nth}": door.pid for nth, door in enumerate(stage.doors, 1)}
    return found | {f"projector {nth}": one.pid for nth, door in enumerate(stage.doors, 1) for one in door.projectors()}


def _figures(trial: Trial, tally: Tally, spent: float) -> None:
    for text in tally.faults:
        trial.expect(False, text)
    rate = tally.requests / spent
    trial.figure("requests", tally.requests)
    trial.figure("wagers", tally.wagers)
    trial.figure("requests/s", round(rate))
    trial.expect(rate * LIVENESS >= RATE, f"fewer requests than a {LIVENESS}th of {RATE:g} in a second")
    trial.in_time("p99 s", tally.latencies.p99(), P99_SECONDS)
    trial.figure("p99 ms at one", round(1000 * tally.latencies.p99(*range(0, TENTHS, 2))))
    trial.figure("p99 ms at two", round(1000 * tally.latencies.p99(*range(1, TENTHS, 2))))


def _memory(trial: Trial, tally: Tally, memory: Memory) -> None:
    for name, samples in memory.samples.items():
        trial.figure(f"{name} MB", round(samples[-1][1]))
        grown = memory.slope(name, WAGERS, int(WARM_SHARE * tally.wagers))
        if grown is not None and tally.wagers >= WAGERS:
            trial.figure(f"{name} MB/{WAGERS:,} wagers", round(grown, 2))
            trial.expect(
                trial.amount < LONG_ROUNDS or grown <= GROWN_MB,
                f"{name} grows by more than {GROWN_MB:g} MB in {WAGERS:,} wagers",
            )


def _checked(trial: Trial, stage: Stage, calls: Calls) -> None:
    """Every invariant; page by page where the log is too long for memory."""
    trial.expect(not calls.refused, f"{len(calls.refused)} were refused")
    trial.expect(set(calls.statuses) <= {200, 201}, f"other answers than 200 and 201: {dict(calls.statuses)}")
    if stage.anchor().position <= FULL_EVENTS:
        check(trial, stage, calls, Watch(stage))
    else:
        wait_until(lambda: not open_rounds(stage), AUTO_SECONDS + 5, pause=0.25)
        trial.checked({"I2": ask_again(stage, calls, trial.seed), "I10": list(calls.wrong)})
        stage.wait_models(LIVENESS * MODELS_SECONDS)
        whole_log(trial, stage.cluster.settings().conninfo(Role.PROJECTOR))


FAULT: Final = Fault("F24", "rounds over HTTP, at one and two", 300, LONG_ROUNDS, "rounds", run)
