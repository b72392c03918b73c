"""A stream is read frame by frame, and goes on where it stopped when it was cut."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import httpx2
import pytest

from api.client import NotFound
from api.client.models import Balance
from api.client.streaming import Frames
from tests.client.answers import Script, problem

EMPTY = '{"available": 0, "held": 0, "currency": "EUR", "exponent": 2}'
FULL = EMPTY.replace('"available": 0', '"available": 5')


class Cut(httpx2.SyncByteStream):
    """Bytes, and then the connection breaks."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __iter__(self) -> Iterator[bytes]:
        yield self._text.encode()
        raise httpx2.ReadError("cut")


def stream(text: str, *, cut: bool = False) -> httpx2.Response:
    headers = {"Content-Type": "text/event-stream"}
    return (
        httpx2.Response(200, stream=Cut(text), headers=headers)
        if cut
        else httpx2.Response(200, text=text, headers=headers)
    )


def test_a_stream_that_is_cut_goes_on_behind_the_last_frame_that_was_whole() -> None:
    script = Script([
        stream(f": hello\nretry: 250\n\nid: 7\ndata: {EMPTY}\n\nid: 8\ndata: {{", cut=True),
        problem(503, "UNAVAILABLE", retryable=True),
        stream(f"data: {FULL}\nid: 9\n\n"),
    ])  # fmt: skip
    with script.client() as casino:
        found = list(islice(casino._stream(Balance, "/v1/x/stream", {"after": 3}), 2))
    assert [one.available for one in found] == [0, 5]
    assert [one.headers.get("last-event-id") for one in script.asked] == [None, "8", "8"]
    assert {one.headers["accept"] for one in script.asked} == {"text/event-stream"}
    assert {one.url.query for one in script.asked} == {b"after=3"}
    assert script.waited == [0.25, 0.25]


def test_a_stream_that_is_refused_raises_the_refusal() -> None:
    script = Script([problem(404, "NOT_FOUND", retryable=False)])
    with script.client() as casino, pytest.raises(NotFound):
        next(casino._stream(Balance, "/v1/x/stream", {}))


@pytest.mark.parametrize(
    ("lines", "data", "last_id"),
    [
        (["data: a", ""], ["a"], None),
        (["data:a", "data: b", "id: 3", ""], ["a\nb"], "3"),
        (["id: 4", ""], [], "4"),
        ([": ping", "event: x", "unknown", ""], [], None),
        (["id: a\0b", "retry: soon", "data: c", "", ""], ["c"], None),
    ],
)
def test_lines_become_frames(lines: list[str], data: list[str], last_id: str | None) -> None:
    frames = Frames()
    assert [found for line in lines if (found := frames.fed(line)) is not None] == data
    assert (frames.last_id, frames.retry_seconds) == (last_id, 3.0)
