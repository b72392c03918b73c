"""F27: SIGTERM under load, one door after the other; now and then while PostgreSQL hangs.

A request that had begun to arrive is answered with the truth, the process is gone within ten seconds with exit code 0,
and no command is lost or done twice.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPException, HTTPResponse
from typing import Final

from tests.faults.calls import Caller, command
from tests.faults.check import Watch, check
from tests.faults.fault import LIVENESS, Fault, Trial
from tests.faults.load import Load
from tests.faults.processes import children_of
from tests.faults.stage import OPERATOR, Door, Stage, api_key

STOPS, LONG_STOPS = 10, 50
BEGUN: Final = 8
"""Requests of which all but the last byte was sent before each stop."""
STOP_SECONDS: Final = 10.0
HANGS_EVERY: Final = 5
LOAD_SECONDS: Final = 0.5


def begun(door: Door, stack: ExitStack, turn: int) -> list[tuple[socket.socket, bytes]]:
    """Deposits that have begun to arrive; each with what is left."""
    found = []
    for nth in range(BEGUN):
        name = f"stop-{turn}-{nth}"
        body = json.dumps({"amount": 1, "currency": "EUR", "transaction_id": name}).encode()
        head = (
            f"POST /v1/players/stopped/deposits HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {api_key(OPERATOR)}\r\n"
            f"Idempotency-Key: {name}\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
        )
        sock = stack.enter_context(socket.create_connection(("127.0.0.1", door.port), timeout=LIVENESS * STOP_SECONDS))
        sock.sendall(head.encode())
        told = sock.recv(100)
        assert told.startswith(b"HTTP/1.1 100"), told  # so it is being read
        sock.sendall(body[:-1])
        found.append((sock, body[-1:]))
    return found


def answered(sock: socket.socket) -> int:
    """The status that comes, 0 for none."""
    answer = HTTPResponse(sock, method="POST")
    try:
        answer.begin()
        answer.read()
    except (OSError, HTTPException):
        return 0
    return answer.status


@contextmanager
def hanging(stage: Stage) -> Iterator[None]:
    """Every process of the server stands still: connections are open and nobody answers."""
    pids = [stage.cluster.pid, *[one.pid for one in children_of(stage.cluster.pid)]]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


def stopped(trial: Trial, door: Door, turn: int) -> None:
    """Wait until it is gone."""
    began, process = time.monotonic(), door.process
    assert process is not None
    try:
        code: int | None = process.wait(LIVENESS * STOP_SECONDS)
    except subprocess.TimeoutExpired:
        code = None
        process.kill()
    trial.in_time("gone within s", time.monotonic() - began, STOP_SECONDS)
    trial.expect(code == 0, f"stop {turn}: exit code {code}: {door.last_words()}")
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def run(trial: Trial) -> None:
    with Stage.start(trial.folder) as stage:
        with Load(stage, trial.seed) as load:
            caller = Caller(stage, load.calls)
            caller.settle(command("/v1/players", {"player": "stopped", "currency": "EUR"}, "stopped"))
            caller.close()
            for turn in range(trial.amount):
                load.run_for(LOAD_SECONDS)
                door = stage.doors[turn % len(stage.doors)]
                if turn % HANGS_EVERY == HANGS_EVERY - 1:
                    _while_it_hangs(trial, stage, door, turn)
                else:
                    _under_load(trial, door, turn)
                door.start()
                trial.progress(turn + 1, "stopped and started again")
            load.finish()
        watch = Watch(stage)
        watch.fault_ended()
        check(trial, stage, load.calls, watch)
        trial.expect(not load.faults, f"clients broke: {load.faults[:3]}")


def _under_load(trial: Trial, door: Door, turn: int) -> None:
    assert door.process is not None
    with ExitStack() as stack:
        deposits = begun(door, stack, turn)
        door.process.terminate()
        time.sleep(0.2)
        for sock, rest in deposits:
            sock.sendall(rest)
        statuses = [answered(sock) for sock, _ in deposits]
        trial.expect(statuses == [201] * BEGUN, f"stop {turn}: requests that had begun were answered {statuses}")
        trial.count("begun and answered", statuses.count(201))
    stopped(trial, door, turn)


def _while_it_hangs(trial: Trial, stage: Stage, door: Door, turn: int) -> None:
    assert door.process is not None
    with ExitStack() as stack:
        deposits = begun(door, stack, turn)
        with hanging(stage):
            for sock, rest in deposits:
                sock.sendall(rest)
            time.sleep(0.2)
            door.process.terminate()
            stopped(trial, door, turn)
            statuses = [answered(sock) for sock, _ in deposits]
        trial.expect(statuses == [503] * BEGUN, f"stop {turn}: what waited for PostgreSQL was answered {statuses}")
        trial.count("stopped while it hung", 1)


FAULT: Final = Fault("F27", "SIGTERM under load", STOPS, LONG_STOPS, "stops", run)
