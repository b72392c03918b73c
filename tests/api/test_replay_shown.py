"""What people see of a replay: the timeline, the cards, both settlements, and what differs."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from rich.console import Console

from api.commands import replay_range_shown, replay_shown
from domain.seats.events import SeatSettled, WagerKind
from services.replay.checking import check
from services.replay.counterfactual import Otherwise
from services.replay.range_answer import answer_of
from services.replay.ranging import Tally, line_of
from services.replay.replay import Replay, replay
from tests.services.replay.test_forged import changed, paid, story
from tests.support.evening import evening
from tests.support.replayed import stories_of


def text_of(found: Replay) -> str:
    console = Console(width=120, force_terminal=False)
    with console.capture() as captured:
        replay_shown.show(found, console)
    return captured.get()


@pytest.mark.parametrize("name", evening().rounds)
def test_every_kind_of_round_is_shown_marked_as_a_replay_and_no_line_is_cut(name: str) -> None:
    shown = text_of(replay(story(name), 2, 0))
    assert "REPLAY" in shown
    assert "no money moves" in shown
    assert "✓" in shown
    assert "…" not in shown


def test_cards_are_shown_to_whom_they_were_and_face_down_to_others() -> None:
    shown = text_of(replay(story("awards"), 2, 0))
    assert "▒▒ ▒▒ ▒▒ ▒▒ 2♥  dealer" in shown
    assert "A♦ Q♦ 9♦ 7♦ 5♦  seat 2 (bob alone sees it)" in shown
    assert "A♣ K♣ Q♣ J♣ 10♣  seat 1 " in shown


def test_a_difference_is_shown_in_its_cell_and_below() -> None:
    of_round = story("awards")
    at, event = next(
        (one.position, one.event)
        for one in of_round.recorded
        if isinstance(one.event, SeatSettled) and one.event.player == "bob"
    )
    shown = text_of(replay(changed(of_round, at, paid(WagerKind.ANTE, 9_000)(event)), 2, 0))
    assert "10.00 → 90.00 ✗ 20.00" in shown
    assert f"position {at} bob (seat 2) ANTE, payout: expected 2000, recorded 9000" in shown


def test_a_range_is_shown_with_its_list_and_what_another_rule_set_would_have_paid() -> None:
    tally, otherwise = Tally(), Otherwise()
    for one in stories_of(evening().events):
        verdict = check(one)
        tally.add(one, verdict)
        tally.listed.append(line_of(one, verdict))
        otherwise.add(one, verdict, "dollar-jackpot-v1", ZoneInfo("UTC"))
    console = Console(width=160, force_terminal=False)
    with console.capture() as captured:
        found = answer_of(tally, otherwise, "dollar-jackpot-v1", is_listed=True)
        replay_range_shown.show(found, len(evening().events), 2.0, console)
    shown = captured.get()
    assert f"{len(evening().rounds)} rounds replayed" in shown
    for text in ("assumed: ", "would have won", "would hold more", "royal flush", "equal to the cent"):
        assert text in shown
