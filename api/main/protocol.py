"""uvicorn's HTTP protocol held to the contract: what is no HTTP is answered with a problem document too, and a head
that never ends is not gathered in memory (the dispatcher, which holds the limit, first sees a head when it is whole).
"""

from __future__ import annotations

from typing import Final

from uuid_utils import uuid7
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from api.errors import BadRequest, HeadersTooLarge, problem, problem_headers, status_of
from api.intake import BODY_IS_HERE, HEADERS_LIMIT
from domain.errors import Refusal

RAW_HEAD_LIMIT: Final = 2 * HEADERS_LIMIT
"""Bytes of a head as it comes, with the line ends and blanks that the dispatcher's limit does not count."""


class Protocol(HttpToolsProtocol):
    """One connection."""

    _in_head = False
    _head_bytes = 0

    def on_message_begin(self) -> None:
        """A request's first byte."""
        self._in_head, self._head_bytes = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request's last byte has come, and waits to be read."""
        self.scope[BODY_IS_HERE] = True  # type: ignore[typeddict-unknown-key]  # a key of our own, as ASGI allows
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > RAW_HEAD_LIMIT:
                self._refuse(HeadersTooLarge(f"URL and headers may have {HEADERS_LIMIT} bytes"))

    def send_400_response(self, msg: str) -> None:
        """What uvicorn calls for bytes that are no HTTP."""
        del msg
        self._refuse(BadRequest("this is no HTTP/1.1 request that can be read"))

    def _unsupported_upgrade_warning(self) -> None:
        """An offer to upgrade is passed over, as HTTP allows; uvicorn would tell the screen to install a library."""

    def _refuse(self, refusal: Refusal) -> None:
        """The last answer of this connection."""
        request_id = str(uuid7())
        body = problem(refusal, request_id)
        named = dict(problem_headers(refusal)) | {
            b"content-length": b"%d" % len(body),
            b"connection": b"close",
            b"x-request-id": request_id.encode(),
        }
        head = b"".join(b"%s: %s\r\n" % one for one in named.items())
        self.transport.write(STATUS_LINE[status_of(refusal)] + head + b"\r\n" + body)
        self.transport.close()
