"""The service as the demo calls it: JSON over HTTP, a key for every POST, retries of what may be retried."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final

import httpx2

from api.demo.faults import DemoFailed

ATTEMPTS: Final = 4
PAUSE_SECONDS: Final = 0.25
TIMEOUT_SECONDS: Final = 60.0
LANES: Final = 12
"""Connections, each with a client of its own: a pool looks through all of its connections for each request."""


class Answer(dict[str, Any]):
    """A JSON object of an answer; a field that is missing ends the demo with the name of the call."""

    def __init__(self, call: str, pairs: Iterable[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self._call = call

    def __missing__(self, key: str) -> Any:
        raise DemoFailed(f"{self._call}: the answer lacks {key}")


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, byte for byte too."""

    call: str
    status: int
    content: bytes
    replayed: bool

    @property
    def body(self) -> Answer:
        """The JSON object. DemoFailed where there is none."""
        return parsed(self.call, self.content)

    @property
    def retryable(self) -> bool:
        """Whether the service says that the same request may be sent again."""
        return self.status == 503 and bool(self.body.get("retryable"))


class Service:
    """One studbook service. Ids are made unique per run by `run`, so that a demo can be played twice on one service.

    `position` is the last one that a command of ours has reached: reads at the end ask for it.
    """

    def __init__(self, url: str, key: str, run: str, *, through_proxies: bool = False) -> None:
        self.url = url.rstrip("/")
        self.run = run
        self.calls = 0
        self.retries = 0
        self.position = 0
        self._keys = 0
        self._free: asyncio.LifoQueue[httpx2.AsyncClient] = asyncio.LifoQueue()
        certificates = httpx2.create_ssl_context()
        self._lanes = [
            httpx2.AsyncClient(
                base_url=self.url,
                headers={"Authorization": f"Bearer {key}"},
                timeout=TIMEOUT_SECONDS,
                verify=certificates,
                trust_env=through_proxies,
            )
            for _ in range(LANES)
        ]
        for lane in self._lanes:
            self._free.put_nowait(lane)

    async def __aenter__(self) -> Service:
        """Open the connections when they are needed."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close them."""
        for lane in self._lanes:
            await lane.aclose()

    def new_key(self) -> str:
        """An Idempotency-Key that was never used."""
        self._keys += 1
        return f"demo-{self.run}-{self._keys}"

    async def get(self, path: str, **query: str | int) -> Answer:
        """What can be read at `path`. DemoFailed for anything but 200."""
        return expect(await self._send("GET", path, None, None, query), 200)

    async def post(self, path: str, body: Mapping[str, object], *, status: int = 200) -> Answer:
        """Carry out a command under a key of its own. DemoFailed for any other status."""
        answer = expect(await self.try_post(path, body, self.new_key()), status)
        self.position = max(self.position, answer["position"])
        return answer

    async def try_post(self, path: str, body: Mapping[str, object], key: str) -> Reply:
        """Send a command under `key` and return whatever comes back."""
        return await self._send("POST", path, json.dumps(body).encode(), key, {})

    async def _send(
        self, method: str, path: str, content: bytes | None, key: str | None, query: Mapping[str, str | int]
    ) -> Reply:
        """Send until there is an answer that no retry would change; the key makes a second sending harmless."""
        call, attempt = f"{method} {path}", 0
        while True:
            attempt += 1
            self.calls += 1
            try:
                got = await self._once(method, path, content, key, query)
            except httpx2.TransportError as fault:
                if attempt == ATTEMPTS:
                    raise DemoFailed(f"{call}: no answer from {self.url}: {text_of(fault)}") from None
            else:
                reply = Reply(call, got.status_code, got.content, got.headers.get("idempotency-replayed") == "true")
                if attempt == ATTEMPTS or not reply.retryable:
                    return reply
            self.retries += 1
            await asyncio.sleep(PAUSE_SECONDS * attempt)

    async def _once(
        self, method: str, path: str, content: bytes | None, key: str | None, query: Mapping[str, str | int]
    ) -> httpx2.Response:
        headers = {} if key is None else {"Idempotency-Key": key, "Content-Type": "application/json"}
        lane = await self._free.get()
        try:
            return await lane.request(method, path, content=content, headers=headers, params=dict(query) or None)
        finally:
            self._free.put_nowait(lane)


def expect(reply: Reply, status: int) -> Answer:
    """The answer's body when its status is the expected one, else DemoFailed with call and problem document."""
    if reply.status != status:
        raise DemoFailed(f"{reply.call}: {reply.status} where {status} was expected: {problem_of(reply)}")
    return reply.body


def problem_of(reply: Reply) -> str:
    """The problem document on one line, or the beginning of what came in its place."""
    text = " ".join(reply.content.decode("utf-8", "replace").split())
    return text if len(text) <= 600 else f"{text[:600]}..."


def parsed(call: str, content: bytes) -> Answer:
    """The JSON object of an answer. DemoFailed where it is none."""
    try:
        found = json.loads(content, object_pairs_hook=lambda pairs: Answer(call, pairs))
    except ValueError:
        found = None
    if not isinstance(found, Answer):
        raise DemoFailed(f"{call}: the answer is no JSON object: {content[:80]!r}")
    return found


def text_of(fault: Exception) -> str:
    """What is wrong, for people; some faults of the network have no text of their own."""
    return str(fault) or type(fault).__name__
