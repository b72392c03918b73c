"""Readers that followers share: begun with the first, ended with the last, and begun again when one fails."""

from __future__ import annotations

import asyncio

import pytest

from services import following
from services.following import Changing, Shared


class Reader:
    """Fails at its first look."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.looks = 0
        self.changed = Changing()

    async def run(self) -> None:
        self.looks += 1
        if self.looks == 1:
            raise ValueError("a row that nobody can read")
        self.changed.tell()
        await asyncio.sleep(60)


async def test_a_reader_that_fails_begins_again_for_those_who_follow(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(following, "AGAIN_SECONDS", 0.01)
    shared: Shared[str, Reader] = Shared(Reader)
    async with asyncio.timeout(30), shared.of("lucky") as mine, shared.of("lucky") as theirs:
        assert mine is theirs
        await mine.changed.wait()
        assert mine.looks == 2
    assert "ValueError" in caplog.text
    async with shared.of("lucky") as later:
        assert later is not mine
