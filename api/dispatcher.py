"""The front of the HTTP API: a plain ASGI application that serves commands itself and passes the rest on.

Order of checks, cheapest and most telling first: size of headers, key (401), how often it asks (429), role (403), ids
in the path (422), query (422), Idempotency-Key (400), and only then the body is read: size (413), time (408),
signature where the key asks for one (401), JSON (400), schema (422).
A refusal before the body leaves the body unread. Everything is answered as JSON or as a problem document, and carries
X-Request-Id; an exception nobody foresaw is logged without request data and answered 500.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from pydantic import ValidationError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import intake
from api.auth import PRINCIPAL, KeyRing, Principal, check_roles
from api.door import UNWATCHED, Door, address_of
from api.errors import Header, RateLimited, TooLarge, internal_error, log_bug, problem, problem_headers, status_of
from api.gate import BODY_LIMIT, parse_object
from api.logs.context import CALL
from api.problems import ALLOW, REQUEST_ID
from api.rates import RATE, UNLIMITED, Rates
from api.route_table import Answer, Call, CommandRoute, Leaf, RouteTable
from api.scope import IS_HEAD, ROUTE
from api.signing import SIGNATURE, target_of
from api.validation import refusal_of
from domain.errors import Refusal, Unavailable
from domain.ids import checked_id

STOPPING: Final = "this process is ending, and what you asked for may have happened or not; send the same request again"
"""What is told where the end of the process no longer waits for the answer (F27)."""

_JSON: Final[Header] = (b"content-type", b"application/json")
_REPLAYED: Final[Header] = (b"idempotency-replayed", b"true")
_CLOSE: Final[Header] = (b"connection", b"close")


class _Admitted(NamedTuple):
    """What is known of a command before its body is read."""

    principal: Principal
    path: dict[str, str]
    key: str | None
    announced: int | None
    traceparent: str | None


class Dispatcher:
    """ASGI: commands by the route table, all else (reads, lifespan) to `inner`."""

    def __init__(
        self,
        inner: ASGIApp,
        routes: Iterable[CommandRoute[Any]],
        keys: KeyRing,
        *,
        body_seconds: float = intake.BODY_SECONDS,
        rates: Rates = UNLIMITED,
        door: Door = UNWATCHED,
    ) -> None:
        self._rates = rates
        self._door = door
        self._inner = inner
        self._table = RouteTable(routes)
        self._keys = keys
        self._body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._pass_other(scope, receive, send)
            return
        request_id = scope[REQUEST_ID] = intake.request_id_of(scope["headers"])
        CALL.set(scope)  # for whatever is logged meanwhile
        try:
            headers = intake.read_headers(scope)
        except Refusal as refusal:
            await _refuse(send, refusal, request_id)
            return
        found = self._table.find(scope["path"])
        if found is not None and (leaf := found[0].get(scope["method"])) is not None:
            await self._serve(leaf, found[1], scope, receive, send, headers=headers, request_id=request_id)
            return
        if found is not None and all(found[1]):  # a path with nothing in an id's place is no path
            scope[ALLOW] = tuple(found[0])
        await self._pass_on(headers, request_id, scope, receive, send)

    async def _serve(
        self,
        leaf: Leaf,
        values: list[str],
        scope: Scope,
        receive: Receive,
        send: Send,
        *,
        headers: dict[bytes, bytes],
        request_id: str,
    ) -> None:
        body_left = True
        try:
            admitted = await self._admit(leaf, values, headers, scope, request_id)
            limit, whole = leaf.route.body_limit, scope.get(intake.BODY_IS_HERE)
            if whole is not None:
                raw = intake.whole_body(whole, admitted.announced, limit)
            else:
                raw = await intake.read_body(receive, admitted.announced, limit, self._body_seconds)
            if raw is None:
                return
            body_left = False
            if admitted.principal.signing_key is not None or SIGNATURE in headers:
                self._keys.check_signature(admitted.principal, scope["method"], target_of(scope), headers, raw)
            answer = await leaf.route.handle(self._counted(leaf, _call(leaf, admitted, raw, scope, request_id), scope))
        except Refusal as refusal:
            self._refused(refusal, scope, leaf.route.path, request_id)
            await _refuse(send, refusal, request_id, scope.get(RATE, ()), close=body_left and _is_large(headers))
            return
        except CancelledError:
            await _refuse(send, Unavailable(STOPPING), request_id)
            return
        except Exception as fault:
            log_bug(fault, request_id, leaf.route.path)
            await _refuse(send, internal_error(), request_id)
            return
        named = _headers_of(answer, request_id, scope.get(RATE, ()))
        if whole is None or not whole.reply(send, answer.status, named, answer.body):
            await _send(send, answer.status, answer.body, named)

    def _counted(self, leaf: Leaf, call: Call[Any], scope: Scope) -> Call[Any]:
        """The call, its items counted where they count."""
        if leaf.route.weight is not None:
            self._rates.take_items(scope, call.principal.key_id, leaf.route.weight(call.body))
        return call

    async def _admit(
        self, leaf: Leaf, values: list[str], headers: dict[bytes, bytes], scope: Scope, request_id: str
    ) -> _Admitted:
        """All checks that need no body."""
        scope[ROUTE] = leaf.route.path
        header = headers.get(b"authorization")
        self._rates.refuse_guesses(scope, self._keys, header)
        principal = scope[PRINCIPAL] = self._keys.opened(header) or await self._keys.principal(header)
        self._rates.take(scope, principal.key_id)
        self._door.used(principal, scope, leaf.route.path, request_id)
        check_roles(principal, leaf.route.roles)
        path = {name: checked_id(value, name) for name, value in zip(leaf.params, values, strict=True)}
        intake.refuse_query(scope)
        key = intake.idempotency_key(headers, required=leaf.route.key_required)
        return _Admitted(principal, path, key, intake.content_length(headers), intake.traceparent(headers))

    async def _pass_on(
        self, headers: dict[bytes, bytes], request_id: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """A request for the application behind, with X-Request-Id on its answer and its faults caught."""
        started = False
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET", IS_HEAD: True}  # the server, which knows better, leaves the body out

        async def named(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._door.answered(message["status"], scope, request_id)
                more = ((b"x-request-id", request_id.encode()), *scope.get(RATE, ()))
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        try:
            if (intake.content_length(headers) or 0) > BODY_LIMIT:
                raise TooLarge(f"the body may have {BODY_LIMIT} bytes")
            await self._inner(scope, intake.bounded(receive, BODY_LIMIT), named)
        except Refusal as refusal:
            if started:
                log_bug(refusal, request_id, "passed on")
            else:
                self._refused(refusal, scope, None, request_id)
                await _refuse(send, refusal, request_id, close=_is_large(headers))
        except CancelledError:
            if started:
                raise
            await _refuse(send, Unavailable(STOPPING), request_id)
        except Exception as fault:
            log_bug(fault, request_id, "passed on")
            if not started:
                await _refuse(send, internal_error(), request_id)

    def _refused(self, refusal: Refusal, scope: Scope, route: str | None, request_id: str) -> None:
        """Told to who counts guesses, and to the access log."""
        self._rates.refused(refusal, scope)
        self._door.refused(refusal, scope, route, request_id)

    async def _pass_other(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lifespan as it is; a WebSocket that is refused is closed."""
        try:
            await self._inner(scope, receive, send)
        except Refusal:
            if scope["type"] != "websocket":
                raise
            await send({"type": "websocket.close", "code": 1008})


