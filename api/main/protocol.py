"""uvicorn's HTTP protocol held to the contract, where uvicorn itself has no bound.

What is no HTTP is answered with a problem document too, after the answers to what was asked before it. A head that
never ends is not gathered in memory (the dispatcher, which holds the limit, first sees a head when it is whole), nor
are trailers, nor more requests behind each other than are served. A connection is closed when a request is not whole
RECEIPT_SECONDS after its first byte, when nothing comes on a new one, and when an answer is not fetched (F16).

A request that comes in one piece, as nearly all do, sets no clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar, Final

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from uuid_utils import uuid7
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from api.errors import BadRequest, HeadersTooLarge, RequestTimeout, TooLarge, problem, problem_headers, status_of
from api.gate import BULK_BODY_LIMIT
from api.intake import BODY_IS_HERE, BODY_SECONDS, HEADERS_LIMIT
from api.main.direct import Direct
from domain.errors import Refusal

RAW_HEAD_LIMIT: Final = 2 * HEADERS_LIMIT
"""Bytes of a head as it comes, with the line ends and blanks that the dispatcher's limit does not count."""

RAW_LIMIT: Final = 8 * BULK_BODY_LIMIT
"""Bytes of a request as it comes: the largest body in chunks of one byte, with room for their frames and trailers."""

RECEIPT_SECONDS: Final = 10.0
"""From a request's first byte to the end of its head; and how long a new connection may stay silent."""

BODY_GRACE_SECONDS: Final = BODY_SECONDS + 4.0
"""From a request's first byte to its last. The dispatcher, whose clock starts when it reads, answers 408 before."""

UNREAD_SECONDS: Final = 30.0
"""How long a caller may take nothing of an answer that waits for it."""

PIPELINED_MAX: Final = 1_000
"""Requests of one connection that wait for the answer to the one before."""


class _Nowhere(list[tuple[bytes, bytes]]):
    """Always empty: takes the fields of a trailer: they are no headers, and nothing here reads them."""

    def append(self, _: tuple[bytes, bytes], /) -> None:
        """Forget it."""


_OFFER: Final = (b"upgrade", b"http2-settings")
_NOWHERE: Final = _Nowhere()


