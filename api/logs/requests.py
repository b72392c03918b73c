"""A line of the log for each request, where STUDBOOK_REQUEST_LOG says so: method, route template, status, milliseconds.

It stands around the whole application only when it is asked for, so that it costs nothing otherwise. Paths and queries
are not logged (they hold players' ids): the route's template is.
"""

from __future__ import annotations

import os
from time import perf_counter
from typing import Final

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.logs.context import CALL, route_of
from domain.errors import Invalid

REQUEST_LOG: Final = "STUDBOOK_REQUEST_LOG"
_YES: Final = frozenset({"1", "true", "yes", "on"})
_NO: Final = frozenset({"", "0", "false", "no", "off"})

log: Final = structlog.get_logger("studbook.requests")


def is_on(variable: str) -> bool:
    """Whether a variable of the environment says yes; Invalid when it says neither yes nor no."""
    value = os.environ.get(variable, "").lower()
    if value not in _YES | _NO:
        raise Invalid(f"{variable}: say 1 or 0", field=variable)
    return value in _YES


class RequestLog:
    """ASGI: logs each request once it is answered; `0` is the status of one that got no answer."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; anything else passes."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        began, status = perf_counter(), 0

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._inner(scope, receive, seen)
        finally:
            CALL.set(scope)
            took_ms = round((perf_counter() - began) * 1_000, 1)
            log.info("request", method=scope["method"], route=route_of(scope), status=status, ms=took_ms)
