"""Traces by OpenTelemetry, where the extra `otel` is installed and an endpoint is named; otherwise nothing of it runs.

    OTEL_EXPORTER_OTLP_ENDPOINT (or ..._TRACES_ENDPOINT)   where spans go, such as http://collector:4318
    OTEL_SERVICE_NAME                                      `studbook` when it is not set

Each request is a span: the caller's `traceparent` is its parent, the answer's `traceparent` names it, and so do the
events that it leads to. Each transaction of the writer is a span of its own, linked to the requests that it carried
out, since one batch serves many. Spans name routes, never paths: those hold players' ids.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from opentelemetry import trace
from opentelemetry.trace import Link, Span, SpanKind, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.database.errors import StartRefused
from api.logs.context import route_of
from api.scope import PRINCIPAL, REQUEST_ID, TRACE_ID
from services.batch import Job, Order

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
LINKS_MAX: Final = 100
"""Requests that a turn's span names at most."""

_W3C: Final = TraceContextTextMapPropagator()
_TRACEPARENT: Final = b"traceparent"


@dataclass(frozen=True, slots=True)
class Tracing:
    """Where spans go."""

    tracer: Tracer
    close: Callable[[], None]
    """Sends what is left; takes some seconds where nobody takes it."""


def tracing(version: str, environ: Mapping[str, str] = os.environ) -> Tracing | None:
    """Tracing, None where no endpoint is named. StartRefused, in one line, when the extra is missing."""
    if not any(environ.get(name) for name in ENDPOINTS):
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415  # an extra
    except ImportError:
        raise StartRefused(f"{ENDPOINTS[0]} is set, but the extra is missing: pip install 'studbook[otel]'") from None
    return tracing_to(OTLPSpanExporter(), version, environ)


def tracing_to(exporter: SpanExporter, version: str, environ: Mapping[str, str] = os.environ) -> Tracing:
    """Tracing to an exporter of one's own."""
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415  # an extra
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415  # an extra
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415  # an extra

    name = environ.get("OTEL_SERVICE_NAME") or "studbook"
    provider = TracerProvider(resource=Resource.create({"service.name": name, "service.version": version}))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return Tracing(provider.get_tracer("studbook", version), provider.shutdown)


class Traced:
    """ASGI: a span around each request."""

    def __init__(self, inner: ASGIApp, tracer: Tracer) -> None:
        self._inner = inner
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; anything else passes."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        sent = [value for name, value in scope["headers"] if name == _TRACEPARENT]
        parent = _W3C.extract({"traceparent": sent[0].decode("latin-1")}) if len(sent) == 1 else None
        span = self._tracer.start_span(scope["method"], context=parent, kind=SpanKind.SERVER)
        own = traceparent(span)
        scope[TRACE_ID] = own[3:35].decode()
        if len(sent) < 2:  # two are refused behind this
            scope["headers"] = [*[one for one in scope["headers"] if one[0] != _TRACEPARENT], (_TRACEPARENT, own)]

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (_TRACEPARENT, own)]
                _answered(span, message["status"])
            await send(message)

        try:
            await self._inner(scope, receive, named)
        finally:
            _describe(span, scope)
            span.end()


def traceparent(span: Span) -> bytes:
    """The span as the W3C header names it."""
    carrier: dict[str, str] = {}
    _W3C.inject(carrier, trace.set_span_in_context(span))
    return carrier["traceparent"].encode()


def _answered(span: Span, status: int) -> None:
    span.set_attribute("http.response.status_code", status)
    if status >= 500:
        span.set_status(StatusCode.ERROR)


def _describe(span: Span, scope: Scope) -> None:
    """What is known once the request has been served."""
    route, who = route_of(scope), scope.get(PRINCIPAL)
    span.update_name(f"{scope['method']} {route}")
    span.set_attributes({"http.request.method": scope["method"], "http.route": route})
    if REQUEST_ID in scope:
        span.set_attribute("studbook.request_id", scope[REQUEST_ID])
    if who is not None:
        span.set_attributes({"studbook.operator": who.operator, "studbook.key_id": who.key_id})


def turn_spans(tracer: Tracer) -> Callable[[Sequence[Job], int, float], None]:
    """What the house calls after each transaction: its span, linked to those of the requests."""

    def seen(jobs: Sequence[Job], events: int, seconds: float) -> None:
        ended = time.time_ns()
        span = tracer.start_span(
            "studbook.turn",
            kind=SpanKind.INTERNAL,
            links=[Link(one) for one in _contexts(jobs)[:LINKS_MAX]],
            attributes={"studbook.commands": len(jobs), "studbook.events": events},
            start_time=ended - int(seconds * 1e9),
        )
        span.end(ended)

    return seen


def _contexts(jobs: Sequence[Job]) -> list[Any]:
    """The spans of the requests whose orders these are."""
    orders = [order for job in jobs for order in ([job.order] if isinstance(job.order, Order) else job.order.orders)]
    known = dict.fromkeys(order.meta.traceparent for order in orders if order.meta.traceparent is not None)
    found = [trace.get_current_span(_W3C.extract({"traceparent": one})).get_span_context() for one in known]
    return [one for one in found if one.is_valid]
