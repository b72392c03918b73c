"""The load's client against a server that answers as it is told: what counts, and what ends a run."""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from api.bench.client import Client
from api.bench.faults import BenchFailed
from api.bench.jobs import Jobs
from api.bench.load import Load, Tally
from api.bench.measures import _only_wagers
from api.bench.wire import Wire

Answer = Callable[[str, dict[str, Any]], tuple[int, dict[str, Any]]]


@contextmanager
def answering(answer: Answer) -> Iterator[tuple[str, Counter[str]]]:
    """A server; its address, and how often each idempotency key has come."""
    keys: Counter[str] = Counter()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 16

        def do_POST(self) -> None:
            keys[self.headers["idempotency-key"]] += 1
            status, found = answer(self.path, json.loads(self.rfile.read(int(self.headers["content-length"]))))
            body = json.dumps(found).encode()
            self.wfile.write(b"HTTP/1.1 %d X\r\ncontent-length: %d\r\n\r\n" % (status, len(body)) + body)
            self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", keys
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def client(url: str, players: int = 20, tables: int = 2, connections: int = 4) -> Iterator[Client]:
    made = Client(url, "sb_key", "t", players, tables, connections)
    made.connect()
    try:
        yield made
    finally:
        made.wire.close()


def casino() -> Answer:
    """A service that accepts everything, and half of the wagers too late."""
    rounds, wagers = itertools.count(1), itertools.count()

    def answer(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if path.endswith("/rounds"):
            return 201, {"round": f"r{next(rounds)}"}
        if path.endswith("/wagers"):
            late = next(wagers) % 2
            return (409, {"code": "BETTING_CLOSED"}) if late else (201, {"wagers": []})
        return (200, {"phase": "SETTLED"}) if path.startswith("/v1/rounds") else (201, {})

    return answer


def test_only_201s_count_and_every_request_has_a_key_of_its_own() -> None:
    with answering(casino()) as (url, keys), client(url) as one:
        one.open_floor()
        found = one.wagers(0.0, 0.3, None)
    assert found["statuses"]["201"] == found["successes"]
    assert abs(found["statuses"]["201"] - found["statuses"]["409"]) <= 1
    assert found["refusals"] == {"BETTING_CLOSED": found["statuses"]["409"]}
    assert set(keys.values()) == {1}


def test_a_slow_load_uses_its_connections_in_turn_so_that_none_is_silent_until_it_is_closed() -> None:
    answer, threads = casino(), set[int]()  # the server has a thread for each connection

    def noted(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if path.endswith("/wagers"):
            threads.add(threading.get_ident())
        return answer(path, body)

    with answering(noted) as (url, _), client(url, connections=4) as one:
        one.open_floor()
        one.wagers(0.0, 0.5, 40.0)
    assert len(threads) == 4


def test_rounds_close_are_settled_and_opened_again_while_the_load_goes_on() -> None:
    with answering(casino()) as (url, _), client(url, players=4) as one:
        one.open_floor()
        while sum(table.rounds for table in one.floor) < 8:
            one.wagers(0.0, 0.2, None)
        assert all(table.rounds > 1 for table in one.floor)


def test_a_per_seat_table_takes_the_progressive_wager_with_the_first_chip_of_each_seat() -> None:
    with answering(casino()) as (url, _), client(url, players=20) as one:
        one.open_floor()
        shared, seats = one.floor
        assert (shared.share, seats.share) == (0.5, 1.0)
        bets = [json.loads(seats.next_bet()[0]) for _ in range(2 * seats.players)]
        assert [bet.get("side") for bet in bets[:7]] == [{"progressive": 100}] * 7
        assert [bet["seat"] for bet in bets] == [*range(1, 8)] * 2
        assert all("side" not in bet for bet in bets[7:])
        assert "seat" not in json.loads(shared.next_bet()[0])


def test_at_a_fixed_rate_a_latency_counts_from_when_the_request_was_due() -> None:
    stop = threading.Event()

    def answer(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        stop.wait(0.05)
        return 201, {}

    with answering(answer) as (url, _), client(url, tables=0, connections=1) as one:
        load = Load(one.wire, one.free, lambda: one.post("/x"), Tally(201))
        load.paced(0.0, 0.5, 100.0)
    assert len(load.tally.latencies) < 15  # one connection, 50 ms an answer: a hundred a second cannot be had
    assert max(load.tally.latencies) > 0.2  # so the later ones have waited for their turn, which counts


def test_a_refusal_that_is_not_of_a_bet_that_came_too_late_is_no_result() -> None:
    fine = {"statuses": {"201": 5, "409": 1}, "refusals": {"BETTING_CLOSED": 1}, "successes": 5}
    _only_wagers(fine)
    for refusals, successes in (({"INSUFFICIENT_FUNDS": 1}, 5), ({"UNAVAILABLE": 2}, 5), ({}, 0)):
        with pytest.raises(BenchFailed, match="wagers were answered"):
            _only_wagers({**fine, "refusals": refusals, "successes": successes})


def test_a_dealers_call_that_fails_ends_the_run() -> None:
    def answer(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return (503, {"code": "UNAVAILABLE"}) if path.endswith("/rounds") else (201, {})

    with answering(answer) as (url, _), client(url) as one, pytest.raises(BenchFailed, match=r"503.*UNAVAILABLE"):
        one.open_floor()


def test_of_a_bulk_call_the_items_that_were_accepted_count() -> None:
    def answer(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if path.endswith("/bulk"):
            assert len({one["key"] for one in body["wagers"]}) == len(body["wagers"])
            return 200, {"results": [{"status": 409 if nth == 3 else 201} for nth in range(len(body["wagers"]))]}
        return 201, {"round": "r"}

    with answering(answer) as (url, _), client(url, tables=0) as one:
        found = Jobs(one).do("bulk", players=["a", "b", "c"], items=10, calls=3)
    assert (found["successes"], found["asked"]) == (27, 30)


def test_an_answer_that_comes_in_pieces_is_one_answer() -> None:
    server = socket.create_server(("127.0.0.1", 0))
    wire = Wire("127.0.0.1", server.getsockname()[1])
    connection = wire.connect()
    peer, _ = server.accept()
    got: list[tuple[int, bytes]] = []
    wire.send(connection, b"GET / HTTP/1.1\r\n\r\n", lambda status, body: got.append((status, body)))
    for piece in (b"HTTP/1.1 201 Cre", b"ated\r\ncontent-length: 4\r\n", b"\r\nab", b"cd"):
        assert got == []
        peer.sendall(piece)
        wire.turn(1.0)
    assert got == [(201, b"abcd")]
    peer.recv(1_000)
    peer.close()
    with pytest.raises(BenchFailed, match="closed a connection"):
        wire.turn(1.0)
    wire.close()
    server.close()
