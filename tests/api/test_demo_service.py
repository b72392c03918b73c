"""`studbook demo` against a running service: it can be played twice, and a changed answer does not get past it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from api.cli import main
from tests.service import Service

ROOT = Path(__file__).parent.parent.parent
ROUNDS = "14"

Change = Callable[[str, dict[str, Any]], None]


def demo(service: Service, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "api.cli", "demo", "--url", service.url, "--key", service.key, "--rounds", ROUNDS]
    return subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


class QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """The demo hangs up when it has seen enough."""


@contextmanager
def changing(service: Service, change: Change) -> Iterator[str]:
    """A proxy in front of the service that changes what GET answers; its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        passed = ("authorization", "idempotency-key", "content-type")

        def pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name: self.headers[name] for name in self.passed if name in self.headers}
            got = service.client.request(self.command, self.path, content=body, headers=headers)
            content = got.content
            if self.command == "GET" and got.status_code == 200:
                answer = json.loads(content)
                change(self.path.partition("?")[0], answer)
                content = json.dumps(answer).encode()
            self.send_response(got.status_code)
            for name, value in got.headers.items():
                if name == "idempotency-replayed":
                    self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = pass_on

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = QuietServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_it_can_be_played_twice_on_one_service_and_proves_where_the_database_is_named(service: Service) -> None:
    first = demo(service, "--json")
    second = demo(service, "--json", "--data-dir", str(service.data_dir))
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    unproved, proved = json.loads(first.stdout), json.loads(second.stdout)
    assert unproved["run"] != proved["run"]
    assert unproved["proofs"]["balances_equal_own_books"] is True
    assert unproved["proofs"]["ledger_sums_to_zero"] is None
    assert "needs the database" in unproved["proofs"]["note"]
    assert (proved["proofs"]["ledger_sums_to_zero"], proved["proofs"]["read_models_equal_events"]) == (True, True)


def test_the_report_for_people_fits_80_columns_and_says_what_it_could_not_prove(service: Service) -> None:
    done = demo(service)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line for line in lines if len(line.rstrip()) > 80 and "studbook verify" not in line] == []
    assert "…" not in done.stdout
    for text in ("two winners of the euro pool", "void after settlement", "81 balances equal", "; reset to"):
        assert text in done.stdout
    assert "not run  ledger sums to zero" in done.stdout
    assert "needs the database" in done.stdout


def _one_cent_of_a_payout(path: str, answer: dict[str, Any]) -> None:
    if re.fullmatch(r"/v1/rounds/[^/]+", path):
        for seat in answer["seats"]:
            if seat["payout"] is not None:
                seat["payout"]["ante"] += 1


def _one_cent_of_a_payout_and_the_net(path: str, answer: dict[str, Any]) -> None:
    if re.fullmatch(r"/v1/rounds/[^/]+", path):
        for seat in answer["seats"]:
            if seat["payout"] is not None and seat["seat"] is None:
                seat["payout"]["ante"] += 1
                seat["net"] += 1


def _one_cent_of_a_balance(path: str, answer: dict[str, Any]) -> None:
    if path.endswith("/balance") and path.startswith("/v1/players/eur-01."):
        answer["available"] -= 1


def _a_millionth_of_a_meter(path: str, answer: dict[str, Any]) -> None:
    if path.startswith("/v1/jackpots/land") and answer["awards"]:
        answer["meter_micro"] += 1


def _a_decision_of_the_system(path: str, answer: dict[str, Any]) -> None:
    if re.fullmatch(r"/v1/rounds/[^/]+", path):
        for seat in answer["seats"]:
            if seat["decided_by"] == "SYSTEM":
                seat["decided_by"] = "STAFF"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_one_cent_of_a_payout, "yet net is"),
        (_one_cent_of_a_payout_and_the_net, "the demo's own books say"),
        (_one_cent_of_a_balance, "the demo's own books say"),
        (_a_millionth_of_a_meter, "land-feed: meter after the awards"),
        (_a_decision_of_the_system, "yet STAFF did"),
    ],
)
def test_a_changed_answer_ends_the_demo(
    service: Service, capsys: pytest.CaptureFixture[str], change: Change, named: str
) -> None:
    with changing(service, change) as url, pytest.raises(SystemExit) as left:
        main(["demo", "--url", url, "--key", service.key, "--rounds", ROUNDS, "--json"])
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (1, "")
    last = err.splitlines()[-1]
    assert last.startswith("studbook: demo: ")
    assert named in last
