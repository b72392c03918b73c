"""What others wrote cannot pass for what we say: no control of a terminal, no line of its own, no markup (F21)."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from api.cli import main
from api.commands import console, replay_shown
from api.commands.plain import SHOWN_MOST, plain
from domain.rounds.events import RoundVoided
from services.evidence.checking import CHECKS
from services.replay.replay import replay
from tests.support.evening import evening
from tests.support.packs import pack, signed_again
from tests.support.replayed import stories_of

EVIL = "\x1b[2J\r\n     ok  signature: fine \u202e [/b] :smile:"


def test_a_text_is_one_line_of_letters_whatever_stands_in_it() -> None:
    assert plain(EVIL).isprintable()
    assert plain("bänk ★ 日本") == "bänk ★ 日本"
    assert len(plain("x" * 100_000)) == SHOWN_MOST + 3


def test_a_forged_pack_cannot_say_of_itself_that_it_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = {**pack("side"), "operator": EVIL, "round": EVIL}
    path = tmp_path / "pack.json"
    path.write_text(json.dumps(signed_again(made)))
    with pytest.raises(SystemExit) as left:
        main(["verify", str(path)])
    shown = capsys.readouterr().out
    assert left.value.code == 1
    assert all(line.isprintable() for line in shown.splitlines())
    assert len(shown.splitlines()) == len(CHECKS) + 2, "a round, its checks, a key"


def test_a_reason_is_shown_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    event: Any = None
    made = []
    for one in evening().events:
        event = replace(one.event, reason=EVIL) if isinstance(one.event, RoundVoided) else one.event
        made.append(replace(one, event=event, meta=replace(one.meta, actor="[/i]")))
    story = next(story for story in stories_of(made) if story.round == evening().rounds["voided"])
    out: Console = console.console()
    out.file = io.StringIO()
    replay_shown.show(replay(story, 2, 400), out)
    shown = out.file.getvalue()
    assert "[/i]" in shown
    assert "[/b] :smile:" in shown
    assert "\x1b[2J" not in shown
