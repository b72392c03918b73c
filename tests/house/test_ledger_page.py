"""docs/ledger.md names every event that moves money, and every account that it moves."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from adapters.codec import CODEC
from domain.flows import postings
from domain.seats.events import SeatSettled
from domain.streams import Event
from tests.golden.events.generate import golden_lines
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "ledger.md").read_text("utf-8")
OF_POOL = {"m", "res", "ovf"}
"""A pool's event names what all three accounts of the pool move by; the samples have all three."""


def section(heading: str) -> str:
    return PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(heading: str) -> list[list[str]]:
    """Cells of a section's table, head and rule left out."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def accounts(text: str) -> set[str]:
    """The accounts named in backticks, without what follows the first slash."""
    return {name.partition("/")[0] for name in re.findall(r"`([A-Za-z/{}]+)`", text)}


CHART = {name for row in rows("Accounts") for name in accounts(row[0])}
LINES = {row[0].strip("`"): accounts(row[2]) & CHART for row in rows("Postings")}


def with_winners(event: Event) -> Event:
    """The samples' wagers are pushes, which move no revenue: let them win."""
    if not isinstance(event, SeatSettled):
        return event
    return replace(event, results=tuple(replace(one, payout_minor=one.stake_minor + 1) for one in event.results))


def moved() -> dict[str, set[str]]:
    """Accounts that the golden events of each name move."""
    found: dict[str, set[str]] = {}
    for name, state in golden_lines():
        lines = postings(with_winners(CODEC.decode(name, state).event))
        found.setdefault(name, set()).update(line.account.partition("/")[0] for line in lines)
    return found


MOVED = moved()


def test_every_event_that_moves_money_is_a_row_of_the_page_and_no_other_is() -> None:
    assert set(LINES) == {name for name, lines in MOVED.items() if lines}


@pytest.mark.parametrize("name", sorted(LINES))
def test_an_event_moves_only_the_accounts_that_its_row_names(name: str) -> None:
    assert MOVED[name] - (OF_POOL if name.startswith("jackpot.") else set()) <= LINES[name]


def test_the_chart_names_every_account_that_an_event_moves() -> None:
    assert set().union(*MOVED.values()) <= CHART
