"""F27: the parts of a stop share one deadline, and all of them together are below the ten seconds that are promised."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import nullcontext
from pathlib import Path
from socket import socket
from unittest.mock import Mock

import pytest
from uvicorn.supervisors import multiprocess

from adapters.database.errors import StartRefused
from api.main import serving, stopping
from api.main.children import KILLED_SECONDS, STOP_SECONDS, Child, end_all
from api.main.leaving import (
    ANSWER_SECONDS,
    CHILDREN_SECONDS,
    DATABASE_SECONDS,
    END_SECONDS,
    LAST_SECONDS,
    LEAVE_SECONDS,
    PUT_AWAY_SECONDS,
    Leaving,
)
from api.main.serving import server_config
from api.main.stopping import Server, Supervisor
from api.main.workers import WORKERS_DIR
from tests.adapters.projecting import until

PROMISED = 10.0
ROOM = 1.5
"""What a busy machine may take on top."""
TICKS = 0.2
"""The server looks for its signal, and lets connections end, a tenth of a second each."""
SUPERVISOR_TICK = 0.5
DEAF = "import signal,sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); open(sys.argv[1],'w').close(); signal.pause()"


class Clock:
    """Stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def spent(parts: list[float]) -> float:
    """When a stop is over whose every part takes all that it may."""
    clock = Clock()
    leaving = Leaving(clock)
    leaving.told()
    for most in parts:
        clock.now += leaving.left(most)
    return clock.now - 100.0


def test_F27_a_process_whose_database_hangs_and_whose_children_are_deaf_is_gone_in_time() -> None:
    own = server_config(None, workers=1).timeout_graceful_shutdown
    assert own == ANSWER_SECONDS
    took = spent([TICKS, own, PUT_AWAY_SECONDS, LEAVE_SECONDS, STOP_SECONDS])
    assert took + KILLED_SECONDS + DATABASE_SECONDS <= PROMISED - ROOM
    late = spent([TICKS, own, 5 * PUT_AWAY_SECONDS, LEAVE_SECONDS, STOP_SECONDS])
    assert late == END_SECONDS, "what one part takes too long, the next ones have less"


def test_F27_serving_processes_end_by_themselves_before_they_are_killed_and_what_is_kept_is_for_the_children() -> None:
    own = SUPERVISOR_TICK + TICKS + ANSWER_SECONDS + PUT_AWAY_SECONDS + LEAVE_SECONDS
    clock = Clock()
    leaving = Leaving(clock)
    leaving.told()
    assert own < leaving.left(kept=CHILDREN_SECONDS)
    clock.now += leaving.left(kept=CHILDREN_SECONDS)
    assert leaving.left(STOP_SECONDS) == CHILDREN_SECONDS


def test_F27_a_second_signal_gives_no_more_time_and_who_was_not_told_has_all_of_its_own() -> None:
    clock = Clock()
    leaving = Leaving(clock)
    assert leaving.left(STOP_SECONDS) == STOP_SECONDS
    leaving.told()
    clock.now += 5
    leaving.told()
    assert leaving.left() == END_SECONDS - 5
    clock.now += 5
    assert leaving.left() == 0


def test_F27_what_hangs_after_a_signal_is_left_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, done, codes = Clock(), list[str](), list[int]()
    leaving = Leaving(clock)
    leaving.at_last = lambda: done.append("put away")
    monkeypatch.setattr("api.main.leaving.LAST_SECONDS", 0.0)
    monkeypatch.setattr("api.main.leaving.os._exit", codes.append)
    leaving.told()
    clock.now += END_SECONDS
    leaving.enforce()
    assert (done, codes) == (["put away"], [0])
    assert PROMISED >= END_SECONDS + LAST_SECONDS + DATABASE_SECONDS


def test_F27_a_child_that_does_not_hear_is_killed_when_its_time_is_over(tmp_path: Path) -> None:
    children = [Child([sys.executable, "-c", DEAF, str(tmp_path / name)], os.environ) for name in "ab"]
    for one in children:
        one.start()
    until(lambda: all((tmp_path / name).exists() for name in "ab"))
    pids = [one.pid for one in children]
    end_all(children, 0.1)
    until(lambda: not any(alive(pid) for pid in pids))


