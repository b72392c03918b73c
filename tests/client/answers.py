"""A service that answers what the test says, for the rules of the client alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2

from api.client import Client

Said = httpx2.Response | Exception


@dataclass
class Script:
    """Answers in order, the last one for ever; what was asked and how long the client waited between."""

    answers: list[Said]
    asked: list[httpx2.Request] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        said = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    def client(self, **options: Any) -> Client:
        """A client that asks it."""
        pause: Callable[[float], None] = self.waited.append
        return Client("http://casino", "sb_key", transport=httpx2.MockTransport(self), pause=pause, **options)


def done(body: Any, status: int = 200) -> httpx2.Response:
    """A success."""
    return httpx2.Response(status, content=json.dumps(body).encode(), headers={"Content-Type": "application/json"})


def problem(status: int, code: str, *, retryable: bool, **headers: str) -> httpx2.Response:
    """A problem document."""
    body = {"type": f"/docs/problems#{code}", "title": "t", "status": status, "code": code, "detail": "because",
            "retryable": retryable, "request_id": "r1", "field": "ante"}  # fmt: skip
    return httpx2.Response(
        status, content=json.dumps(body).encode(), headers={"Content-Type": "application/problem+json", **headers}
    )
