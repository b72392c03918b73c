"""`POST /oauth/token`: a key is exchanged for a token of ten minutes (OAuth 2.0 client credentials, RFC 6749, 4.4).

`client_id` is the key's id, `client_secret` the key; in the form or by HTTP Basic. Errors have the form that RFC 6749
gives them (5.2), so that stock clients understand them. Keys that nobody has count against the caller's address here as
at every other door, and a request counts against its key.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, unquote_plus

import orjson
from fastapi import APIRouter, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from api.auth import KeyRing, Principal
from api.auth_gate import TOKEN_PATH
from api.bearer import is_token
from api.door import REFUSED, Door
from api.errors import RateLimited, RequestTimeout, Unauthenticated
from api.intake import BODY_SECONDS
from api.problems import REQUEST_ID
from api.rates import UNLIMITED, Rates
from api.tokens import TOKEN_SECONDS, Tokens
from domain.errors import Unavailable

GRANT: Final = "client_credentials"
FORM: Final = "application/x-www-form-urlencoded"
_FIELDS_MOST: Final = 10
_FORM_BYTES_MAX: Final = 8_192
_NO_STORE: Final = {"Cache-Control": "no-store", "Pragma": "no-cache"}


class _Refused(Exception):
    """An error of RFC 6749: its code and what is wrong."""

    def __init__(self, error: str, detail: str, status: int = 400, cause: Unauthenticated | None = None) -> None:
        super().__init__(detail)
        self.error = error
        self.status = status
        self.cause = cause


@dataclass(frozen=True, slots=True)
class TokenOffice:
    """What the exchange works with."""

    keys: KeyRing
    tokens: Tokens
    door: Door
    rates: Rates = UNLIMITED


def router(office: TokenOffice) -> APIRouter:
    """The exchange. It stands in the OpenAPI document as the security scheme that it serves."""
    made = APIRouter(include_in_schema=False)

    @made.post(TOKEN_PATH)
    async def token(request: Request) -> Response:
        try:
            return _json(await _exchange(office, request))
        except _Refused as refused:
            request.scope[REFUSED] = refused.cause
            more = {"WWW-Authenticate": 'Basic realm="studbook"'} if refused.status == 401 else {}
            return _json({"error": refused.error, "error_description": str(refused)}, refused.status, more)
        except RateLimited as limited:
            told = {"error": "temporarily_unavailable", "error_description": limited.detail}
            more = {name.decode(): value.decode() for name, value in limited.headers}
            return _json(told, 429, {**more, "Retry-After": str(limited.seconds)})
        except Unavailable as away:
            told = {"error": "temporarily_unavailable", "error_description": away.detail}
            return _json(told, 503, {"Retry-After": "1"})

    return made


async def _exchange(office: TokenOffice, request: Request) -> dict[str, Any]:
    form = await _form(request)
    client, secret = _credentials(request, form)
    who = await _client(office, request, client, secret)
    match form.get("grant_type"):
        case None:
            raise _Refused("invalid_request", "grant_type is missing")
        case "client_credentials":
            pass
        case _:
            raise _Refused("unsupported_grant_type", f"grant_type must be {GRANT}")
    if not office.tokens.is_on:
        raise _Refused("unauthorized_client", "this service gives no tokens: STUDBOOK_TOKEN_KEY is not set")
    if who.signing_key is not None:
        raise _Refused("unauthorized_client", "a key that signs its requests gets no tokens, which would pass by that")
    roles = _roles(who, form.get("scope"))
    office.door.token_given(who, request.scope, request.scope.get(REQUEST_ID))
    return {
        "access_token": office.tokens.give(who.subject, who.key_id, roles),
        "token_type": "Bearer",
        "expires_in": TOKEN_SECONDS,
        "scope": " ".join(sorted(roles)),
    }


async def _form(request: Request) -> dict[str, str]:
    if request.scope["query_string"]:
        raise _Refused("invalid_request", "nothing of this goes into the URL, which others write down")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise _Refused("invalid_request", f"the body must be {FORM}")
    raw = await _body(request)
    if len(raw) > _FORM_BYTES_MAX:
        raise _Refused("invalid_request", f"the form may have {_FORM_BYTES_MAX} bytes")
    try:
        pairs = parse_qsl(raw.decode("ascii"), keep_blank_values=True, strict_parsing=True, max_num_fields=_FIELDS_MOST)
    except ValueError:
        raise _Refused("invalid_request", "the form cannot be read") from None
    form = {name: value for name, value in pairs if value}  # a parameter without a value counts as left out
    if len({name for name, _ in pairs}) != len(pairs):
        raise _Refused("invalid_request", "a parameter is given more than once")
    return form


async def _body(request: Request) -> bytes:
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.body()
    except TimeoutError:
        raise RequestTimeout(f"the body did not arrive within {BODY_SECONDS:g} seconds") from None
    except ClientDisconnect:
        raise _Refused("invalid_request", "the form did not arrive") from None


def _credentials(request: Request, form: dict[str, str]) -> tuple[str, str]:
    """The client's id and secret, from one place."""
    header = request.headers.get("authorization")
    given = form.keys() & {"client_id", "client_secret"}
    if header is None:
        if len(given) < 2:
            raise _denied("send client_id and client_secret, in the form or by HTTP Basic")
        return form["client_id"], form["client_secret"]
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        raise _denied("the scheme of Authorization must be Basic here")
    if "client_secret" in given:
        raise _Refused("invalid_request", "client_secret comes in the form or by HTTP Basic, not both")
    try:
        client, colon, secret = base64.b64decode(encoded.strip(), validate=True).decode("ascii").partition(":")
    except (ValueError, binascii.Error):
        colon = ""
    if not colon:
        raise _denied("the credentials in Authorization cannot be read")
    client, secret = unquote_plus(client), unquote_plus(secret)
    if form.get("client_id", client) != client:
        raise _Refused("invalid_request", "client_id differs between form and Authorization")
    return client, secret


async def _client(office: TokenOffice, request: Request, client: str, secret: str) -> Principal:
    """The key's principal; a token is no credential here. RateLimited as at every other door."""
    if is_token(secret):
        raise _denied("client_secret must be a key, not a token")
    header = b"Bearer " + secret.encode("latin-1", "replace")
    office.rates.refuse_guesses(request.scope, office.keys, header)
    try:
        found = await office.keys.principal(header)
    except Unauthenticated as cause:
        office.rates.refused(cause, request.scope)
        raise _Refused("invalid_client", cause.detail, 401, cause) from None
    office.rates.take(request.scope, found.key_id)
    if found.key_id != client:
        raise _denied("client_id is not the id of this key", found)
    return found


def _roles(who: Principal, scope: str | None) -> frozenset[str]:
    """All roles of the key, or those asked for."""
    asked = who.roles if scope is None else frozenset(scope.split())
    if not asked or not asked <= who.roles:
        raise _Refused("invalid_scope", f"scope may name roles of this key: {' '.join(sorted(who.roles))}")
    return asked


def _denied(detail: str, who: Principal | None = None) -> _Refused:
    cause = Unauthenticated(detail)
    if who is not None:
        cause.key_id, cause.operator, cause.subject = who.key_id, who.operator, who.subject
    return _Refused("invalid_client", detail, 401, cause)


def _json(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, {**_NO_STORE, **(headers or {})}, "application/json")
