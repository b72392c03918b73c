"""Where log lines go and what they look like.

STUDBOOK_LOG_FORMAT   json (one object a line) or text; json unless standard error is a terminal
STUDBOOK_LOG_LEVEL    debug, info, warning, error; info for json, warning for text

Everything goes to standard error through one handler: our own events, and what uvicorn, psycopg and Python say. Other
libraries are heard from `warning` on. Standard output belongs to the commands.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from types import TracebackType
from typing import Any, Final, TextIO

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from api.logs import redaction
from api.logs.context import call_fields
from domain.errors import Invalid

FORMAT: Final = "STUDBOOK_LOG_FORMAT"
LEVEL: Final = "STUDBOOK_LOG_LEVEL"
_LEVELS: Final = ("debug", "info", "warning", "error")
_FORMATS: Final = ("json", "text")

log: Final = structlog.get_logger("studbook")


def configure(process: str, stream: TextIO | None = None) -> None:
    """Set the logs of this process up, named `process` in every line; safe to call again. Raises Invalid."""
    redaction.learn()
    to = sys.stderr if stream is None else stream
    handler = logging.StreamHandler(to)
    form = _chosen(FORMAT, _FORMATS, "text" if to.isatty() else "json")
    handler.setFormatter(formatter(process, form))
    root = logging.getLogger()
    for old in [one for one in root.handlers if getattr(one, "studbook", False)]:
        root.removeHandler(old)
    handler.studbook = True  # type: ignore[attr-defined]  # a mark of our own, so that a second call replaces the first
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("studbook").setLevel(_level(form))
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(process),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread


def formatter(process: str, form: str) -> logging.Formatter:
    """Turns a record into a line of JSON, or of text for a person."""
    render: Processor = _as_json if form == "json" else _as_text
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_shared(process),
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _redacted, render],
    )


def _shared(process: str) -> list[Processor]:
    def named(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event["process"], event["pid"] = process, os.getpid()
        for name, value in call_fields().items():
            event.setdefault(name, value)
        return event

    return [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        named,
    ]


def _redacted(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    return {name: redaction.cleaned(value, name) for name, value in event.items()}


def _as_json(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
    first = {"time": event.pop("timestamp"), "level": event.pop("level"), "logger": event.pop("logger")}
    return orjson.dumps({**first, "event": event.pop("event"), **event}).decode()


def _as_text(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
    trace = event.pop("exception", None)
    head = f"{event.pop('timestamp')[:19]} {event.pop('level'):<8} {event.pop('logger')}: {event.pop('event')}"
    del event["process"], event["pid"]
    line = " ".join([head, *(f"{name}={value}" for name, value in event.items())])
    return line if trace is None else f"{line}\n{trace}"


def _level(form: str) -> str:
    """On a person's screen only what goes wrong is said, else the course of things too."""
    return _chosen(LEVEL, _LEVELS, "info" if form == "json" else "warning").upper()


def _chosen(variable: str, allowed: tuple[str, ...], default: str) -> str:
    value = (os.environ.get(variable) or default).lower()
    if value not in allowed:
        raise Invalid(f"{variable}: choose one of {', '.join(allowed)}", field=variable)
    return value


def _uncaught(kind: type[BaseException], fault: BaseException, at: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    log.critical("uncaught exception", exc_info=(kind, fault, at))


def _uncaught_in_thread(args: Any) -> None:
    if args.exc_type is not SystemExit and args.exc_value is not None:
        log.critical("uncaught exception in a thread", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))
