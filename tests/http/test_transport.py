"""What clients without manners send: too much, too slowly, half of it, by other methods (F18, bug rows 75 and 76)."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from adapters.embedded import Cluster
from tests.http.contract import Contract
from tests.http.floor import done, money, register
from tests.http.raw import RawAnswer, ask, connect, head_of, read_answer
from tests.service import Service

KIB = 1024


def sent(service: Service, head: bytes, chunk: bytes, times: int) -> tuple[RawAnswer, int]:
    """The answer to a head and a body that never ends by itself, and how much of it was taken."""
    taken = 0
    with connect(service) as sock:
        sock.sendall(head)
        sock.settimeout(0.5)
        with contextlib.suppress(OSError):
            for _ in range(times):
                sock.sendall(chunk)
                taken += len(chunk)
        sock.settimeout(30)
        return read_answer(sock), taken


def test_bug_075_a_body_without_length_is_413_after_64_KiB(contract: Contract, service: Service) -> None:
    for path in ("/v1/players", "/v1/rounds/x/void"):
        head = head_of(service, "POST", path, "Transfer-Encoding: chunked", "Idempotency-Key: chunked")
        answer, taken = sent(service, head, b"4000\r\n" + b" " * 0x4000 + b"\r\n", 4000)
        contract.check_problem(path, answer.status, answer.headers, answer.body)
        assert (answer.status, answer.code, answer.headers["connection"]) == (413, "TOO_LARGE", "close")
        assert taken < 16 * KIB * KIB


@pytest.mark.parametrize(("key", "status"), [(False, 401), (True, 413)])
def test_bug_075_fifty_megabytes_are_refused_by_their_announcement(
    contract: Contract, service: Service, key: bool, status: int
) -> None:
    for path in ("/v1/players", "/v1/nothing"):
        head = head_of(service, "POST", path, f"Content-Length: {50 * KIB * KIB}", "Idempotency-Key: big", key=key)
        began = time.monotonic()
        answer, taken = sent(service, head, b" " * 64 * KIB, 800)
        contract.check_problem(path, answer.status, answer.headers, answer.body)
        assert answer.status in ({401, 413} if path.endswith("nothing") else {status})
        assert (answer.headers["connection"], taken < 50 * KIB * KIB) == ("close", True)
        assert time.monotonic() - began < 100


def test_a_small_chunked_body_serves(service: Service) -> None:
    body = b'{"player":"%s","currency":"EUR"}' % service.name("player").encode()
    chunks = b"".join(b"1\r\n%c\r\n" % one for one in body) + b"0\r\n\r\n"
    with connect(service) as sock:
        sock.sendall(head_of(service, "POST", "/v1/players", "Transfer-Encoding: chunked", "Idempotency-Key: small-1"))
        sock.sendall(chunks)
        assert read_answer(sock).status == 201


def test_F18_a_body_that_does_not_come_is_408_and_nothing_happened(contract: Contract, service: Service) -> None:
    player = register(service, "EUR")
    body = b'{"amount":5,"currency":"EUR","transaction_id":"slow"}'
    heads = [
        head_of(
            service, "POST", f"/v1/players/{player}/deposits", f"Content-Length: {len(body)}", "Idempotency-Key: s"
        ),
        head_of(service, "POST", f"/v1/players/{player}/deposits", "Transfer-Encoding: chunked", "Idempotency-Key: s"),
    ]
    with contextlib.ExitStack() as stack:
        socks = [stack.enter_context(connect(service, 60)) for _ in heads]
        for sock, head in zip(socks, heads, strict=True):
            sock.sendall(head)
        socks[0].sendall(body[:-1])
        for sock in socks:
            answer = read_answer(sock)
            contract.check_problem("slow", answer.status, answer.headers, answer.body)
            assert (answer.status, answer.code, answer.headers["connection"]) == (408, "REQUEST_TIMEOUT", "close")
    assert money(service, player) == (0, 0)


def test_bug_076_a_thousand_aborted_sockets_leave_the_service_whole(service: Service) -> None:
    player = register(service, "EUR")
    path = f"/v1/players/{player}/deposits"
    reset = struct.pack("ii", 1, 0)

    def abort(nth: int) -> None:
        head = head_of(service, "POST", path, "Content-Length: 9", f"Idempotency-Key: {player}-{nth}")
        read = head_of(service, "GET", f"/v1/players/{player}/balance?min_position=999999999")
        with connect(service) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            sock.sendall([head[:40], head, head + b'{"am', read, b"\x16\x03\x01"][nth % 5])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(abort, range(1000)))
        answers = list(pool.map(lambda _: service.post(path, {"amount": "x"}).status_code, range(200)))
    assert set(answers) == {422}
    body = {"amount": 5, "currency": "EUR", "transaction_id": player}
    done(service.post(path, body), 201)
    assert money(service, player) == (5, 0)
    ready = done(service.get("/readyz"))
    assert (ready["status"], ready["waiting"]) == ("ok", 0)
    until = time.monotonic() + 60
    while left := in_transaction(service):
        assert time.monotonic() < until, left
        time.sleep(0.1)


def in_transaction(service: Service) -> list[tuple[object, ...]]:
    """Sessions that have stood idle within a transaction for more than a second."""
    with Cluster.start(service.data_dir) as cluster, psycopg.connect(cluster.superuser()) as conn:
        return conn.execute(
            "SELECT application_name, query FROM pg_stat_activity"
            " WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '1 second'"
        ).fetchall()


def test_another_method_is_405_and_tells_which_there_are(contract: Contract, service: Service) -> None:
    known: dict[str, set[str]] = {}
    for call in contract.operations():
        known.setdefault(call.url({}), set()).add(call.method)
    for path, methods in known.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - methods:
            answer = ask(service, method, path, "Idempotency-Key: other")
            contract.check_problem(f"{method} {path}", answer.status, answer.headers, answer.body)
            assert (answer.status, answer.code) == (405, "METHOD_NOT_ALLOWED"), f"{method} {path}: {answer}"
            assert set(answer.headers["allow"].split(", ")) == methods


@pytest.mark.parametrize("path", ["/livez", "/v1/tables", "/v1/events", "/docs", "/openapi.json"])
def test_HEAD_is_GET_without_the_body(service: Service, path: str) -> None:
    with connect(service) as sock:
        for method in ("HEAD", "GET", "HEAD"):  # on one connection: a body too many would be read as an answer
            sock.sendall(head_of(service, method, path))
            answer = read_answer(sock, is_head=method == "HEAD")
            assert (answer.status, answer.body == b"") == (200, method == "HEAD")


def test_HEAD_of_a_command_is_405(service: Service) -> None:
    answer = ask(service, "HEAD", "/v1/players")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("kib", [17, 33, 400])
def test_headers_or_a_url_beyond_16_KiB_are_431(contract: Contract, service: Service, kib: int) -> None:
    heads = [
        head_of(service, "POST", "/v1/players", "X-Long: " + "a" * kib * KIB, "Idempotency-Key: long"),
        head_of(service, "GET", "/v1/tables?cursor=" + "a" * kib * KIB),
        head_of(service, "GET", "/livez", *[f"X-{nth}: {'a' * 100}" for nth in range(kib * 10)], key=False),
    ]
    for head in heads:
        answer, _ = sent(service, head, b"", 0)
        contract.check_problem("long", answer.status, answer.headers, answer.body)
        assert (answer.status, answer.code, answer.headers["connection"]) == (431, "TOO_LARGE", "close")


def test_a_head_that_never_ends_is_cut_off(service: Service) -> None:
    answer, taken = sent(service, head_of(service, "GET", "/livez")[:-2] + b"X: ", b"a" * 16 * KIB, 4000)
    assert (answer.status, taken < 16 * KIB * KIB) == (431, True)


@pytest.mark.parametrize(
    "raw",
    [b"hello\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/9.9\r\n\r\n", b"CONNECT a:1 HTTP/1.1\r\n\r\n",
     b"BREW /v1/tables HTTP/1.1\r\n\r\n", b"GET \xff HTTP/1.1\r\n\r\n",
     b"POST /v1/players HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
     b"POST /v1/players HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}    ",
     b"POST /v1/players HTTP/1.1\r\nContent-Length: -5\r\n\r\n{}",
     b"POST /v1/players HTTP/1.1\r\nContent-Length: 1e3\r\n\r\n{}"],
)  # fmt: skip
def test_what_is_no_http_is_a_problem_document_and_ends_the_connection(
    contract: Contract, service: Service, raw: bytes
) -> None:
    with connect(service) as sock:
        sock.sendall(raw)
        answer = read_answer(sock)
        contract.check_problem(repr(raw), answer.status, answer.headers, answer.body)
        assert (answer.status, answer.headers["connection"]) == (400, "close")
        assert sock.recv(1) == b""


def test_an_offer_to_upgrade_is_passed_over(service: Service) -> None:
    for kind in ("websocket", "h2c"):
        assert ask(service, "GET", "/livez", "Connection: Upgrade", f"Upgrade: {kind}").status == 200
