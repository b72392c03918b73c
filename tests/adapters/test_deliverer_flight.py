"""Many operators share the deliverer: one whose endpoints are slow, or whose names nobody answers for, waits alone."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import pytest

from adapters.deliverer.flight import Flight, Names, NameUnknown


async def test_an_operator_that_fills_its_places_keeps_no_other_from_flying() -> None:
    flight, landed = Flight(most=5, of_one=3), asyncio.Event()
    under_way: list[str] = []

    async def call(operator: str) -> None:
        async with flight.place(operator):
            under_way.append(operator)
            await landed.wait()

    # given an operator with forty calls that nobody answers
    slow = [asyncio.create_task(call("slow")) for _ in range(40)]
    await asyncio.sleep(0)
    # when others come behind it
    others = [asyncio.create_task(call("quick")) for _ in range(2)]
    for _ in range(5):
        await asyncio.sleep(0)
    # then they fly at once, and the first has its three places
    assert sorted(under_way) == ["quick"] * 2 + ["slow"] * 3
    landed.set()
    await asyncio.gather(*slow, *others)
    assert len(under_way) == 42


async def test_names_that_nobody_answers_for_hold_up_their_own_operator_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        if host.startswith("black-hole"):
            answered.wait(150)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("8.8.8.8", port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    names = Names(of_one=3)
    waiting = [asyncio.create_task(names.addresses("slow", f"black-hole-{nth}.example", 443)) for nth in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(names.addresses("slow", "black-hole-4.example", 443), 0.05)
    assert [str(one) for one in await names.addresses("quick", "quick.example", 443)] == ["8.8.8.8"]
    # who gives up frees no place: the thread is still asking
    waiting[0].cancel()
    await asyncio.gather(waiting[0], return_exceptions=True)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(names.addresses("slow", "black-hole-4.example", 443), 0.05)
    later = [asyncio.create_task(names.addresses("slow", f"later-{nth}.example", 443)) for nth in range(9)]
    answered.set()
    assert len(await asyncio.gather(*waiting[1:], *later)) == 11
    assert len(await names.addresses("slow", "well-again.example", 443)) == 1


async def test_what_is_no_name_is_unknown() -> None:
    for host in ("nowhere.invalid", "a" * 300 + ".example", ".."):
        with pytest.raises(NameUnknown):
            await Names().addresses("lucky", host, 443)
