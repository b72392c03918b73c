"""Sends a call until there is an answer that no retry would change.

A command goes under one Idempotency-Key, ours or the caller's, and keeps it over all attempts, so that its effect
happens once however often it is sent. Tried again, with growing pauses, is what may be: no connection, no answer in
time, 408, 429 and 503 (after `Retry-After`), 500 of ours, and a proxy's 502, 503 or 504. Nothing else is.
"""

from __future__ import annotations

import json
import secrets
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar, cast
from urllib.parse import quote

import httpx2
from pydantic import TypeAdapter, ValidationError

from .answer import Answer
from .doors import door
from .faults import LostAnswer, Refused, StudbookError, UnexpectedAnswer
from .refusals import BY_CODE
from .streaming import streamed

A = TypeVar("A", bound=Answer)

AGAIN: Final = frozenset({408, 429, 500, 502, 503, 504})
PAUSE_SECONDS: Final = 0.2
PAUSE_SECONDS_MAX: Final = 10.0
RETRY_AFTER_SECONDS_MAX: Final = 60.0
PROBLEM: Final = "application/problem+json"


def new_key() -> str:
    """An Idempotency-Key that was never used."""
    return uuid.uuid4().hex


def path_id(value: str) -> str:
    """An id as it stands in a path."""
    return quote(value, safe=":@")


@dataclass(frozen=True, slots=True)
class Sent:
    """One call as it goes out, each time the same."""

    method: str
    path: str
    query: dict[str, str]
    content: bytes | None
    key: str | None
    waits_seconds: float = 0.0

    @property
    def name(self) -> str:
        """As faults call it."""
        return f"{self.method} {self.path}"

    @property
    def headers(self) -> dict[str, str]:
        """Of this call alone."""
        named = {} if self.key is None else {"Idempotency-Key": self.key}
        return named if self.content is None else {**named, "Content-Type": "application/json"}


