"""A stream's life without a server: pings, readers that read nothing, places, and a fault of ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest
from starlette.types import Message

from api import streams
from api.auth import ROLES, Principal
from api.errors import RateLimited, Unauthenticated
from api.streams import EventStream, Streams
from domain.errors import Unavailable

LUCKY = Principal("lucky", "ann", "k1", ROLES)


async def who(_: bytes | None) -> Principal:
    return LUCKY


async def frames(*texts: bytes, forever: bool = True) -> AsyncGenerator[bytes]:
    for one in texts:
        yield one
    while forever:
        await asyncio.sleep(60)


class Caller:
    """The other end: keeps what comes, and may stop reading after some of it."""

    def __init__(self, reads: int = 1_000) -> None:
        self.got: list[bytes] = []
        self.ended = False
        self.gone = asyncio.Event()
        self._reads = reads

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if len(self.got) >= self._reads:
            await asyncio.sleep(3600)
        if message["type"] == "http.response.body":
            self.got.append(message["body"])
            self.ended = not message["more_body"]


def served(made: Streams, caller: Caller, source: AsyncGenerator[bytes]) -> asyncio.Task[None]:
    stream = EventStream(source, made.take("streaming", "lucky"), b"")
    return asyncio.create_task(stream({"type": "http"}, caller.receive, caller.send))


async def test_a_quiet_stream_is_kept_open_by_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PING_SECONDS", 0.02)
    made, caller = Streams(who), Caller()
    task = served(made, caller, frames(b"data: 1\n\n"))
    while len(caller.got) < 4:
        await asyncio.sleep(0.01)
    assert caller.got[:3] == [b"data: 1\n\n", b": ping\n\n", b": ping\n\n"]
    caller.gone.set()
    await task
    assert not caller.ended  # nobody is there to hear an end


async def test_who_reads_nothing_is_dropped_and_leaves_the_place(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(streams, "SEND_SECONDS", 0.05)
    made, caller = Streams(who, operator_most=1), Caller(reads=1)
    task = served(made, caller, frames(b"1", b"2", b"3"))
    with pytest.raises(RateLimited):
        made.take("streaming", "lucky")
    await asyncio.wait_for(task, 30)
    assert (caller.got, caller.ended) == ([b"1"], False)
    assert "a stream of lucky is dropped" in caplog.text
    made.take("streaming", "lucky").leave()


async def test_a_process_has_so_many_places_for_all_operators() -> None:
    made = Streams(who, process_most=2)
    places = [made.take("waiting", name) for name in ("lucky", "royal")]
    with pytest.raises(Unavailable):
        made.take("waiting", "third")
    places[0].leave()
    made.take("waiting", "third").leave()


async def test_at_the_end_of_the_service_a_stream_is_ended_well() -> None:
    made, caller = Streams(who), Caller()
    task = served(made, caller, frames(b"1"))
    while not caller.got:
        await asyncio.sleep(0.01)
    made.stop()
    await asyncio.wait_for(task, 30)
    assert (caller.got, caller.ended) == ([b"1", b""], True)


async def test_a_key_that_opens_nothing_any_more_ends_the_stream_and_a_database_that_is_away_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streams, "CHECK_SECONDS", 0.02)
    answers = iter([LUCKY, Unavailable("away"), LUCKY])

    async def looked_up(_: bytes | None) -> Principal:
        found = next(answers, Unauthenticated("revoked"))
        if isinstance(found, Principal):
            return found
        raise found

    caller = Caller()
    await asyncio.wait_for(served(Streams(looked_up), caller, frames(b"1")), 30)
    assert caller.ended
    assert list(answers) == []


async def test_a_fault_of_ours_is_not_kept_quiet() -> None:
    async def broken() -> AsyncGenerator[bytes]:
        yield b"1"
        raise RuntimeError("a bug")

    made, caller = Streams(who, operator_most=1), Caller()
    with pytest.raises(RuntimeError, match="a bug"):
        await served(made, caller, broken())
    made.take("streaming", "lucky").leave()