def _call(leaf: Leaf, admitted: _Admitted, raw: bytes, scope: Scope, request_id: str) -> Call[Any]:
    """The call with its body checked: first as JSON, then by the schema."""
    if not raw and leaf.route.body_optional:
        raw = b"{}"
    parsed = parse_object(raw, leaf.route.body_limit)
    body, fingerprint = _read(leaf, raw, parsed, scope)
    return Call(
        principal=admitted.principal,
        path=admitted.path,
        body=body,
        key=admitted.key,
        fingerprint=fingerprint,
        request_id=request_id,
        traceparent=admitted.traceparent,
        address=address_of(scope),
    )


def _read(leaf: Leaf, raw: bytes, parsed: dict[str, Any], scope: Scope) -> tuple[Any, bytes]:
    """The checked body, and what tells this request from others under its key."""
    if leaf.route.reader is not None:
        return leaf.route.reader(raw, parsed), b""
    try:
        body = leaf.adapter.validator.validate_json(raw, strict=True)
    except ValidationError as findings:
        raise refusal_of(findings) from None
    return body, intake.fingerprint(scope["method"], scope["path"], parsed)


def _is_large(headers: dict[bytes, bytes]) -> bool:
    """Whether an unread body may be so long that the connection is better closed than drained."""
    length = headers.get(b"content-length", b"0")
    return b"transfer-encoding" in headers or not length.isdigit() or len(length) > 5 or int(length) > BODY_LIMIT


def _headers_of(answer: Answer, request_id: str, rate: tuple[Header, ...]) -> tuple[Header, ...]:
    more = (*answer.headers, _REPLAYED) if answer.replayed else answer.headers
    return (_JSON, *more, *rate, (b"x-request-id", request_id.encode()))


async def _refuse(
    send: Send, refusal: Refusal, request_id: str, rate: tuple[Header, ...] = (), *, close: bool = False
) -> None:
    headers = problem_headers(refusal) if isinstance(refusal, RateLimited) else (*problem_headers(refusal), *rate)
    if close and _CLOSE not in headers:
        headers = (*headers, _CLOSE)
    named = (*headers, (b"x-request-id", request_id.encode()))
    await _send(send, status_of(refusal), problem(refusal, request_id), named)


async def _send(send: Send, status: int, body: bytes, headers: tuple[Header, ...]) -> None:
    named = [*headers, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": named})
    await send({"type": "http.response.body", "body": body})
