"""Reading a stream of server-sent events as a client does, one frame after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

SECONDS = 100.0
ACCEPT = {"Accept": "text/event-stream"}


@dataclass(frozen=True, slots=True)
class Frame:
    """What stood between two blank lines; `data` is JSON, None where there was none."""

    id: str | None
    data: Any
    retry: int | None
    comment: str | None


@dataclass(slots=True)
class Heard:
    """An open stream."""

    answer: httpx2.Response
    lines: Iterator[str]

    def frame(self) -> Frame:
        """The next frame; StopIteration when the stream has ended."""
        fields: dict[str, str] = {}
        while line := next(self.lines):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        data, retry = fields.get("data"), fields.get("retry")
        return Frame(
            fields.get("id"), None if data is None else json.loads(data), (retry and int(retry)) or None, fields.get("")
        )

    def event(self) -> Frame:
        """The next frame that has data."""
        while (found := self.frame()).data is None:
            pass
        return found

    def rest(self) -> list[Frame]:
        """All until the stream ends."""
        found: list[Frame] = []
        try:
            while True:
                found.append(self.frame())
        except StopIteration:
            return found


@contextmanager
def heard(url: str, path: str, key: str, after: str | None = None, **params: str) -> Iterator[Heard]:
    """An open stream; `after` is what was read last."""
    headers = {"Authorization": f"Bearer {key}", **ACCEPT, **({} if after is None else {"Last-Event-ID": after})}
    with (
        httpx2.Client(base_url=url, headers=headers, timeout=SECONDS) as client,
        client.stream("GET", path, params=params) as answer,
    ):
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Heard(answer, answer.iter_lines())
