"""What stands around the application to see it work: only what was asked for."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from starlette.types import ASGIApp

from api import metrics
from api.logs.requests import REQUEST_LOG, RequestLog, is_on
from api.main.tracing import Traced, Tracing, turn_spans
from services.batch import Job
from services.outcomes import TurnSeen

log: Final = logging.getLogger("studbook.tracing")


def observed(app: ASGIApp, tracing: Tracing | None) -> ASGIApp:
    """`app` itself, or with a log line and a span for each request, where the environment wants them."""
    if is_on(REQUEST_LOG):
        app = RequestLog(app)
    return app if tracing is None else Traced(app, tracing.tracer)


def turn_seen(tracing: Tracing | None) -> TurnSeen:
    """What the house tells of its transactions: figures, and spans where they are wanted."""
    span = None if tracing is None else turn_spans(tracing.tracer)

    def seen(jobs: Sequence[Job], events: int, seconds: float) -> None:
        metrics.turn(len(jobs), events, seconds)
        if span is not None:
            try:
                span(jobs, events, seconds)
            except Exception:  # the batch is committed: no trace may take its answers away
                log.exception("no span of a turn")

    return seen
