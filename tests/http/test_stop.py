"""SIGTERM: whoever asked is answered, and the service is gone (bug row 79).

That its parts fit into the ten seconds that are promised is held by tests/api/test_stop_budget.py; here a machine with
other work may take longer.
"""

from __future__ import annotations

import json
import signal
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack

import pytest

from tests.http.floor import EURO, money, open_jackpot, read, register
from tests.http.own import running
from tests.http.raw import RawAnswer, connect, head_of, read_answer
from tests.service import Service
from tests.support.streams import heard

STOP_SECONDS = 5 * 10.0


def half_sent(service: Service, stack: ExitStack, player: str, count: int) -> list[tuple[socket.socket, bytes]]:
    """Deposits of which all but the body's last byte is sent; each with what is left."""
    found = []
    for nth in range(count):
        body = json.dumps({"amount": 5, "currency": "EUR", "transaction_id": f"{player}-{nth}"}).encode()
        path = f"/v1/players/{player}/deposits"
        head = head_of(service, "POST", path, f"Content-Length: {len(body)}", f"Idempotency-Key: {player}-{nth}")
        sock = stack.enter_context(connect(service))
        sock.sendall(head + body[:-1])
        found.append((sock, body[-1:]))
    return found


def waiting_reads(service: Service, stack: ExitStack, player: str, count: int) -> list[socket.socket]:
    """Reads that wait for a position which does not come."""
    found = []
    for _ in range(count):
        sock = stack.enter_context(connect(service))
        sock.sendall(head_of(service, "GET", f"/v1/players/{player}/balance?min_position={2**40}"))
        found.append(sock)
    return found


def read_by_all(service: Service) -> None:
    """Whatever was sent has been read, by each process of the service: what came later is answered (20 connections, so
    that each process gets some).
    """
    for _ in range(20):
        with connect(service) as sock:
            sock.sendall(head_of(service, "GET", "/livez"))
            assert read_answer(sock).status == 200
    time.sleep(0.5)


def ended(service: Service) -> None:
    """The service is gone, with exit code 0."""
    assert service.process.wait(STOP_SECONDS) == 0


def codes(answers: Sequence[RawAnswer]) -> list[int]:
    return [one.status for one in answers]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_bug_079_sixteen_requests_in_flight_and_one_idle_connection_are_served_before_the_end(
    service: Service, workers: str
) -> None:
    with running(service.data_dir, "--workers", workers) as other, ExitStack() as stack:
        player = register(other, "EUR")
        idle = stack.enter_context(connect(other))
        idle.sendall(head_of(other, "GET", "/livez"))
        assert read_answer(idle).status == 200
        deposits = half_sent(other, stack, player, 8)
        reads = waiting_reads(other, stack, player, 8)
        read_by_all(other)
        # when it is told to stop, and the rest of the bodies comes after that
        other.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        for sock, rest in deposits:
            sock.sendall(rest)
        # then all are answered, each with the truth
        assert codes([read_answer(sock) for sock, _ in deposits]) == [201] * 8
        assert codes([read_answer(sock) for sock in reads]) == [503] * 8
        ended(other)
        assert idle.recv(1) == b""
    assert money(service, player) == (40, 0)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_F27_open_streams_and_waiting_reads_end_with_the_service_which_is_gone_in_time(
    service: Service, workers: str
) -> None:
    with running(service.data_dir, "--workers", workers) as other, ExitStack() as stack:
        jackpot = open_jackpot(other, EURO, "EUR")
        read(other, f"/v1/jackpots/{jackpot}")
        paths = ["/v1/events/stream"] * 6 + [f"/v1/jackpots/{jackpot}/stream"] * 6
        streams = [stack.enter_context(heard(other.url, path, other.key)) for path in paths]
        assert {one.frame().retry for one in streams} == {3000}
        waiting = [stack.enter_context(connect(other)) for _ in range(4)]
        for sock in waiting:
            sock.sendall(head_of(other, "GET", f"/v1/events?wait=30&after={2**40}"))
        read_by_all(other)
        other.process.send_signal(signal.SIGTERM)
        assert [read_answer(sock).status for sock in waiting] == [200] * 4
        for one in streams:
            one.rest()  # to its end: a stream that is cut would raise
        ended(other)
