"""Reports read every log of the past, and every kind of event that there ever was (F15)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from domain import approvals
from domain.jackpots.upkeep import TermsChanged
from domain.money import MICRO
from domain.seats.events import WagersRejected
from domain.streams import EVENT_TYPES
from domain.wallets.events import FundsHeld, FundsReleased
from services.laws import Laws
from services.reports.catalogue import REPORTS
from services.reports.game_performance import GAME_PERFORMANCE
from services.reports.notes import SAYS
from services.reports.player_liability import PLAYER_LIABILITY
from services.reports.significant_events import SIGNIFICANT_EVENTS
from services.reports.trial_balance import TRIAL_BALANCE
from tests.golden.events.history import logs, read
from tests.support.reported import cells_of, printed_of, summed


@pytest.mark.parametrize("path", logs(), ids=[path.stem for path in logs()])
def test_F15_reports_of_a_log_of_the_past_agree_with_its_ledger(path: Path) -> None:
    events, laws = read(path), Laws()
    for one in events:
        laws.take(one)
    balances: defaultdict[tuple[str, str], int] = defaultdict(int)
    for (_, currency, account), micro in laws.balances.items():
        balances[currency, account] += micro
    found = cells_of(printed_of(TRIAL_BALANCE, events), "accounts")
    closing = {key: row["closing_micro"] for key, row in found.items() if row["closing_micro"]}
    assert closing == {key: micro for key, micro in balances.items() if micro}
    games = printed_of(GAME_PERFORMANCE, events)
    revenue = sum(micro for (_, account), micro in balances.items() if account.startswith("REV/"))
    assert summed(games, "wagers", "ggr_minor") * MICRO == revenue
    assert all(row["difference_micro"] == 0 for row in printed_of(PLAYER_LIABILITY, events).table("cover").objects())
    for kind in REPORTS.values():
        asked = {"account": "cash", "player": "ann", "round": "none", "threshold": "1"}
        printed_of(kind, events, asked={one.name: asked[one.name] for one in kind.parameters})


def test_R23_whatever_needs_a_reason_or_a_second_person_is_a_significant_event() -> None:
    told = {*SAYS, TermsChanged}
    by_the_rules = {WagersRejected, FundsHeld, FundsReleased}  # their reason is a rule's name, nobody gave it
    needing = {one for one in EVENT_TYPES if {"reason", "approver"} & {name.name for name in fields(one)}}
    assert needing - told - by_the_rules == set()
    assert {*get_args(approvals.Proposal), *get_args(approvals.Decision)} <= told


def test_R23_every_kind_of_significant_event_has_a_line_of_its_own() -> None:
    events = [one for path in logs() for one in read(path)]
    kinds = {type(one.event) for one in events if type(one.event) in SAYS}
    assert kinds == set(SAYS)
    lines = 0
    for path in logs():
        log = read(path)
        told = printed_of(SIGNIFICANT_EVENTS, log, asked={"threshold": "999999999999"}).table("events").objects()
        lines += len({one["position"] for one in told} & {str(one.position) for one in log if type(one.event) in SAYS})
        assert lines
    assert lines == sum(type(one.event) in SAYS for one in events)
