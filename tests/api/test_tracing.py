"""Traces: a span for each request and each turn of the writer, where an endpoint is named; else nothing."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode, Tracer

from adapters.database.errors import StartRefused
from api.main.observing import observed
from api.main.tracing import Traced, Tracing, tracing, turn_spans
from domain.errors import Unavailable
from services.batch import Job, Order
from services.commands import PayOn
from services.ports import Meta
from tests.api.bad_bodies import GOOD
from tests.api.front import Front, ask

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def spans() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def tracer(spans: InMemorySpanExporter) -> Tracer:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return provider.get_tracer("test")


@pytest.fixture
def front(tracer: Tracer) -> Front:
    made = Front()
    made.app = Traced(made.app, tracer)  # type: ignore[assignment]  # an application around an application
    return made


def only(spans: InMemorySpanExporter) -> ReadableSpan:
    (span,) = spans.get_finished_spans()
    return span


async def test_a_call_with_a_trace_context_is_a_span_below_it_and_hands_its_own_on(
    front: Front, spans: InMemorySpanExporter
) -> None:
    reply = await front.wager(GOOD, traceparent=CALLER, x_request_id="req-1")
    span = only(spans)
    assert span.parent is not None
    assert (f"{span.context.trace_id:032x}", f"{span.parent.span_id:016x}") == (CALLER[3:35], CALLER[36:52])
    # what the answer names, and what the events will carry, is the request's own span
    own = f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-01"
    assert reply.headers["traceparent"] == front.calls[0].traceparent == own
    assert span.name == "POST /v1/rounds/{round}/wagers"
    assert span.attributes == {
        "http.request.method": "POST",
        "http.route": "/v1/rounds/{round}/wagers",
        "http.response.status_code": 201,
        "studbook.request_id": "req-1",
        "studbook.operator": "demo",
        "studbook.key_id": next(iter(front.store.rows)),
    }


@pytest.mark.parametrize("sent", [None, "nonsense", "00-" + "0" * 32 + "-b7ad6b7169203331-01"])
async def test_without_a_valid_context_a_trace_begins(
    front: Front, spans: InMemorySpanExporter, sent: str | None
) -> None:
    reply = await front.wager(GOOD, traceparent=sent)
    assert only(spans).parent is None
    assert front.calls[0].traceparent == reply.headers["traceparent"]


async def test_two_trace_contexts_are_refused_as_ever(front: Front, spans: InMemorySpanExporter) -> None:
    headers = [("authorization", f"Bearer {front.key}"), ("traceparent", CALLER), ("traceparent", CALLER)]
    reply = await ask(front.app, "POST", "/v1/rounds/r1/wagers", [*headers, ("idempotency-key", "k")], GOOD)
    assert (reply.status, only(spans).attributes["http.response.status_code"]) == (400, 400)  # type: ignore[index]  # they were set


async def test_a_read_is_named_by_its_template_and_no_path_is_in_any_span(
    front: Front, spans: InMemorySpanExporter
) -> None:
    await ask(front.app, "GET", "/v1/tables", [("authorization", f"Bearer {front.key}")])
    await ask(front.app, "GET", "/v1/players/ann-the-player", [("authorization", f"Bearer {front.key}")])
    first, second = spans.get_finished_spans()
    assert (first.name, second.name) == ("GET /v1/tables", "GET -")
    assert "ann-the-player" not in first.to_json() + second.to_json()
    assert front.key not in first.to_json() + second.to_json()


@pytest.mark.parametrize(("answer", "is_error"), [(Unavailable("away"), True), (RuntimeError("x"), True)])
async def test_a_fault_of_ours_marks_the_span(
    front: Front, spans: InMemorySpanExporter, answer: Exception, is_error: bool
) -> None:
    front.answer = answer
    await front.wager(GOOD)
    assert (only(spans).status.status_code is StatusCode.ERROR) is is_error


def job(traceparent: str | None) -> Job:
    meta = Meta("demo", "anna", "k", "r", None, "r1", "c1", datetime.now(UTC), traceparent)
    return Job(Order(PayOn("r1"), meta), asyncio.get_running_loop().create_future())


async def test_a_turn_is_a_span_linked_to_the_requests_that_it_carried_out(
    tracer: Tracer, spans: InMemorySpanExporter
) -> None:
    turn_spans(tracer)([job(CALLER), job(None), job("nonsense"), job(CALLER)], 7, 0.25)
    span = only(spans)
    assert [f"{link.context.span_id:016x}" for link in span.links] == [CALLER[36:52]]
    assert span.attributes == {"studbook.commands": 4, "studbook.events": 7}
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.end_time - span.start_time == 250_000_000


def test_without_an_endpoint_nothing_is_traced() -> None:
    assert tracing("1", {}) is None
    front = Front()
    assert observed(front.app, None) is front.app


def test_with_an_endpoint_spans_go_there() -> None:
    found = tracing("1", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
    assert isinstance(found, Tracing)
    assert isinstance(observed(Front().app, found), Traced)
    found.close()  # nothing waits to be sent


def test_an_endpoint_without_the_extra_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(StartRefused, match="otel"):
        tracing("1", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"})