def alive(pid: int | None) -> bool:
    """Whether there is such a process."""
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_F27_the_time_begins_with_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    leaving = Leaving(Clock())
    monkeypatch.setattr(stopping, "LEAVING", leaving)
    server = Server(server_config(None, workers=1))  # it is not run
    server.handle_exit(signal.SIGTERM, None)
    assert server.should_exit
    assert leaving.left(1_000.0) == END_SECONDS


def test_F27_whatever_signal_follows_the_first_what_was_begun_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "LEAVING", Leaving(Clock()))
    server = Server(server_config(None, workers=1))
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGINT):
        server.handle_exit(number, None)
    assert (server.should_exit, server.force_exit) == (True, False)
    of_several = multiprocess.Process(server_config(None, workers=2), [])
    assert isinstance(of_several.server, Server)


def test_a_serving_process_is_given_time_to_start_and_then_has_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    leaving = Leaving(Clock())
    monkeypatch.setattr(stopping, "LEAVING", leaving)
    one, late = (stopping.Serving(server_config(None, workers=2), []) for _ in range(2))
    for process in (one, late):
        monkeypatch.setattr(process, "process", Mock(is_alive=lambda: True))
    one.start()
    assert one.is_alive(0.05), "it has not answered yet"
    one.child_conn.send(True)
    assert one.is_alive(0.05)
    assert not one.is_alive(0.05), "it answered before"
    monkeypatch.setattr(stopping, "START_SECONDS", -1.0)
    late.start()
    assert not late.is_alive(0.05)
    leaving.told()
    assert one.is_alive(1_000.0), "and nobody who stops them waits"


def test_F27_a_second_signal_does_not_break_off_how_a_start_is_put_away(monkeypatch: pytest.MonkeyPatch) -> None:
    leaving = Leaving(Clock())
    monkeypatch.setattr(serving, "LEAVING", leaving)
    with pytest.raises(SystemExit) as ended:
        serving._leave(signal.SIGTERM, None)
    assert ended.value.code == 0
    serving._leave(signal.SIGTERM, None)
    serving._leave(signal.SIGINT, None)
    assert leaving.left() == END_SECONDS


@pytest.mark.parametrize("is_told", [True, False])
def test_several_serving_processes_that_end_untold_did_not_start_and_that_is_no_success(
    monkeypatch: pytest.MonkeyPatch, *, is_told: bool
) -> None:
    leaving = Leaving(Clock())
    monkeypatch.setattr(serving, "LEAVING", leaving)
    monkeypatch.setattr(serving, "Supervisor", lambda _config, sockets: Ended(leaving if is_told else None, sockets))
    monkeypatch.setenv(WORKERS_DIR, "")
    with nullcontext() if is_told else pytest.raises(StartRefused, match="did not start"), socket() as listener:
        serving._run(serving.Options("127.0.0.1", 0, 2, None, None), listener)


class Ended:
    """Serving processes that have ended: they were told to, or they could not start."""

    def __init__(self, told: Leaving | None, sockets: list[socket]) -> None:
        self.told = told
        self.sockets = sockets

    def run(self) -> None:
        """It is over already."""
        if self.told is not None:
            self.told.told()


class Hung:
    """A serving process that does not end by itself."""

    def __init__(self) -> None:
        self.waited: list[float | None] = []
        self.is_killed = False

    @property
    def process(self) -> Hung:
        return self

    def join(self, seconds: float | None = None) -> None:
        self.waited.append(seconds)

    def is_alive(self) -> bool:
        return not self.is_killed

    def kill(self) -> None:
        self.is_killed = True


def test_F27_serving_processes_that_hang_are_killed_with_time_left_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leaving = Leaving(Clock())
    leaving.told()
    monkeypatch.setattr(stopping, "LEAVING", leaving)
    supervisor = Supervisor.__new__(Supervisor)
    hung = [Hung(), Hung()]
    supervisor.processes = hung  # type: ignore[assignment]  # what is asked of them is here
    supervisor.join_all()
    assert [one.is_killed for one in hung] == [True, True]
    assert hung[0].waited == [END_SECONDS - CHILDREN_SECONDS, None]