class Calls:
    """What the methods of the client are made of; safe to use from several threads."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_seconds: float = 15.0,
        attempts: int = 6,
        own_writes: bool = True,
        signing_secret: str | None = None,
        tokens: bool = False,
        scope: Sequence[str] = (),
        transport: httpx2.BaseTransport | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        if attempts < 1:
            raise ValueError("attempts: at least one")
        self._timeout_seconds = timeout_seconds
        self._http = httpx2.Client(
            base_url=url.rstrip("/"),
            auth=door(url, key, signing_secret=signing_secret, tokens=tokens, scope=scope),
            headers={"User-Agent": "studbook-client"},
            timeout=timeout_seconds,
            transport=transport,
        )
        self._attempts = attempts
        self._own_writes = own_writes
        self._pause = pause
        self.position = 0
        self.retries = 0

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _command(
        self, kind: type[A], method: str, path: str, body: Mapping[str, Any], key: str | None, *, keyed: bool = True
    ) -> A:
        return cast(A, self._answered({0: kind}, method, path, body, key, keyed=keyed))

    def _answered(
        self,
        kinds: Mapping[int, Any],
        method: str,
        path: str,
        body: Mapping[str, Any],
        key: str | None,
        *,
        keyed: bool = True,
    ) -> Any:
        """A command whose answers differ by their status, or are one of several models."""
        content = json.dumps(body, ensure_ascii=False).encode()
        sent = Sent(method, path, {}, content, (key or new_key()) if keyed else None)
        got = self._send(sent)
        answer = _read_as(kinds.get(got.status_code) or next(iter(kinds.values())), sent, got)
        position = getattr(answer, "position", None)
        if isinstance(position, int):
            self.position = max(self.position, position)
        return answer

    def _read(self, kind: type[A], path: str, query: Mapping[str, Any]) -> A:
        sent = self._question(path, query)
        return cast(A, _read_as(kind, sent, self._send(sent)))

    def _read_any(self, kinds: Mapping[int, Any], path: str, query: Mapping[str, Any]) -> Any:
        """A read whose answers differ by their status, or are one of several models."""
        sent = self._question(path, query)
        got = self._send(sent)
        return _read_as(kinds.get(got.status_code) or next(iter(kinds.values())), sent, got)

    def _bytes(self, path: str, query: Mapping[str, Any]) -> bytes:
        return self._send(self._question(path, query)).content

    def _text(self, path: str, query: Mapping[str, Any]) -> str:
        return self._send(self._question(path, query)).text

    def _stream(self, kind: type[A], path: str, query: Mapping[str, Any]) -> Iterator[A]:
        """Answers as they come, for ever; a stream that is cut goes on where it stopped."""
        sent = self._question(path, query)

        def refuse(got: httpx2.Response) -> StudbookError | None:
            return _fault_of(sent, got) if _wait_of(got) is None else None

        for data in streamed(self._http, path, sent.query, refuse, self._pause):
            yield cast(A, _adapter(kind).validate_python(data))

    def _question(self, path: str, query: Mapping[str, Any]) -> Sent:
        """A read; it sees what this client has written, unless the caller says otherwise."""
        wanted = dict(query)
        if "min_position" in wanted and wanted["min_position"] is None and self._own_writes and self.position:
            wanted["min_position"] = self.position
        waits = wanted.get("wait")
        query = {name: _text_of(one) for name, one in wanted.items() if one is not None}
        return Sent("GET", path, query, None, None, float(waits) if isinstance(waits, int) else 0.0)

    def _send(self, sent: Sent) -> httpx2.Response:
        for attempt in range(1, self._attempts + 1):
            fault, wait = self._try(sent)
            if isinstance(fault, httpx2.Response):
                return fault
            if attempt == self._attempts or wait is None:
                raise fault
            self.retries += 1
            self._pause(max(wait, _back_off(attempt)))
        raise AssertionError("the loop returns or raises")

    def _try(self, sent: Sent) -> tuple[httpx2.Response | StudbookError, float | None]:
        """Once: a success, or a fault with the seconds to wait before the next attempt, None where none would help."""
        try:
            got = self._http.request(
                sent.method,
                sent.path,
                params=sent.query or None,
                content=sent.content,
                headers=sent.headers,
                timeout=self._timeout_seconds + sent.waits_seconds,
            )
        except httpx2.TransportError as fault:
            return LostAnswer(sent.name, sent.key, f"{type(fault).__name__} {fault}".strip()), 0.0
        if got.is_success:
            return got, None
        return _fault_of(sent, got), _wait_of(got)


def _fault_of(sent: Sent, got: httpx2.Response) -> StudbookError:
    problem = _problem_of(got)
    if problem is None:
        if got.status_code in AGAIN:
            return LostAnswer(sent.name, sent.key, f"{got.status_code} of something in between")
        return UnexpectedAnswer(sent.name, got.status_code, "the answer is no problem document", sent.key)
    return BY_CODE.get(str(problem["code"]), Refused)(sent.name, problem, sent.key)


def _problem_of(got: httpx2.Response) -> dict[str, Any] | None:
    if got.headers.get("content-type", "").partition(";")[0] != PROBLEM:
        return None
    try:
        found = got.json()
    except ValueError:
        return None
    return found if isinstance(found, dict) and "code" in found and "status" in found else None


def _wait_of(got: httpx2.Response) -> float | None:
    if got.status_code not in AGAIN:
        return None
    problem = _problem_of(got)
    if problem is not None and not problem.get("retryable", False):
        return None
    text = got.headers.get("retry-after", "")
    return min(float(text), RETRY_AFTER_SECONDS_MAX) if text.isascii() and text.isdigit() else 0.0


def _back_off(attempt: int) -> float:
    """Seconds: doubled each time, with a part left to chance, so that many clients do not come back at once."""
    return float(min(PAUSE_SECONDS * 2 ** (attempt - 1), PAUSE_SECONDS_MAX)) * (500 + secrets.randbelow(501)) / 1_000


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _read_as(kind: Any, sent: Sent, got: httpx2.Response) -> Any:
    """The answer as one of the models that `kind` is made of."""
    try:
        return _adapter(kind).validate_json(got.content)
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UnexpectedAnswer(sent.name, got.status_code, f"{where}: {first['msg']}", sent.key) from None


def _text_of(value: object) -> str:
    """A parameter as it stands in a query."""
    if isinstance(value, bool):
        return "true" if value else "false"
    moment = getattr(value, "isoformat", None)
    return str(moment()) if moment is not None else str(value)
