"""`studbook demo` as a command: bad use, services that cannot be played against, and the demo's own service."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from api.cli import main
from tests.postgres import shared_folder

ROOT = Path(__file__).parent.parent.parent


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, and the last line of standard error."""
    with pytest.raises(SystemExit) as left:
        main(["demo", *arguments])
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, out, err.splitlines()[-1]


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """Something that answers everything in the same way; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):  # who has seen the status may hang up
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--rounds", "13"), "--rounds"),
        (("--rounds", "many"), "--rounds"),
        (("--url", "http://127.0.0.1:1"), "--key"),
        (("--url", "127.0.0.1:1", "--key", "k"), "--url"),
        (("--data-dir", "x"), "--data-dir"),
        (("--database-url", "x"), "--database-url"),
    ],
)
def test_bad_use_is_told_before_anything_starts(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    code, out, said = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said.startswith("studbook: ")
    assert named in said


def test_a_service_that_is_not_there_is_one_line_and_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: nobody answers and nobody else gets it
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        code, out, said = run(capsys, "--url", url, "--key", "k")
    assert (code, out) == (1, "")
    assert said.startswith("studbook: demo: POST /v1/")
    assert f"no answer from {url}" in said


@pytest.mark.parametrize(
    ("status", "body", "named"),
    [
        (401, b'{"code": "UNAUTHENTICATED", "detail": "a valid key is needed"}', "UNAUTHENTICATED"),
        (500, b'{"code": "INTERNAL", "detail": "oh"}', "INTERNAL"),
        (201, b"<html>", "no JSON object"),
        (201, b"[]", "no JSON object"),
        (201, b"{}", "the answer lacks position"),
    ],
)
def test_an_unexpected_answer_ends_the_demo_with_the_call_and_the_problem(
    capsys: pytest.CaptureFixture[str], status: int, body: bytes, named: str
) -> None:
    with answering(status, body) as url:
        code, out, said = run(capsys, "--url", url, "--key", "k")
    assert (code, out) == (1, "")
    assert said.startswith("studbook: demo: POST /v1/jackpots: ")
    assert named in said


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A temporary folder that the database's account reaches."""
    folder = shared_folder() / f"demo-{uuid.uuid4().hex[:8]}"
    folder.mkdir()
    folder.chmod(0o755)
    yield folder
    folder.rmdir()


def test_a_demo_that_is_told_to_end_stops_its_service_and_leaves_nothing(temporary: Path) -> None:
    command = [sys.executable, "-m", "api.cli", "demo", "--rounds", "5000"]
    env = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        while "opening the floor" not in (line := process.stderr.readline()):
            assert line, f"the demo ended with {process.wait()} before it played"
        assert [one.name for one in temporary.iterdir()] != []
        process.terminate()
        assert process.wait(300) == 128 + signal.SIGTERM
    assert list(temporary.iterdir()) == []
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "command="], capture_output=True, text=True, check=True).stdout
    assert [line for line in listed.splitlines() if str(temporary) in line] == []


def test_the_demo_starts_a_service_of_its_own_plays_and_leaves_nothing(temporary: Path, tmp_path: Path) -> None:
    # when a small demo is played, with a database named in the environment that is not to be touched
    command = [sys.executable, "-m", "api.cli", "demo", "--rounds", "24", "--json", "--svg", str(tmp_path / "m.svg")]
    env = {**os.environ, "TMPDIR": str(temporary), "STUDBOOK_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False)

    # then all of it was seen and proved
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    proofs = told["proofs"]
    held = [proofs[name] for name in ("balances_equal_own_books", "ledger_sums_to_zero", "read_models_equal_events")]
    assert held == [True, True, True]
    assert proofs["players_compared"] == 81
    assert proofs["events"] > 1000
    assert (told["ok"], told["rounds"], sum(one["rounds"] for one in told["games"])) == (True, 24, 24)
    assert told["voids"] == {"before_settlement": 1, "after_settlement": 1}
    assert told["refusals"] == {"ALREADY_VOIDED": 1, "INSUFFICIENT_FUNDS": 1}
    assert (told["replays"], told["timeouts"] >= 3, told["rejected_at_close"] > 0) == (1, True, True)

    # and games add up to currencies, pools have had their winners
    for one in told["currencies"]:
        of_games = [game for game in told["games"] if game["currency"] == one["currency"]]
        assert [one[name] for name in ("handle", "returned", "prizes", "ggr")] == [
            sum(game[name] for game in of_games) for name in ("handle", "returned", "prizes", "ggr")
        ]
        won = one["returned"] + one["prizes"] - one["handle"]
        assert one["players_hold"] == one["deposits"] - one["withdrawals"] + won
    assert [len(one["prizes"]) >= 2 for one in told["jackpots"]] == [True, True, True]

    # and nothing is left but the drawing; progress went to standard error
    assert list(temporary.iterdir()) == []
    assert (tmp_path / "m.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "24 of 24 rounds" in done.stderr
