"""Problem documents: every refusal as `application/problem+json` (RFC 9457).

The refusals of the domain (`domain/errors.py`) and those of HTTP itself meet one table, STATUS. A test proves
it complete over the class tree. HTTP's own:

    Refusal
    ├── BadRequest         INVALID 400            no JSON object, a header missing or malformed
    │   └── HeadersTooLarge TOO_LARGE 431
    ├── Unauthenticated    UNAUTHENTICATED 401
    │   └── UnknownKey     UNAUTHENTICATED 401
    ├── MethodNotAllowed   METHOD_NOT_ALLOWED 405
    ├── RequestTimeout     REQUEST_TIMEOUT 408    the body did not come in time
    ├── TooLarge           TOO_LARGE 413
    ├── RateLimited        RATE_LIMITED 429
    ├── InternalError      INTERNAL 500           a bug of ours
    └── Invalid
        └── InvalidFields  INVALID 422            several fields at once

No document repeats what the caller sent: details are ours, a field's path is shown only as far as it is made of
harmless short names. None is longer than 2 KiB.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
import structlog

from api import metrics
from domain import errors as e

PROBLEM_BYTES_MAX: Final = 2048
ERRORS_MAX: Final = 10
_DETAIL_MAX: Final = 240
_SAFE_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,40}", re.ASCII)
_log: Final = structlog.get_logger("studbook.api")

Header = tuple[bytes, bytes]


class BadRequest(e.Refusal):
    """The request cannot be read: no JSON object, or a header is missing or malformed."""

    code = "INVALID"


class HeadersTooLarge(BadRequest):
    """Headers or URL above 16 KiB."""

    code = "TOO_LARGE"


class Unauthenticated(e.Refusal):
    """No key, or one that opens nothing. `more` are members of the problem; the rest is for the access log only: the
    key that was named, and whose it is, where that is known.
    """

    code = "UNAUTHENTICATED"

    def __init__(
        self,
        detail: str,
        *,
        more: Mapping[str, str] | None = None,
        key_id: str | None = None,
        operator: str | None = None,
        subject: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.more = more or {}
        self.key_id = key_id
        self.operator = operator
        self.subject = subject


class UnknownKey(Unauthenticated):
    """A key that nobody has, or that is revoked: its look-up is counted against the caller's address."""


class MethodNotAllowed(e.Refusal):
    """The path exists, not with this method."""

    code = "METHOD_NOT_ALLOWED"


class RequestTimeout(e.Refusal):
    """The body did not arrive in time; nothing was done."""

    code = "REQUEST_TIMEOUT"
    retryable = True


class TooLarge(e.Refusal):
    """The body is above the call's limit; it was not read to its end."""

    code = "TOO_LARGE"


class RateLimited(e.Refusal):
    """Too many requests of this key; wait as `Retry-After` says. `seconds` until then, and `headers` that tell more."""

    code = "RATE_LIMITED"
    retryable = True

    def __init__(self, detail: str, seconds: int = 1, headers: tuple[Header, ...] = ()) -> None:
        super().__init__(detail)
        self.seconds, self.headers = seconds, headers


class InternalError(e.Refusal):
    """A bug: the outcome is not known here; the same request with the same Idempotency-Key tells it."""

    code = "INTERNAL"
    retryable = True


class InvalidFields(e.Invalid):
    """Several fields are wrong; `errors` holds (field, detail) of each, at most ten."""

    def __init__(self, errors: Iterable[tuple[str, str]]) -> None:
        self.errors = tuple(errors)[:ERRORS_MAX]
        field, detail = self.errors[0]
        super().__init__(detail, field=field)


STATUS: Final[Mapping[type[e.Refusal], int]] = {
    BadRequest: 400,
    Unauthenticated: 401,
    UnknownKey: 401,
    e.Forbidden: 403,
    e.NotFound: 404,
    MethodNotAllowed: 405,
    RequestTimeout: 408,
    e.Conflict: 409,
    e.InsufficientFunds: 409,
    e.BettingClosed: 409,
    e.WrongPhase: 409,
    e.SeatTaken: 409,
    e.AlreadySeated: 409,
    e.AlreadyVoided: 409,
    e.AlreadyExists: 409,
    e.CardOutOfPlace: 409,
    e.LimitReached: 409,
    e.TableLimit: 409,
    e.ChatClosed: 409,
    TooLarge: 413,
    e.Invalid: 422,
    InvalidFields: 422,
    e.DuplicateCard: 422,
    e.CurrencyMismatch: 422,
    e.IdempotencyMismatch: 422,
    e.BelowMinimum: 422,
    e.AboveMaximum: 422,
    RateLimited: 429,
    HeadersTooLarge: 431,
    InternalError: 500,
    e.Unavailable: 503,
}
"""The one table from refusal to status. A subclass that an adapter makes counts as its parent."""