class Protocol(HttpToolsProtocol):
    """One connection."""

    told_to_stop: ClassVar[Callable[[], None]] = staticmethod(lambda: None)
    """Called when the server stops, before it waits for its connections: streams, which have no end, end then."""

    _in_head = False
    _receiving = False
    """A request has begun that is not whole."""
    _is_offer = False
    _bytes = 0
    """Of that request."""
    _began = 0.0
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _last_words: Refusal | None = None
    """To be said when all that was asked before is answered. Nothing is read any more."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """A new connection."""
        super().connection_made(transport)
        self._set_deadline(RECEIPT_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._end_deadline()
        self._end_unread()
        self.pipeline.clear()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def on_message_begin(self) -> None:
        """A request's first byte."""
        self._in_head = self._receiving = True
        self._bytes = 0
        if self._deadline is not None:
            self._end_deadline()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._is_offer = self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"
        if self._is_offer:
            return
        super().on_headers_complete()  # it raises where the target is none
        self._in_head = False
        self.headers = _NOWHERE

    def on_message_complete(self) -> None:
        """The request's last byte has come, and waits to be read."""
        if self._is_offer:
            return
        self._receiving = False
        if self._deadline is not None:
            self._end_deadline()
        self.scope[BODY_IS_HERE] = Direct(self.cycle)  # type: ignore[typeddict-unknown-key]  # a key of our own, as ASGI allows
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        if self._last_words is not None:
            return
        self._unset_keepalive_if_required()
        self._feed(data)
        if self._receiving:
            self._in_part(len(data))
        elif self._is_idle():  # the rest of what was refused before, or nothing: uvicorn waits without a clock now
            self._set_deadline(RECEIPT_SECONDS)
        if self.pipeline and len(self.pipeline) > PIPELINED_MAX:
            self.transport.abort()

    def on_response_complete(self) -> None:
        """A request is answered."""
        super().on_response_complete()
        if self._last_words is not None and self._is_idle():
            self._say(self._last_words)

    def shutdown(self) -> None:
        """The server stops."""
        super().shutdown()
        type(self).told_to_stop()

    def pause_writing(self) -> None:
        """The caller fetches less than it is given."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It has caught up."""
        super().resume_writing()
        self._end_unread()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing came for long enough; what was not fetched until now is dropped a little later."""
        super().timeout_keep_alive_handler()
        if self._unread is None:
            self._unread = self.loop.call_later(RECEIPT_SECONDS, self.transport.abort)

    def _feed(self, data: bytes) -> None:
        """Let the parser read. At an offer to upgrade it stops, and would take the body for another protocol: it gets
        the head again without the offer, which HTTP allows to pass over. Java's own client makes one by default."""
        while True:
            try:
                self.parser.feed_data(data)
            except HttpParserUpgrade as offer:
                data = self._head_without_offer() + data[offer.args[0] :]
                self.parser = HttpRequestParser(self)
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
            except HttpParserError:
                self._refuse(BadRequest("this is no HTTP/1.1 request that can be read"))
                return
            else:
                return

    def _head_without_offer(self) -> bytes:
        """The head that was just read."""
        first = b"%s %s HTTP/%s" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())
        kept = [b"%s: %s" % one for one in self.headers if one[0] not in _OFFER]
        return b"\r\n".join([first, *kept, b"", b""])

    def _is_idle(self) -> bool:
        """Whether everything that was asked is answered."""
        return self.cycle is None or self.cycle.response_complete

    def _in_part(self, more: int) -> None:
        """A request has come in part: from now on its time and its size are counted."""
        if self._last_words is not None or self.transport.is_closing():
            return
        self._bytes += more
        if self._in_head and self._bytes > RAW_HEAD_LIMIT:
            self._refuse(HeadersTooLarge(f"URL and headers may have {HEADERS_LIMIT} bytes"))
        elif self._bytes > RAW_LIMIT:
            self._refuse(TooLarge("the request is larger than any body here may be"))
        elif self._deadline is None:
            self._began = self.loop.time()
            self._set_deadline(RECEIPT_SECONDS)

    def _set_deadline(self, seconds: float) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(seconds, self._too_slow)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _too_slow(self) -> None:
        """The time of a request, or of a silent connection, is over."""
        self._deadline = None
        if self.transport.is_closing():
            return
        left = self._began + BODY_GRACE_SECONDS - self.loop.time()
        if self._in_head and self._is_idle():
            self._refuse(RequestTimeout(f"the head did not arrive within {RECEIPT_SECONDS:g} seconds"))
        elif self._in_head:
            self._set_deadline(RECEIPT_SECONDS)  # what was asked before is still at work, and its answer comes first
        elif self._is_idle():
            self.transport.close()
        elif left > 0:
            self._set_deadline(left)
        else:
            self.transport.abort()

    def _refuse(self, refusal: Refusal) -> None:
        """The last answer of this connection, in its turn."""
        is_answered = self._is_idle() if self._in_head else self._is_idle() and not self._receiving
        if (self._in_head and not is_answered) or self.pipeline:
            self._last_words = refusal
        elif is_answered or not (self.cycle.response_complete or self.cycle.response_started):
            self._say(refusal)
        else:
            self.transport.close()  # this very request has its answer

    def _say(self, refusal: Refusal) -> None:
        request_id = str(uuid7())
        body = problem(refusal, request_id)
        named: dict[bytes, Any] = dict(problem_headers(refusal)) | {
            b"content-length": b"%d" % len(body),
            b"connection": b"close",
            b"x-request-id": request_id.encode(),
        }
        head = b"".join(b"%s: %s\r\n" % one for one in named.items())
        self.transport.write(STATUS_LINE[status_of(refusal)] + head + b"\r\n" + body)
        self.transport.close()
