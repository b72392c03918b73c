"""One event is one line: JSON with time, level, logger, process, and the call that it belongs to."""

from __future__ import annotations

import io
import json
import logging
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
import structlog

from api.auth import Principal
from api.logs import redaction
from api.logs.context import CALL
from api.logs.setup import configure
from api.scope import PRINCIPAL, REQUEST_ID, TRACE_ID
from domain.errors import Invalid
from tests.api.bad_bodies import GOOD
from tests.api.front import Front, ask

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What is logged; the root logger and structlog are afterwards as before."""
    monkeypatch.setenv("STUDBOOK_WRITER_PASSWORD", "opensesame")
    monkeypatch.setattr(redaction, "_known", set())
    root, hooks = logging.getLogger(), (sys.excepthook, threading.excepthook)
    handlers, level, ours = list(root.handlers), root.level, logging.getLogger("studbook").level
    stream = io.StringIO()
    configure("test", stream)
    yield stream
    root.handlers, root.level = handlers, level
    logging.getLogger("studbook").setLevel(ours)
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()
    sys.excepthook, threading.excepthook = hooks


def logged(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_says_when_how_grave_where_and_what(lines: io.StringIO) -> None:
    logging.getLogger("studbook.house").warning("turn given up: %s", "no disk")
    (line,) = logged(lines)
    assert list(line)[:4] == ["time", "level", "logger", "event"]
    assert (line["level"], line["logger"], line["event"]) == ("warning", "studbook.house", "turn given up: no disk")
    assert line["process"] == "test"
    assert datetime.fromisoformat(line["time"]).utcoffset() is not None


def test_structured_events_keep_their_fields_and_lose_their_secrets(lines: io.StringIO) -> None:
    structlog.get_logger("studbook.api").info("key made", key_id="k1", secret="plain", note="it is opensesame", n=3)
    (line,) = logged(lines)
    assert (line["key_id"], line["secret"], line["note"], line["n"]) == ("k1", "[redacted]", "it is [redacted]", 3)


@pytest.mark.parametrize("logger", ["studbook.api", "uvicorn.error", "psycopg.pool", "asyncio", "py.warnings"])
def test_a_traceback_is_within_its_line_and_clean_whoever_logs_it(lines: io.StringIO, logger: str) -> None:
    try:
        raise RuntimeError("connection to postgresql://x:opensesame@db failed\nwith password=opensesame")
    except RuntimeError:
        logging.getLogger(logger).exception("it failed with %s", "opensesame")
    (line,) = logged(lines)
    assert "Traceback" in line["exception"]
    assert "opensesame" not in lines.getvalue()


def test_other_libraries_are_heard_from_warning_on_and_ours_from_info_on(lines: io.StringIO) -> None:
    logging.getLogger("psycopg.pool").info("chatter")
    logging.getLogger("studbook.serve").info("serving")
    logging.getLogger("studbook.serve").debug("detail")
    assert [line["event"] for line in logged(lines)] == ["serving"]


def test_a_line_within_a_request_carries_its_ids(lines: io.StringIO) -> None:
    who = Principal("demo", "anna", "k7", frozenset({"operator"}))
    CALL.set({REQUEST_ID: "req-1", PRINCIPAL: who, TRACE_ID: "t1", "headers": []})
    logging.getLogger("studbook.api").warning("odd")
    CALL.set(None)
    logging.getLogger("studbook.api").warning("even")
    odd, even = logged(lines)
    assert {name: odd[name] for name in ("request_id", "operator", "key_id", "trace_id")} == {
        "request_id": "req-1", "operator": "demo", "key_id": "k7", "trace_id": "t1",
    }  # fmt: skip
    assert "request_id" not in even


@pytest.mark.parametrize("path", ["/v1/rounds/r1/wagers", "/v1/broken"])
async def test_a_bug_within_a_call_is_logged_with_request_operator_key_and_trace(lines: io.StringIO, path: str) -> None:
    front = Front()
    front.answer = RuntimeError("As Kd")
    if path == "/v1/broken":
        headers = [("authorization", f"Bearer {front.key}"), ("x-request-id", "req-5"), ("traceparent", TRACE)]
        await ask(front.app, "GET", path, headers)
    else:
        await front.wager(GOOD, x_request_id="req-5", traceparent=TRACE)
    (line,) = logged(lines)
    assert (line["event"], line["request_id"], line["operator"]) == ("request failed", "req-5", "demo")
    assert line["key_id"] == next(iter(front.store.rows))
    assert line["trace_id"] == TRACE[3:35]
    assert front.key not in lines.getvalue()
    assert "As Kd" not in lines.getvalue()


def test_a_person_at_a_terminal_reads_text(monkeypatch: pytest.MonkeyPatch, lines: io.StringIO) -> None:
    monkeypatch.setenv("STUDBOOK_LOG_FORMAT", "text")
    stream = io.StringIO()
    configure("test", stream)
    logging.getLogger("studbook.serve").info("the course of things")
    structlog.get_logger("studbook.api").warning("odd", password="x", n=1)
    (line,) = stream.getvalue().splitlines()
    assert line.endswith("warning  studbook.api: odd password=[redacted] n=1")
    assert lines.getvalue() == ""  # a second call takes the place of the first


@pytest.mark.parametrize(("variable", "value"), [("STUDBOOK_LOG_FORMAT", "xml"), ("STUDBOOK_LOG_LEVEL", "loud")])
def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(Invalid, match=variable):
        configure("test", io.StringIO())
