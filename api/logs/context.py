"""Which call a line of the log belongs to. The dispatcher puts a request's scope here once; what is logged within that
request, by whatever library, then carries its ids. Work of the writer is done for many calls at once and carries none.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, Final

from api.scope import PRINCIPAL, REQUEST_ID, ROUTE, TRACE_ID

CALL: Final[ContextVar[Mapping[str, Any] | None]] = ContextVar("studbook_call", default=None)
"""The scope of the request that is being served."""


def route_of(scope: Mapping[str, Any]) -> str:
    """The template of the route that served a request, such as `/v1/rounds/{round}/wagers`; `-` for none."""
    found = scope.get(ROUTE)
    if found is None:
        found = getattr(scope.get("route"), "path", None)
    return str(found or "-")


def call_fields() -> dict[str, str]:
    """What is known of the call: request id, operator, key id, trace id."""
    scope = CALL.get()
    if scope is None:
        return {}
    fields = {"request_id": scope.get(REQUEST_ID), "trace_id": scope.get(TRACE_ID) or _sent_trace(scope)}
    principal = scope.get(PRINCIPAL)
    if principal is not None:
        fields |= {"operator": principal.operator, "key_id": principal.key_id}
    return {name: str(value) for name, value in fields.items() if value}


def _sent_trace(scope: Mapping[str, Any]) -> str | None:
    """The trace id of the caller's own header."""
    for name, value in scope.get("headers", ()):
        if name == b"traceparent" and len(value) == 55:
            return str(value[3:35].decode("latin-1"))
    return None
