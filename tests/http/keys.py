"""Keys of their own for tests over HTTP, and requests that are signed as docs/keys.md shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
from standardwebhooks import Webhook

from adapters.database.connections import connect
from adapters.database.settings import Role
from adapters.embedded import Cluster
from adapters.keys import KeyRow, add_key, ensure_operator
from api.auth import ROLES, NewKey, make_key
from api.signing import request_id
from tests.house.tree import ROOT
from tests.http.floor import done
from tests.service import Service


def new_key(service: Service, *roles: str, subject: str = "", **more: Any) -> dict[str, Any]:
    """A key made by the service's own, with its text."""
    body = {"subject": subject or service.name("subject"), "roles": list(roles), **more}
    return done(service.post("/v1/keys", body), 201)


def key_of(service: Service, operator: str, four_eyes: str = "named", subject: str = "follower") -> NewKey:
    """A key with every role of another operator, made beside the service where there is none yet."""
    key = make_key()
    with Cluster.start(service.data_dir) as cluster, connect(cluster.settings().conninfo(Role.WRITER)) as conn:
        ensure_operator(conn, operator, four_eyes)
        assert add_key(conn, KeyRow(key.key_id, operator, subject, ROLES, key.hash))
    return key


@contextmanager
def calling_with(service: Service, key: str) -> Iterator[Service]:
    """The service as the holder of another key or token calls it."""
    with httpx2.Client(base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=120) as client:
        yield replace(service, key=key, client=client)


def documented_signer() -> Any:
    """The function that docs/keys.md gives to engineers."""
    page = (ROOT / "docs" / "keys.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    found: dict[str, Any] = {}
    exec(code, found)
    return found["signed"]


@dataclass(frozen=True, slots=True)
class Captured:
    """A request with everything that was sent."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    def send(self, service: Service, **headers: str | None) -> httpx2.Response:
        """Send it as it is, or with some headers replaced or, with None, left out."""
        named = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        kept = {name: value for name, value in named.items() if value is not None}
        return httpx2.request(
            self.method, service.url + self.target, content=self.body, headers=kept, timeout=120
        )  # fmt: skip


def captured(
    made: dict[str, Any], target: str, body: Any, key: str, *, ago: float = 0.0, method: str = "POST"
) -> Captured:
    """A signed request of a key, signed some seconds ago."""
    raw = b"" if body is None else json.dumps(body).encode()
    at = datetime.now(UTC) - timedelta(seconds=ago)
    said = request_id(method, target, key)
    headers = {
        "authorization": f"Bearer {made['key']}",
        "webhook-id": said,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(made["signing_secret"]).sign(said, at, raw.decode()),
    }
    return Captured(method, target, headers | ({"idempotency-key": key} if key else {}), raw)
