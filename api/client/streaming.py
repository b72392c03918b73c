"""Server-sent events: a stream is opened, read, and opened again where it stopped when it was cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx2

RETRY_SECONDS: Final = 3.0
"""Before a stream is opened again, until the service says otherwise."""

READ_SECONDS: Final = 45.0
"""Without even a comment of the service the connection is dead; it sends one every 15 s."""


@dataclass(slots=True)
class Frames:
    """Frames out of lines; `last_id` and `retry_seconds` are what the stream said last."""

    last_id: str | None = None
    retry_seconds: float = RETRY_SECONDS
    _data: list[str] = field(default_factory=list)

    def fed(self, line: str) -> str | None:
        """The data of a frame that this line ends, else None."""
        if not line:
            data, self._data = self._data, []
            return "\n".join(data) if data else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "data":
                self._data.append(value)
            case "id" if "\0" not in value:
                self.last_id = value
            case "retry" if value.isascii() and value.isdigit():
                self.retry_seconds = int(value) / 1000
            case _:
                pass  # a comment, or a field that we do not know
        return None

    def cut(self) -> None:
        """What came of a frame that never ended is forgotten."""
        self._data = []


Refuse = Callable[[httpx2.Response], Exception | None]
"""What an answer that is no stream is: a fault to raise, or None to try again."""


def streamed(
    http: httpx2.Client, path: str, query: Mapping[str, str], refuse: Refuse, pause: Callable[[float], None]
) -> Iterator[Any]:
    """The parsed data of every frame, for ever. Raises what `refuse` makes of an answer that is no stream."""
    frames = Frames()
    timeout = httpx2.Timeout(READ_SECONDS)
    while True:
        headers = {"Accept": "text/event-stream"}
        if frames.last_id is not None:
            headers["Last-Event-ID"] = frames.last_id
        try:
            with http.stream("GET", path, params=dict(query) or None, headers=headers, timeout=timeout) as got:
                if got.status_code != 200:
                    got.read()
                    fault = refuse(got)
                    if fault is not None:
                        raise fault
                else:
                    yield from (json.loads(data) for line in got.iter_lines() if (data := frames.fed(line)) is not None)
        except httpx2.TransportError:
            pass  # cut: what was read is read, and the next stream goes on behind it
        frames.cut()
        pause(frames.retry_seconds)
