"""The bar of a long command's progress."""

from __future__ import annotations

import threading
from io import StringIO

import pytest

from api.commands.progress import bar


class Terminal(StringIO):
    """Somebody looks at it."""

    def isatty(self) -> bool:
        return True


def test_the_bar_has_no_thread_before_it_is_told_anything_so_that_work_can_be_forked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stderr", shown := Terminal())
    before = set(threading.enumerate())
    with bar() as tell:
        assert set(threading.enumerate()) == before
        tell("events", 1, 2)
        assert len(set(threading.enumerate()) - before) == 1
    assert "events" in shown.getvalue()
