"""The short way to a request's body and to its connection, for the commands: no messages between server and dispatcher.

ASGI hands a body and an answer over in messages, each by a coroutine, and uvicorn looks at every header of an answer
for what may not stand there. A command's request is nearly always here in one piece, and its answer is one piece of
headers that we made ourselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

_CREATED: Final = STATUS_LINE[201]


class Direct:
    """See api.intake.Whole. One request, of which the last byte has come."""

    __slots__ = ("_cycle",)

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle

    def body(self) -> bytes | None:
        """See the port."""
        cycle = self._cycle
        cycle.flow.resume_reading()
        return None if cycle.disconnected or cycle.response_complete else bytes(cycle.body)

    def reply(self, send: object, status: int, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> bool:
        """See the port. Nothing else is written while an earlier answer waits to be fetched."""
        cycle = self._cycle
        if (
            getattr(send, "__self__", None) is not cycle
            or cycle.response_started
            or cycle.disconnected
            or not cycle.keep_alive
            or cycle.flow.write_paused
            or cycle.access_log
        ):
            return False
        parts = [_CREATED if status == 201 else STATUS_LINE[status]]
        for name, value in (*cycle.default_headers, *headers):
            parts += (name, b": ", value, b"\r\n")
        parts += (b"content-length: %d\r\n\r\n" % len(body), body)
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        cycle.transport.write(b"".join(parts))
        cycle.message_event.set()
        cycle.on_response()
        return True
