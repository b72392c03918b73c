"""Laws of reports over whatever a casino may be asked: they agree with the books at the end, and cut at any time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.money import MICRO
from services.ports import Recorded
from services.reports.account_summary import ACCOUNT_SUMMARY
from services.reports.ageing import AGEING
from services.reports.catalogue import REPORTS
from services.reports.game_performance import GAME_PERFORMANCE
from services.reports.jackpot_liability import JACKPOT_LIABILITY
from services.reports.player_liability import PLAYER_LIABILITY
from services.reports.scope import Clock
from services.reports.tables import Kind, Printed
from services.reports.trial_balance import TRIAL_BALANCE
from tests.support.bookkeeping import spread
from tests.support.books import Books
from tests.support.interleaved import slices_of
from tests.support.machine import Machine, Step, Terms
from tests.support.reported import cells_of, printed_of, summed
from tests.support.strategies import any_step, any_terms

START = datetime(2026, 1, 2, tzinfo=UTC)
EVERY = timedelta(minutes=17)
RUNS = (
    (TRIAL_BALANCE, "accounts", "opening_micro", "closing_micro"),
    (TRIAL_BALANCE, "totals", "opening_micro", "closing_micro"),
    (ACCOUNT_SUMMARY, "players", "opening_minor", "closing_minor"),
    (ACCOUNT_SUMMARY, "players", "funds_before_minor", "funds_on_game_minor"),
    (GAME_PERFORMANCE, "games", "funds_before_minor", "funds_on_game_minor"),
    (JACKPOT_LIABILITY, "pools", "opening_micro", "closing_micro"),
)
"""Report, table, and the columns of which one is what the other was at the cut."""
FLOWS = (
    (GAME_PERFORMANCE, "wagers", ("handle_minor", "payouts_minor", "jackpot_minor", "voided_minor", "resettled_minor")),
    (GAME_PERFORMANCE, "games", ("rounds", "voided_rounds", "contribution_micro")),
    (ACCOUNT_SUMMARY, "totals", ("deposits_minor", "to_games_minor", "voided_minor", "prizes_minor")),
    (JACKPOT_LIABILITY, "pools", ("contribution_micro", "paid_micro", "shortfall_micro", "hits")),
)
"""Report, table, and the columns of which the two parts of a time add up to the whole."""


async def played(under: Terms, steps: Sequence[Step]) -> tuple[Sequence[Recorded], Books]:
    async with Machine(under) as machine:
        await machine.furnish()
        await machine.run(steps)
        return spread(await machine.everything(), START, EVERY), machine.books


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_terms, st.lists(any_step, min_size=15, max_size=35), st.integers(0, 99), st.sampled_from(Clock))
def test_reports_agree_with_the_books_and_opening_and_movements_make_the_closing_at_any_cut(
    under: Terms, steps: list[Step], percent: int, clock: Clock
) -> None:
    events, books = asyncio.run(played(under, steps))
    agrees_with_the_books(events, books)
    length = events[-1].recorded_at - START
    add_up(events, START + length * percent / 100, clock)
    for kind in REPORTS.values():  # whatever was asked of the casino, each of them can be told
        asked = {"account": "cash", "player": "e1", "round": "none", "threshold": "1"}
        printed_of(kind, events, asked={one.name: asked[one.name] for one in kind.parameters}, clock=clock)


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(any_terms, st.lists(any_step, min_size=15, max_size=30))
def test_reports_agree_with_the_books_where_large_rounds_are_paid_and_undone_in_slices(
    under: Terms, steps: list[Step]
) -> None:
    with slices_of(1):
        events, books = asyncio.run(played(under, steps))
    agrees_with_the_books(events, books)


def agrees_with_the_books(events: Sequence[Recorded], books: Books) -> None:
    games = printed_of(GAME_PERFORMANCE, events)
    revenue = {name: n for (_, name), n in books.accounts.items() if name.startswith("REV/")}
    assert summed(games, "wagers", "ggr_minor") * MICRO == sum(revenue.values())
    for name, micro in revenue.items():
        _, ruleset, kind = name.split("/")
        assert summed(games, "wagers", "ggr_minor", ruleset=ruleset, kind=kind) * MICRO == micro
    prizes = [one.prize_minor for book in books.tally.rounds.values() for one in book.awards.values()]
    assert summed(games, "wagers", "jackpot_minor") == sum(prizes)
    assert summed(games, "wagers", "jackpot_hits") == len(prizes)
    for (_, pool), row in cells_of(printed_of(JACKPOT_LIABILITY, events), "pools").items():
        assert row["closing_micro"] == sum(books.balance(f"{kind}/{pool}") for kind in ("m", "res", "ovf"))
        pending = sum(n for (_, name), n in books.accounts.items() if name.startswith(f"pay/{pool}/"))
        assert row["pending_micro"] == pending
    for (_, player), row in cells_of(printed_of(ACCOUNT_SUMMARY, events), "players").items():
        assert int(row["closing_minor"] or 0) * MICRO == books.balance(f"av/{player}")
        assert int(row["funds_on_game_minor"] or 0) * MICRO == books.balance(f"held/{player}")
        assert int(row["review_minor"] or 0) * MICRO == books.balance(f"review/{player}")
    for row in cells_of(printed_of(PLAYER_LIABILITY, events), "cover").values():
        assert row["difference_micro"] == 0
    below = -sum(n for (_, name), n in books.accounts.items() if name.startswith("av/") and n < 0)
    assert summed(printed_of(AGEING, events), "totals", "owed_minor") * MICRO == below


def add_up(events: Sequence[Recorded], cut: datetime, clock: Clock) -> None:
    def cut_in_two(kind: Kind) -> tuple[Printed, Printed, Printed]:
        return (
            printed_of(kind, events, clock=clock),
            printed_of(kind, events, clock=clock, end=cut),
            printed_of(kind, events, clock=clock, begin=cut),
        )

    for one in cut_in_two(TRIAL_BALANCE):
        for row in one.table("totals").objects():
            assert (row["opening_micro"], row["closing_micro"]) == (0, 0)
    for kind, table, opening, closing in RUNS:
        whole, first, rest = (cells_of(one, table) for one in cut_in_two(kind))
        assert rest.keys() == whole.keys() or not rest.keys() - whole.keys()
        for key, row in whole.items():
            before = first.get(key, {}).get(closing, 0)
            assert rest.get(key, {opening: 0})[opening] == before, (kind.name, key)
            assert rest.get(key, {closing: before})[closing] == row[closing], (kind.name, key)
    for kind, table, columns in FLOWS:
        whole, first, rest = (cells_of(one, table) for one in cut_in_two(kind))
        for key, row in whole.items():
            for column in columns:
                parts = [int(one.get(key, {}).get(column) or 0) for one in (first, rest)]
                assert sum(parts) == int(row[column] or 0), (kind.name, key, column)
