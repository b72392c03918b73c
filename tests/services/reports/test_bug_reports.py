"""Public faults of systems like ours, tried on reports (tests/golden/bug-reports.tsv)."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from domain.money import MICRO
from services import commands as c
from services.reports.ageing import AGEING
from services.reports.daily_revenue import DAILY_REVENUE
from services.reports.game_performance import GAME_PERFORMANCE
from services.reports.incident import INCIDENT
from services.reports.jackpot_liability import JACKPOT_LIABILITY
from services.reports.player_liability import PLAYER_LIABILITY
from services.reports.printing import as_json, as_text
from services.reports.significant_events import SIGNIFICANT_EVENTS
from services.reports.trial_balance import TRIAL_BALANCE
from tests.domain.showdowns import EURO
from tests.support.cards import FLUSH, HIGH, hand
from tests.support.casino import Casino, Play
from tests.support.reported import cells_of, printed_of, summed

NOW = datetime(2026, 11, 29, tzinfo=UTC)


async def test_bug_027_amounts_that_no_float_can_hold_are_exact_for_machines_and_for_people(casino: Casino) -> None:
    amount = 999_999_999_999_999
    await casino.player("ann", deposit=amount)
    log = await casino.everything()
    (cash, _) = as_json(printed_of(TRIAL_BALANCE, log), NOW)["tables"]["accounts"][::-1]
    assert cash["closing_micro"] == str(-amount * MICRO)
    assert json.loads(json.dumps(cash))["closing_micro"] == f"-{amount}000000"
    assert "9999999999999.99" in as_text(printed_of(PLAYER_LIABILITY, log), NOW, {"EUR": 2})


async def test_bug_059_a_void_after_the_winnings_are_gone_is_told_by_every_report_that_it_touches(
    casino: Casino,
) -> None:
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=10_000)
    round_id = await casino.played("t", {"ann": Play(1, hand(FLUSH, 1))})
    await casino.withdraw("ann", casino.books.balance("av/ann") // MICRO)
    await casino.void(round_id)
    log = await casino.everything()
    owed = -casino.books.balance("av/ann") // MICRO
    assert owed > 0
    assert summed(printed_of(GAME_PERFORMANCE, log), "wagers", "ggr_minor") == 0
    assert summed(printed_of(INCIDENT, log, asked={"round": round_id}), "players", "net_minor") == 0
    assert summed(printed_of(AGEING, log), "players", "owed_minor") == owed
    told = printed_of(SIGNIFICANT_EVENTS, log).table("events").objects()
    assert [one["after_micro"] for one in told if one["what"] == "balance below zero"] == [-owed * MICRO]
    assert summed(printed_of(PLAYER_LIABILITY, log), "players", "liability_minor") == -owed


async def test_bug_065_a_call_that_comes_three_times_is_turnover_once_and_half_a_unit_is_kept(casino: Casino) -> None:
    await casino.jackpot("j", EURO, increment_ppm=10_000)
    await casino.table("t", EURO, jackpot="j")
    await casino.player("ann", deposit=10_000)
    round_id = await casino.decided("t", {"ann": Play(1, hand(HIGH, 1))})
    for _ in range(3):
        await casino.submit(c.Settle(round_id, None), key="settle-once")
    log = await casino.everything()
    assert summed(printed_of(GAME_PERFORMANCE, log), "wagers", "handle_minor") == 3_050
    assert summed(printed_of(DAILY_REVENUE, log), "days", "rounds") == 1
    pools = cells_of(printed_of(JACKPOT_LIABILITY, log), "pools")
    assert pools["EUR", "j"]["contribution_micro"] == 500_000
    assert pools["EUR", "j"]["closing_micro"] == 100_000 * MICRO + 500_000
