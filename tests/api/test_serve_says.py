"""What `studbook serve` prints when it answers, and how it refuses what cannot be."""

from __future__ import annotations

import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, cast

import pytest

from api.commands.serve import _say
from api.main import serving
from api.main.serving import Options, Ready, StartRefused, _listen
from api.routes.webhooks import Calls
from domain.errors import Invalid


def ready(**more: Any) -> Ready:
    said: dict[str, Any] = {
        "url": "http://127.0.0.1:8001",
        "key": "sb_1_2",
        "data_dir": Path("/srv/data"),
        "warnings": (),
    }
    return Ready(**said | more)


def test_it_prints_lines_that_set_up_a_second_terminal_and_where_the_data_lie(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _say(ready(), as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert "data: /srv/data, kept for the next start" in lines
    at = lines.index("export URL=http://127.0.0.1:8001 KEY=sb_1_2 STUDBOOK_DATA_DIR=/srv/data")
    assert lines[at - 1] == f". {sys.prefix}/bin/activate"
    assert sum(line.startswith("curl -s ") for line in lines) == 3


def test_with_keys_of_the_operators_own_it_prints_none(capsys: pytest.CaptureFixture[str]) -> None:
    _say(ready(key=None, data_dir=None), as_json=False)
    assert "curl" not in (out := capsys.readouterr().out)
    assert "None" not in out


def test_a_port_in_use_is_told_with_the_setting_that_takes_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        options = Options("127.0.0.1", taken.getsockname()[1], 1, None, None)
        with pytest.raises(StartRefused, match="STUDBOOK_PORT"):
            _listen(options)


def test_plain_http_is_refused_with_the_setting_that_would_take_it() -> None:
    nothing = cast(Any, None)
    calls = Calls(nothing, nothing, plain_http=False)
    with pytest.raises(Invalid, match="STUDBOOK_WEBHOOK_PRIVATE"):
        calls._refuse_plain("http://127.0.0.1:9000/")


class Starting(BaseHTTPRequestHandler):
    """A service that is not ready for the first looks."""

    looks = 0

    def do_GET(self) -> None:
        """`/readyz`."""
        type(self).looks += 1
        self.send_response(503 if self.looks < 4 else 200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def test_a_start_that_takes_longer_than_it_should_is_told_and_waited_for(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serving, "READY_SECONDS", 0.0)
    monkeypatch.setattr(Starting, "looks", 0)
    said: list[Ready] = []
    with HTTPServer(("127.0.0.1", 0), Starting) as slow:
        thread = threading.Thread(target=slow.serve_forever, args=(0.02,))
        thread.start()
        serving._when_ready(here := ready(url=f"http://127.0.0.1:{slow.server_port}"), said.append, [])
        slow.shutdown()
        thread.join()
    assert said == [here]
    assert [one.levelname for one in caplog.records if "not ready after" in one.message] == ["WARNING"]
