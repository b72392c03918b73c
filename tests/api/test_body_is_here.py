"""A body that is there already is read without a clock; one that is still to come never is."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send
from uvicorn.server import ServerState

from api.errors import RequestTimeout, TooLarge
from api.intake import BODY_IS_HERE, read_body, whole_body
from api.main.protocol import Protocol
from api.main.serving import server_config

HEAD = b"POST /v1/players HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\n"


class Socket(asyncio.Transport):
    """What a protocol asks of its transport while nothing is answered."""

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        """Nothing reads here."""

    def resume_reading(self) -> None:
        """Nothing reads here."""


async def silent(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that never answers."""
    await asyncio.Event().wait()


@pytest.fixture
async def protocol() -> Protocol:
    made = Protocol(server_config(silent, workers=1), ServerState(), {})
    made.connection_made(Socket())
    return made


async def test_the_scope_says_so_once_the_last_byte_has_come(protocol: Protocol) -> None:
    protocol.data_received(HEAD)
    protocol.data_received(b"{} ")
    before = BODY_IS_HERE in protocol.scope
    protocol.data_received(b" ")
    assert (before, BODY_IS_HERE in protocol.scope) == (False, True)


async def test_the_next_request_on_the_connection_is_not_taken_for_the_one_before(protocol: Protocol) -> None:
    protocol.data_received(HEAD + b"{}  " + HEAD)
    assert BODY_IS_HERE not in protocol.scope


async def test_only_a_body_that_is_still_to_come_runs_out_of_time(protocol: Protocol) -> None:
    async def receive() -> Message:
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b"{}", "more_body": False}

    protocol.data_received(HEAD + b"{}  ")
    assert whole_body(protocol.scope[BODY_IS_HERE], 4, 10) == b"{}  "  # type: ignore[typeddict-item]  # a key of ours
    with pytest.raises(RequestTimeout):
        await read_body(receive, 2, 10, 0.001)


@pytest.mark.parametrize("announced", [4, None])
async def test_a_body_that_is_here_may_not_be_larger_than_any_other(protocol: Protocol, announced: int | None) -> None:
    protocol.data_received(HEAD + b"{}  ")
    with pytest.raises(TooLarge):
        whole_body(protocol.scope[BODY_IS_HERE], announced, 3)  # type: ignore[typeddict-item]  # a key of ours


async def test_who_has_gone_before_the_body_was_read_is_not_served(protocol: Protocol) -> None:
    protocol.data_received(HEAD + b"{}  ")
    protocol.connection_lost(ConnectionResetError())
    assert whole_body(protocol.scope[BODY_IS_HERE], 4, 10) is None  # type: ignore[typeddict-item]  # a key of ours
