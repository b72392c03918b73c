"""How a client shows who it is: by its key, by tokens that it is given for the key, or by signing each request.

A token is fetched when one is needed, kept until shortly before its end, and fetched once more when it is not taken. A
signed request carries the three headers of Standard Webhooks; a clock that is wrong is put right by the service's.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Generator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import httpx2
from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook

from .refusals import Unauthenticated

EARLY_SECONDS: Final = 30.0
"""A token is replaced so long before its end."""

AGAIN_LATER: Final = frozenset({429, 500, 502, 503, 504})
_OWN_FORM: Final = re.compile(r"sb_([0-9a-f]{16})_[0-9a-f]{64}", re.ASCII)

Flow = Generator[httpx2.Request, httpx2.Response, None]


def door(
    url: str, key: str, *, signing_secret: str | None = None, tokens: bool = False, scope: Sequence[str] = ()
) -> httpx2.Auth:
    """What says who calls. ValueError for what does not go together: a key that signs gets no tokens."""
    if signing_secret is not None and tokens:
        raise ValueError("tokens: a key that signs its requests gets none")
    if scope and not tokens:
        raise ValueError("scope: it narrows tokens, so ask for tokens")
    if signing_secret is not None:
        return Signed(key, signing_secret)
    return ByToken(url, key, scope) if tokens else ByKey(key)


def key_id_of(key: str) -> str:
    """The id of a key, which is `client_id`: the part between the underscores."""
    if own := _OWN_FORM.fullmatch(key):
        return own[1]
    return sha256(key.encode()).hexdigest()[:16]


class ByKey(httpx2.Auth):
    """The key in every request."""

    def __init__(self, key: str) -> None:
        self._header = f"Bearer {key}"

    def sync_auth_flow(self, request: httpx2.Request) -> Flow:
        """One request."""
        request.headers["Authorization"] = self._header
        yield request


class Signed(httpx2.Auth):
    """The key in every request, and a signature over it. ValueError for what is no secret."""

    def __init__(self, key: str, secret: str) -> None:
        self._header = f"Bearer {key}"
        try:
            self._webhook = Webhook(secret)
        except (ValueError, EmptyWebhookSecretError):
            raise ValueError("signing_secret: whsec_..., as the key was told with it") from None
        self._off_seconds = 0.0

    def sync_auth_flow(self, request: httpx2.Request) -> Flow:
        """One request; once more where only our clock was wrong."""
        request.headers["Authorization"] = self._header
        body = request.read().decode()
        self._sign(request, body)
        answer = yield request
        if answer.status_code == 401 and (off := _off(answer)) is not None:
            self._off_seconds = off
            self._sign(request, body)
            yield request

    def _sign(self, request: httpx2.Request, body: str) -> None:
        target = request.url.raw_path.decode("ascii")
        said = f"{request.method} {target}\n{request.headers.get('Idempotency-Key', '')}"
        name = "req_" + sha256(said.encode()).hexdigest()
        at = datetime.fromtimestamp(int(time.time() + self._off_seconds), UTC)
        request.headers["webhook-id"] = name
        request.headers["webhook-timestamp"] = str(int(at.timestamp()))
        request.headers["webhook-signature"] = self._webhook.sign(name, at, body)


class ByToken(httpx2.Auth):
    """A token of ten minutes in every request (OAuth 2.0 client credentials); safe to use from several threads."""

    def __init__(self, url: str, key: str, scope: Sequence[str] = ()) -> None:
        self._url = url.rstrip("/") + "/oauth/token"
        named = {"scope": " ".join(scope)} if scope else {}
        self._form = {
            "grant_type": "client_credentials", "client_id": key_id_of(key), "client_secret": key, **named
        }  # fmt: skip
        self._lock = threading.Lock()
        self._token = ""
        self._until = 0.0

    def sync_auth_flow(self, request: httpx2.Request) -> Flow:
        """One request, behind that for a token where one is needed; once more where a token is not taken."""
        yield from self._with_token(request, not_this="")
        used = request.headers["Authorization"].removeprefix("Bearer ")
        answer = yield request
        if answer.status_code == 401:
            yield from self._with_token(request, not_this=used)
            yield request

    def _with_token(self, request: httpx2.Request, not_this: str) -> Flow:
        with self._lock:
            if self._token == not_this or time.monotonic() >= self._until:
                asked = time.monotonic()
                answer = yield httpx2.Request("POST", self._url, data=self._form)
                found = _token_of(answer)
                self._token = str(found["access_token"])
                self._until = asked + float(found["expires_in"]) - EARLY_SECONDS
            request.headers["Authorization"] = f"Bearer {self._token}"


def _token_of(answer: httpx2.Response) -> dict[str, Any]:
    """What was given; a fault that is tried again where the service cannot say now, else Unauthenticated."""
    answer.read()
    found = _object(answer)
    if answer.status_code == 200 and {"access_token", "expires_in"} <= found.keys():
        return found
    why = str(found.get("error_description", f"{answer.status_code} without a token"))
    if answer.status_code in AGAIN_LATER:
        raise httpx2.ReadError(f"no token is given now: {why}")
    problem = {"code": "UNAUTHENTICATED", "status": answer.status_code, "detail": f"no token: {why}"}
    raise Unauthenticated("POST /oauth/token", problem, None)


def _off(answer: httpx2.Response) -> float | None:
    """How many seconds the service's clock is ahead of ours, where it says that ours is wrong."""
    answer.read()
    found = _object(answer)
    if found.get("check") != "signature.timestamp":
        return None
    try:
        return datetime.fromisoformat(str(found["server_time"]).replace("Z", "+00:00")).timestamp() - time.time()
    except (KeyError, ValueError):
        return None


def _object(answer: httpx2.Response) -> dict[str, Any]:
    try:
        found = json.loads(answer.content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
