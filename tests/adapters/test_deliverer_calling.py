"""Calls of endpoints: signed in any zone alike, only where they may go, and with little patience."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from standardwebhooks import Webhook

from adapters.deliverer import Names, calling, new_secret, signed
from adapters.deliverer.calling import Caller
from tests.support.receiver import receiving

LOCAL = (ip_network("127.0.0.0/8"),)
TLS = ssl.create_default_context()


class Told(Names):
    """Names that lead where a test says, at each look-up to the next."""

    def __init__(self, *answers: Sequence[str]) -> None:
        super().__init__()
        self.answers = [[ip_address(one) for one in answer] for answer in answers]

    async def addresses(self, operator: str, host: str, port: int) -> list[Any]:
        return self.answers.pop(0)


async def posted(url: str, allowed: Any = LOCAL, names: Names | None = None) -> calling.Reply:
    caller = Caller(url, allowed, TLS, names=names or Names(), operator="lucky")
    try:
        return await caller.post({"content-type": "text/plain"}, b"{}")
    finally:
        await caller.aclose()


def test_the_same_moment_signs_the_same_in_every_zone() -> None:
    """The library takes the digits of a time for UTC, whatever zone they are of."""
    secret, at = new_secret(), datetime(2026, 11, 30, 12, 0, 5, tzinfo=UTC)
    there = at.astimezone(timezone(timedelta(hours=2)))
    assert signed("msg_1", at, b"{}", [secret]) == signed("msg_1", there, b"{}", [secret])
    assert Webhook(secret).sign("msg_1", there, "{}") != Webhook(secret).sign("msg_1", at, "{}")  # why it is converted


def test_what_is_signed_verifies_with_each_secret_in_force() -> None:
    first, second = new_secret(), new_secret()
    headers = signed("msg_1", datetime.now(UTC), b'{"a":1}', [first, second])
    for secret in (first, second):
        assert Webhook(secret).verify(b'{"a":1}', headers) == {"a": 1}


async def test_a_name_that_leads_to_a_private_address_beside_a_public_one_is_not_called() -> None:
    with receiving() as receiver:
        names = Told(["8.8.8.8", "127.0.0.1"])
        reply = await posted(f"https://two-faced.example:{receiver.port}/", (), names)
        assert (reply.status, receiver.got, names.answers) == (None, [], [])
        assert "not public; whoever runs the service can list its network in STUDBOOK_WEBHOOK_PRIVATE" in reply.detail


async def test_the_connection_goes_to_the_address_that_was_checked_whatever_the_name_says_later() -> None:
    with receiving() as receiver:
        names = Told(["127.0.0.1"], ["10.0.0.1"])
        reply = await posted(f"http://moving.example:{receiver.port}/hook", LOCAL, names)
        assert reply.status == 204
        assert receiver.got[0].headers["host"] == f"moving.example:{receiver.port}"
        assert len(names.answers) == 1  # it was asked once


async def test_without_tls_only_allowed_networks_are_called() -> None:
    reply = await posted("http://plain.example/", LOCAL, Told(["8.8.8.8"]))
    assert "without TLS" in reply.detail


@pytest.mark.parametrize(
    "host",
    ["127.1", "0x7f.1", "2130706433", "0177.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
     "[64:ff9b::7f00:1]", "0", "0.0.0.0", "[::]"],
)  # fmt: skip
async def test_no_other_way_of_writing_our_own_machine_leads_there(host: str) -> None:
    with receiving() as receiver:
        reply = await posted(f"https://{host}:{receiver.port}/", ())
        assert (reply.status, receiver.got) == (None, [])
        assert "not public" in reply.detail


async def test_redirects_are_not_followed_and_of_an_answer_little_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with receiving() as receiver:
        receiver.answers = lambda _: 307
        receiver.more = {"location": receiver.url}
        assert (await posted(receiver.url)).status == 307
        assert len(receiver.got) == 1

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"{}")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 1000)
                await writer.drain()
                sent.append(1000)
        except OSError:
            writer.close()

    sent: list[int] = []
    server = await asyncio.start_server(endless, "127.0.0.1", 0)
    async with server:
        reply = await posted(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        assert reply.is_done
    assert sum(sent) < 100_000_000


async def test_who_does_not_answer_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "ANSWER_SECONDS", 0.5)
    with receiving() as receiver:
        receiver.answers = lambda _: time.sleep(2) or 200  # type: ignore[func-returns-value]  # sleeps first
        began = time.monotonic()
        reply = await posted(receiver.url)
        assert (reply.status, reply.is_done) == (None, False)
        assert "no answer" in reply.detail
        assert time.monotonic() - began < 10


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://nowhere.invalid/"])
async def test_whoever_is_not_there_is_a_failure_in_words(url: str) -> None:
    reply = await posted(url)
    assert reply.status is None
    assert reply.detail
