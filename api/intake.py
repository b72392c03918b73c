"""What arrives with a request: its headers, its ids, its body within bounds of size and time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from struct import Struct
from typing import Any, Final, Protocol

import orjson
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive, Scope
from uuid_utils import uuid7

from api.errors import BadRequest, Header, HeadersTooLarge, RequestTimeout, TooLarge, safe_path
from domain.errors import Invalid

HEADERS_LIMIT: Final = 16 * 1024
"""Bytes of all headers with path and query."""

BODY_SECONDS: Final = 10.0
"""How long a whole body may take to arrive."""

BODY_IS_HERE: Final = "studbook.body_is_here"
"""The scope's key of a `Whole`, which says that the next message is the whole body (api.main.protocol)."""

_ONCE: Final = (
    b"authorization", b"content-length", b"idempotency-key", b"x-request-id", b"traceparent", b"webhook-id",
    b"webhook-timestamp", b"webhook-signature",
)  # fmt: skip
_REQUEST_ID: Final = re.compile(rb"[A-Za-z0-9_.:@-]{1,64}")
_KEY: Final = re.compile(rb"[ -~]{1,255}")
_TRACEPARENT: Final = re.compile(rb"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_SIZE: Final = Struct(">Q").pack
_DIGITS: Final = re.compile(rb"[0-9]{1,18}")


class Whole(Protocol):
    """A request that is here to its last byte."""

    def body(self) -> bytes | None:
        """All of its body, which then is not to be received any more; None when the caller has gone."""

    def reply(self, send: object, status: int, headers: Iterable[Header], body: bytes) -> bool:
        """Answer at once, with Content-Length, through the connection that `send` would use. `headers` are well formed.

        False, and nothing is sent, where it has to be `send`: that stands around the connection, or has to wait.
        """


def request_id_of(headers: Iterable[Header]) -> str:
    """The caller's X-Request-Id when it has the form of an id, else a new UUIDv7."""
    for name, value in headers:
        if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
            return value.decode()
    return str(uuid7())


def read_headers(scope: Scope) -> dict[bytes, bytes]:
    """The headers by name; HeadersTooLarge above 16 KiB with the URL, BadRequest for two of what must be one."""
    listed: list[Header] = scope["headers"]
    size = len(scope.get("raw_path") or b"") + len(scope["query_string"])
    if size + sum([len(name) + len(value) for name, value in listed]) > HEADERS_LIMIT:
        raise HeadersTooLarge(f"URL and headers may have {HEADERS_LIMIT} bytes")
    headers = dict(listed)
    if len(headers) != len(listed):
        names = [name for name, _ in listed]
        for once in _ONCE:
            if names.count(once) > 1:
                raise BadRequest("this header may come only once", field=once.decode())
    return headers


def idempotency_key(headers: dict[bytes, bytes], *, required: bool) -> str | None:
    """The Idempotency-Key: 1 to 255 printable ASCII characters; BadRequest when malformed, or missing but required."""
    value = headers.get(b"idempotency-key")
    if value is None and not required:
        return None
    if value is None:
        raise BadRequest(
            "send an Idempotency-Key header, so that a retry has no second effect", field="idempotency-key"
        )
    if not _KEY.fullmatch(value) or not value.strip():
        raise BadRequest("an Idempotency-Key has 1 to 255 printable ASCII characters", field="idempotency-key")
    return value.decode()


def traceparent(headers: dict[bytes, bytes]) -> str | None:
    """The caller's trace context, None when absent or not valid (W3C: then a new trace begins)."""
    value = headers.get(b"traceparent")
    return value.decode() if value is not None and _TRACEPARENT.fullmatch(value) else None


def refuse_query(scope: Scope) -> None:
    """Invalid when a command came with query parameters: it takes none (bug row 21)."""
    if query := scope["query_string"]:
        name = query.split(b"&", 1)[0].split(b"=", 1)[0].decode("latin-1")
        raise Invalid("this call takes no query parameters", field=safe_path([name]))


def content_length(headers: dict[bytes, bytes]) -> int | None:
    """Bytes that the caller announces, None when it does not; BadRequest when that is no number."""
    value = headers.get(b"content-length")
    if value is None:
        return None
    if not _DIGITS.fullmatch(value):
        raise BadRequest("Content-Length must be a number", field="content-length")
    return int(value)


async def read_body(receive: Receive, announced: int | None, limit: int, seconds: float = BODY_SECONDS) -> bytes | None:
    """The whole body, None when the caller has gone.

    TooLarge at once when more than `limit` bytes are announced, else as soon as more have come; RequestTimeout after
    `seconds` (bug row 75: nothing is read on credit).
    """
    check_announced(announced, limit)
    try:
        async with asyncio.timeout(seconds):
            return await _gathered(receive, limit)
    except TimeoutError:
        raise RequestTimeout(f"the body did not arrive within {seconds:g} seconds") from None


def check_announced(announced: int | None, limit: int) -> None:
    """TooLarge when more than `limit` bytes are announced."""
    if announced is not None and announced > limit:
        raise TooLarge(f"the body may have {limit} bytes")


def whole_body(whole: Whole, announced: int | None, limit: int) -> bytes | None:
    """As `read_body` for a body that need not be waited for: no clock is set."""
    check_announced(announced, limit)
    body = whole.body()
    if body is not None and len(body) > limit:
        raise TooLarge(f"the body may have {limit} bytes")
    return body


async def _gathered(receive: Receive, limit: int) -> bytes | None:
    """The body's chunks as one."""
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        chunk = message.get("body", b"")
        size += len(chunk)
        if size > limit:
            raise TooLarge(f"the body may have {limit} bytes")
        chunks.append(chunk)
        if not message.get("more_body", False):
            return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def bounded(receive: Receive, limit: int) -> Receive:
    """`receive` that answers 413 once more than `limit` bytes of body have come, for FastAPI that reads by itself.

    It raises HTTPException: any other exception here FastAPI would answer as a body that cannot be parsed.
    """
    size = 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            raise HTTPException(413)
        return message

    return counted


def fingerprint(method: str, path: str, parsed: dict[str, Any]) -> bytes:
    """SHA-256 over method, path and body, each after its length; white space and the order of keys do not count."""
    verb, where, body = method.encode(), path.encode(), orjson.dumps(parsed, option=orjson.OPT_SORT_KEYS)
    return sha256(b"".join((_SIZE(len(verb)), verb, _SIZE(len(where)), where, _SIZE(len(body)), body))).digest()


def fingerprints(method: str, path: str) -> Callable[[dict[str, Any]], bytes]:
    """`fingerprint` of many bodies for the same call: method and path are taken in once."""
    begun = sha256(_sized(method.encode()) + _sized(path.encode()))

    def of(parsed: dict[str, Any]) -> bytes:
        digest = begun.copy()
        digest.update(_sized(orjson.dumps(parsed, option=orjson.OPT_SORT_KEYS)))
        return digest.digest()

    return of


def _sized(part: bytes) -> bytes:
    """`part` after its length."""
    return _SIZE(len(part)) + part
