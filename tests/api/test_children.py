"""A child that ends is started again: at once as a rule, with growing pauses when it ends again and again."""

from __future__ import annotations

import os
import sys
from itertools import accumulate, repeat
from pathlib import Path

from api.main.children import PAUSE_FIRST_SECONDS, PAUSE_MOST_SECONDS, STEADY_SECONDS, Child, pause_after
from tests.adapters.projecting import until


def test_F12_pauses_grow_to_a_bound_while_it_ends_at_once() -> None:
    pauses = list(accumulate(repeat(0.0, 12), pause_after))[1:]
    assert pauses[0] == PAUSE_FIRST_SECONDS
    assert pauses == sorted(pauses)
    assert pauses[-1] == PAUSE_MOST_SECONDS


def test_F12_a_child_that_was_steady_is_started_again_at_once_however_often_others_ended_before() -> None:
    assert pause_after(PAUSE_MOST_SECONDS, STEADY_SECONDS) == PAUSE_FIRST_SECONDS


def test_a_child_that_ends_is_started_again_until_it_is_stopped(tmp_path: Path) -> None:
    told = tmp_path / "told"
    child = Child([sys.executable, "-c", f"open({str(told)!r}, 'a').write('x')"], os.environ)
    child.start()
    try:
        until(lambda: told.exists() and len(told.read_text("utf-8")) >= 3)
    finally:
        child.stop()