TITLES: Final[Mapping[str, str]] = {
    "INVALID": "The request is not valid",
    "UNAUTHENTICATED": "A valid key is needed",
    "FORBIDDEN": "Not allowed with this key",
    "NOT_FOUND": "No such object",
    "METHOD_NOT_ALLOWED": "The path does not know this method",
    "REQUEST_TIMEOUT": "The request did not arrive in time",
    "CONFLICT": "The state does not allow it",
    "INSUFFICIENT_FUNDS": "Available money does not cover it",
    "BETTING_CLOSED": "Betting is closed",
    "WRONG_PHASE": "Not in this phase of the round",
    "SEAT_TAKEN": "Another player sits there",
    "ALREADY_SEATED": "The player holds another seat of this round",
    "ALREADY_VOIDED": "Voided before",
    "ALREADY_EXISTS": "The id is in use with other parameters",
    "CARD_OUT_OF_PLACE": "Another card is next in the deal",
    "LIMIT_REACHED": "A set limit is reached",
    "CHAT_CLOSED": "The chat does not take this message now",
    "TABLE_LIMIT": "No room at the table, or the player sits at too many",
    "DUPLICATE_CARD": "The same card twice",
    "CURRENCY_MISMATCH": "Another currency is in force",
    "IDEMPOTENCY_MISMATCH": "The key or transaction id has served another request",
    "BELOW_MINIMUM": "Below the minimum",
    "ABOVE_MAXIMUM": "Above the maximum",
    "TOO_LARGE": "The request is too large",
    "RATE_LIMITED": "Too many requests",
    "INTERNAL": "A fault of ours",
    "UNAVAILABLE": "Not now; the same request may be sent again",
}
"""A title for each code; `type` points at the code's paragraph of /docs/problems."""


def status_of(refusal: e.Refusal) -> int:
    """The HTTP status of a refusal."""
    for cls in type(refusal).__mro__:
        if (status := STATUS.get(cls)) is not None:
            return status
    return 409


def problem(refusal: e.Refusal, request_id: str) -> bytes:
    """The problem document of a refusal, under 2 KiB, without anything the caller sent."""
    metrics.problem(refusal.code)
    document: dict[str, Any] = {
        "type": f"/docs/problems#{refusal.code}",
        "title": TITLES.get(refusal.code, "Refused"),
        "status": status_of(refusal),
        "code": refusal.code,
        "detail": _clip(refusal.detail, _DETAIL_MAX),
        "retryable": refusal.retryable,
        "request_id": request_id,
    }
    if refusal.field is not None:
        document["field"] = _clip(refusal.field, 120)
    if isinstance(refusal, Unauthenticated):
        document.update(refusal.more)
    if isinstance(refusal, InvalidFields):
        document["errors"] = [{"field": _clip(f, 120), "detail": _clip(d, _DETAIL_MAX)} for f, d in refusal.errors]
    body = orjson.dumps(document)
    while len(body) >= PROBLEM_BYTES_MAX and document.get("errors"):
        document["errors"].pop()
        body = orjson.dumps(document)
    return body


def problem_headers(refusal: e.Refusal) -> tuple[Header, ...]:
    """Headers that go with a problem: its media type, and what the status asks for."""
    headers: tuple[Header, ...] = ((b"content-type", b"application/problem+json"), (b"cache-control", b"no-store"))
    match status_of(refusal):
        case 401:
            return (*headers, (b"www-authenticate", b'Bearer realm="studbook"'))
        case 429 if isinstance(refusal, RateLimited):
            return (*headers, (b"retry-after", b"%d" % refusal.seconds), *refusal.headers)
        case 503:
            return (*headers, (b"retry-after", b"1"))
        case 408 | 413 | 431:
            return (*headers, (b"connection", b"close"))
        case _:
            return headers


def safe_path(parts: Iterable[object]) -> str:
    """A field's path such as `wagers[3].ante`; a name that is long or odd, so perhaps input, becomes `?`."""
    shown = [f"[{part}]" if isinstance(part, int) else f".{_safe_name(str(part))}" for part in parts]
    if len(shown) > 6:
        shown = [*shown[:5], ".?"]
    return "".join(shown).removeprefix(".")


def _safe_name(name: str) -> str:
    return name if _SAFE_NAME.fullmatch(name) else "?"


def log_bug(fault: BaseException, request_id: str, where: str) -> None:
    """Log an unexpected exception: its type and where it rose, never its message (it may quote cards or bodies)."""
    frames = [f"{f.filename}:{f.lineno}:{f.name}" for f in traceback.extract_tb(fault.__traceback__)]
    _log.error("request failed", request_id=request_id, route=where, error=type(fault).__qualname__, frames=frames)


def internal_error() -> InternalError:
    """What a caller hears of a bug."""
    return InternalError("this is a fault of ours and is logged under the request id; retry with the same key")


def _clip(text: str, limit: int) -> str:
    """`text`, cut to `limit` characters, without control characters, encodable as UTF-8."""
    clean = "".join([ch if ch >= " " else " " for ch in text.encode("utf-8", "replace").decode()])
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
