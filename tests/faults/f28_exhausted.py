"""F28: four times as many clients as connections, 1,000 sockets that clients abort, a lock that is held for 30 s."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from adapters.database.locks import WRITER_LOCK
from adapters.database.settings import Role
from tests.faults.calls import Caller, Calls, Command, Lost, command
from tests.faults.check import Watch, check
from tests.faults.crowd import Crowd
from tests.faults.f03_connections_cut import POOL
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.faults.stage import Stage, api_key

CLIENTS: Final = 4 * POOL
LOCK_SECONDS: Final = 30.0 / 2
"""Of each of the two locks."""
ANSWER_SECONDS: Final = 5.0
BACK_SECONDS: Final = 5.0
IDLE_SECONDS: Final = 5.0
ABORTED: Final = 1_000
_RESET: Final = struct.pack("ii", 1, 0)


@dataclass(slots=True)
class Waits:
    """How long each request waited, and what came."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    slowest: float = 0.0
    statuses: dict[int, int] = field(default_factory=dict)

    def note(self, status: int, seconds: float) -> None:
        """An answer."""
        with self.lock:
            self.slowest = max(self.slowest, seconds)
            self.statuses[status] = self.statuses.get(status, 0) + 1


def run(trial: Trial) -> None:
    """Lock the log, then the read models, then abort sockets; after each it is back by itself."""
    with Stage.start(trial.folder) as stage:
        calls, watch = Calls(), Watch(stage)
        _furnish(stage, calls)
        for nth in range(trial.amount):
            for lock in LOCKS:
                _locked(trial, stage, calls, lock)
                trial.progress(nth, f"the {lock.name} was locked for {LOCK_SECONDS:.0f} s")
            _aborted(trial, stage, calls)
            trial.progress(nth + 1)
        watch.fault_ended()
        check(trial, stage, calls, watch)


def _furnish(stage: Stage, calls: Calls) -> None:
    crowd = Crowd(stage, calls, 8)
    crowd.settle_all([
        command("/v1/players", {"player": f"p{nth}", "currency": "EUR"}, f"p{nth}") for nth in range(CLIENTS)
    ])  # fmt: skip
    crowd.leave()


def _deposit(caller: Caller, name: str, nth: int) -> tuple[int, float]:
    reply = caller.send(_paid_in(nth, name))
    return reply.status, reply.seconds


def _paid_in(nth: int, name: str) -> Command:
    body = {"amount": 1, "currency": "EUR", "transaction_id": name}
    return command(f"/v1/players/p{nth % CLIENTS}/deposits", body, name)


def _balance(caller: Caller, _name: str, nth: int) -> tuple[int, float]:
    reply = caller.get(f"/v1/players/p{nth % CLIENTS}/balance")
    return reply.status, reply.seconds


@dataclass(frozen=True, slots=True)
class Lock:
    """What somebody holds within a transaction, and a request that needs it."""

    name: str
    statement: str
    ask: Callable[[Caller, str, int], tuple[int, float]]


LOCKS: Final = (
    Lock("log", f"SELECT pg_advisory_xact_lock({WRITER_LOCK})", _deposit),
    Lock("view", "LOCK TABLE studbook.view_rows IN ACCESS EXCLUSIVE MODE", _balance),
)


def _locked(trial: Trial, stage: Stage, calls: Calls, lock: Lock) -> None:
    """All clients at once while the lock is held, and until all is well after it."""
    waits, end = Waits(), threading.Event()

    def client(nth: int) -> None:
        caller, count = Caller(stage, calls, nth), 0
        while not end.is_set():
            count += 1
            try:
                waits.note(*lock.ask(caller, f"{lock.name}-{nth}-{count}-{trial.done}", nth))
            except Lost:
                waits.note(0, LIVENESS * ANSWER_SECONDS)
            end.wait(0.05)
        caller.close()

    with ThreadPoolExecutor(CLIENTS + 1) as pool:
        clients = [pool.submit(client, nth) for nth in range(CLIENTS)]
        idle = pool.submit(_longest_idle, stage, end)
        try:
            with stage.superuser() as conn, conn.transaction():
                conn.execute(lock.statement.encode())
                end.wait(LOCK_SECONDS)
            trial.in_time(f"{lock.name} back s", _until_back(stage, calls, f"{lock.name}-{trial.done}"), BACK_SECONDS)
        finally:
            end.set()
        for one in clients:
            one.result(LIVENESS * ANSWER_SECONDS)
        trial.in_time("idle in transaction s", idle.result(), IDLE_SECONDS)
    trial.in_time(f"{lock.name} answer s", waits.slowest, ANSWER_SECONDS)
    trial.expect(set(waits.statuses) <= {200, 201, 503}, f"{lock.name} locked: answers {waits.statuses}")
    trial.expect(waits.statuses.get(503, 0) > 0, f"{lock.name} locked: nobody was told to come again")


def _until_back(stage: Stage, calls: Calls, name: str) -> float:
    """Seconds until each door takes a command and answers a read of it."""
    began = time.monotonic()
    for nth in range(len(stage.doors)):
        caller = Caller(stage, calls, nth)
        position = caller.settle(_paid_in(nth, f"back-{name}-{nth}")).body["position"]
        while caller.get(f"/v1/players/p{nth}/balance?min_position={position}").status != 200:
            if time.monotonic() - began > LIVENESS * BACK_SECONDS:
                return time.monotonic() - began
            time.sleep(0.02)
        caller.close()
    return time.monotonic() - began


def _longest_idle(stage: Stage, end: threading.Event) -> float:
    """The longest that one of the service's sessions stood idle within a transaction. Ours does not count."""
    longest = 0.0
    with stage.connect(Role.OWNER) as conn:
        while not end.wait(0.5):
            row = conn.execute(
                "SELECT extract(epoch FROM max(clock_timestamp() - state_change))::float FROM pg_stat_activity "
                "WHERE state LIKE 'idle in transaction%' AND application_name LIKE 'studbook%'"
            ).fetchone()
            longest = max(longest, (row[0] if row else None) or 0.0)
    return longest


def _aborted(trial: Trial, stage: Stage, calls: Calls) -> None:
    """1,000 clients that break off: before, within and after their request, without a word (RST)."""
    chance = random.Random(trial.seed)
    sent = [_paid_in(nth, f"aborted-{trial.done}-{nth}") for nth in range(ABORTED)]
    for nth, one in enumerate(sent):
        head = (
            f"POST {one.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {api_key('demo')}\r\n"
            f"Idempotency-Key: {one.key}\r\nContent-Length: {len(one.body)}\r\n\r\n"
        ).encode() + one.body
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", stage.doors[nth % 2].port), timeout=5) as conn,
        ):
            conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            conn.sendall(head[: chance.choice((0, len(head) // 3, len(head) - 5, len(head)))])
    trial.in_time("aborted back s", _until_back(stage, calls, f"aborted-{trial.done}"), BACK_SECONDS)
    crowd = Crowd(stage, calls, 8)
    replies = crowd.settle_all(sent)
    crowd.leave()
    trial.expect({one.status for one in replies} == {201}, "a command whose client had gone could not be sent again")
    trial.figure("aborted and done", sum(one.replayed for one in replies))


FAULT: Final = Fault("F28", "pools exhausted, sockets aborted, locks held", 1, 1, "rounds", run)
