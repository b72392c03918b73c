"""Every report against an independent count: the books of the tests and the states of seats, which no report reads."""

from __future__ import annotations

from collections import Counter

import pytest

from domain.money import MICRO
from domain.rounds.decider import Round
from domain.seats.decider import Seat
from services.reports.account_summary import ACCOUNT_SUMMARY
from services.reports.ageing import AGEING
from services.reports.catalogue import REPORTS
from services.reports.daily_revenue import DAILY_REVENUE
from services.reports.game_performance import GAME_PERFORMANCE
from services.reports.jackpot_history import JACKPOT_HISTORY
from services.reports.jackpot_liability import JACKPOT_LIABILITY
from services.reports.journal import JOURNAL
from services.reports.player_liability import PLAYER_LIABILITY
from services.reports.player_statement import PLAYER_STATEMENT
from services.reports.statement import STATEMENT
from services.reports.trial_balance import TRIAL_BALANCE
from tests.services.reports.conftest import Evening
from tests.support.books import Books
from tests.support.reported import all_explained, cells_of, printed_of, summed


def seats_of(books: Books) -> list[tuple[str, Seat]]:
    """Seats whose results stand, with their rule set."""
    rounds = {one.round: one for one in books.of_kind("round") if isinstance(one, Round)}
    seats = [one for one in books.of_kind("seat") if isinstance(one, Seat) and not one.voided]
    return [(rounds[one.round].terms.ruleset, one) for one in seats]


def test_R4_R29_ggr_is_the_balance_of_REV_and_handle_what_stands_on_the_seats(an_evening: Evening) -> None:
    printed, books = printed_of(GAME_PERFORMANCE, an_evening.events), an_evening.books
    handle: Counter[tuple[str, str]] = Counter()
    hands: Counter[tuple[str, str]] = Counter()
    for ruleset, seat in seats_of(books):
        handle.update({(ruleset, one.kind.value): one.stake_minor for one in seat.results})
        for one in seat.results[1:]:
            handle[ruleset, one.kind.value] += one.stake_minor * (one.kind is seat.results[0].kind)
        hands.update({(ruleset, one.kind.value) for one in seat.results})
    assert len(handle) >= 8
    for (ruleset, kind), staked in handle.items():
        keys = {"ruleset": ruleset, "kind": kind}
        assert summed(printed, "wagers", "handle_minor", **keys) == staked
        assert summed(printed, "wagers", "hands", **keys) == hands[ruleset, kind]
        assert summed(printed, "wagers", "ggr_minor", **keys) * MICRO == books.balance(f"REV/{ruleset}/{kind}")
    assert summed(printed, "tables", "handle_minor") == summed(printed, "games", "handle_minor") == handle.total()
    assert summed(printed, "wagers", "voided_wagers") > 0
    assert summed(printed, "wagers", "cancelled_wagers") == 2
    assert summed(printed, "wagers", "resettled_wagers") > 0


def test_R20_R29_funds_on_game_are_what_the_books_hold_and_a_game_is_left_open(an_evening: Evening) -> None:
    printed, books = printed_of(GAME_PERFORMANCE, an_evening.events), an_evening.books
    held = sum(micro for (_, name), micro in books.accounts.items() if name.startswith("held/"))
    assert summed(printed, "games", "funds_on_game_minor") * MICRO == held > 0
    phases = Counter(one.phase.value for one in books.of_kind("round") if isinstance(one, Round))
    assert summed(printed, "games", "rounds") == phases["SETTLED"]
    assert summed(printed, "games", "voided_rounds") == phases["VOIDED"]
    assert summed(printed, "games", "cancelled_rounds") == phases["CANCELLED"] == 1


def test_R4_jackpots_stand_beside_revenue_and_are_the_awards_that_stand(an_evening: Evening) -> None:
    printed, tally = printed_of(GAME_PERFORMANCE, an_evening.events), an_evening.books.tally
    awards = [award for book in tally.rounds.values() for award in book.awards.values()]
    assert len(awards) >= 4
    for table in ("wagers", "hits"):
        assert summed(printed, table, "jackpot_minor") == sum(one.prize_minor for one in awards)
        assert summed(printed, table, "jackpot_hits") == len(awards)
    net = -sum(micro for (_, name), micro in an_evening.books.accounts.items() if name.startswith("CON/"))
    assert summed(printed, "games", "contribution_micro") == net


def test_R27_days_add_up_to_the_games(an_evening: Evening) -> None:
    games, days = (printed_of(kind, an_evening.events) for kind in (GAME_PERFORMANCE, DAILY_REVENUE))
    for column in ("rounds", "handle_minor", "ggr_minor", "contribution_micro"):
        assert summed(days, "days", column) == summed(games, "games", column), column
    assert summed(days, "days", "jackpot_minor") == summed(games, "wagers", "jackpot_minor")


def test_R6_R16_a_pools_closing_is_opening_and_every_term_and_its_three_accounts(an_evening: Evening) -> None:
    books = an_evening.books
    found = cells_of(printed_of(JACKPOT_LIABILITY, an_evening.events), "pools")
    assert {pool for _, pool in found} == {"euro", "spare", "land"}
    for (_, pool), row in found.items():
        accounts = {kind: books.balance(f"{kind}/{pool}") for kind in ("m", "res", "ovf")}
        assert (row["meter_micro"], row["reserve_micro"], row["overflow_micro"]) == tuple(accounts.values())
        assert row["closing_micro"] == sum(accounts.values())
        pending = sum(micro for (_, name), micro in books.accounts.items() if name.startswith(f"pay/{pool}/"))
        assert row["pending_micro"] == pending
        assert row["hits"] == sum(len(one.awards) for one in books.tally.of(pool))
    assert found["USD", "land"]["pending_micro"]
    parameters = cells_of(printed_of(JACKPOT_LIABILITY, an_evening.events), "parameters")["EUR", "euro"]
    assert (parameters["ceiling_minor"], parameters["increment_ppm"]) == (9_000_000, 400_000)
    assert (parameters["reserve_ppm"], parameters["status"]) == (100_000, "ENABLED")
    assert parameters["odds"] == "1 in 649,740"
    assert found["EUR", "euro"]["transfer_micro"] == -5_000_000
    days = printed_of(JACKPOT_HISTORY, an_evening.events)
    for name in ("contribution_micro", "paid_micro", "correction_micro", "shortfall_micro", "hits"):
        assert summed(days, "days", name) == sum(int(row[name] or 0) for row in found.values())


def test_R28_a_players_money_is_explained_by_why_it_moved(an_evening: Evening) -> None:
    printed, books = printed_of(ACCOUNT_SUMMARY, an_evening.events), an_evening.books
    players = cells_of(printed, "players")
    assert len(players) == 5
    for (_, player), row in players.items():
        assert int(row["closing_minor"] or 0) * MICRO == books.balance(f"av/{player}")
        assert int(row["funds_on_game_minor"] or 0) * MICRO == books.balance(f"held/{player}")
        assert int(row["review_minor"] or 0) * MICRO == books.balance(f"review/{player}")
    for column in ("cancelled_minor", "voided_minor", "resettled_minor", "reviewed_minor", "rollbacks_minor"):
        assert any(row[column] for row in players.values()), column
    cash = summed(printed, "totals", "deposits_minor") - summed(printed, "totals", "withdrawals_minor")
    cash += summed(printed, "totals", "rollbacks_minor")
    assert cash * MICRO == -books.balance("cash")


def test_R25_a_players_statement_has_every_movement_with_its_id_and_the_balance_after_it(an_evening: Evening) -> None:
    for player in ("ann", "cat", "una"):
        printed = printed_of(PLAYER_STATEMENT, an_evening.events, asked={"player": player})
        lines = printed.table("lines").objects()
        balance = 0
        for line in lines:
            balance += int(line["amount_minor"] or 0)
            assert balance == line["balance_minor"]
            assert line["reference"]
        assert balance * MICRO == an_evening.books.balance(f"av/{player}")
        seats = [seat for _, seat in seats_of(an_evening.books) if seat.player == player]
        results = [one for seat in seats for one in seat.results]
        assert summed(printed, "games", "wagered_minor") == sum(one.stake_minor for one in results)
        won = sum(one.payout_minor for one in results) + sum(seat.prize_minor for seat in seats)
        assert summed(printed, "games", "won_minor") == won


def test_R5_a_statement_runs_from_opening_to_closing_line_by_line(an_evening: Evening) -> None:
    events = an_evening.events
    cut = events[len(events) // 2].recorded_at
    for account in ("av/ann", "m/euro", "cash", "REV/"):
        printed = printed_of(STATEMENT, events, begin=cut, asked={"account": account})
        for currency in {one["currency"] for one in printed.table("account").objects()}:
            balance = summed(printed, "account", "opening_micro", currency=str(currency))
            for line in printed.table("lines").objects():
                if line["currency"] == currency:
                    balance += int(line["amount_micro"] or 0)
                    assert line["balance_micro"] == balance
            assert balance == summed(printed, "account", "closing_micro", currency=str(currency))


def test_R16_the_journal_has_each_line_once_and_its_two_sides_are_equal(an_evening: Evening) -> None:
    printed = printed_of(JOURNAL, an_evening.events)
    sums: Counter[str] = Counter()
    for line in printed.table("lines").objects():
        sums[str(line["account"])] += int(line["amount_micro"] or 0)
    trial = cells_of(printed_of(TRIAL_BALANCE, an_evening.events), "accounts")
    closing: Counter[str] = Counter()
    for (_, account), row in trial.items():
        closing[account] += int(row["closing_micro"] or 0)
    assert sums == closing
    for row in printed.table("totals").objects():
        assert row["debit_micro"] == row["credit_micro"]


def test_what_players_pools_and_house_have_is_what_the_cashier_holds(an_evening: Evening) -> None:
    printed, books = printed_of(PLAYER_LIABILITY, an_evening.events), an_evening.books
    for (currency,), row in cells_of(printed, "cover").items():
        assert row["difference_micro"] == 0
        owed = summed(printed, "players", "liability_minor", currency=currency) * MICRO
        kinds = ("av/", "held/", "review/", "pay/")
        of_books = sum(n for (one, name), n in books.accounts.items() if one == currency and name.startswith(kinds))
        assert owed == row["players_micro"] == of_books
        cashier = summed(printed, "cashier", "closing_minor", currency=currency)
        assert cashier * MICRO == -int(row["cash_micro"] or 0) == -books.accounts[currency, "cash"]


def test_R20_what_a_player_is_owed_is_available_on_game_under_review_and_awarded(an_evening: Evening) -> None:
    books = an_evening.books
    for (_, player), row in cells_of(printed_of(PLAYER_LIABILITY, an_evening.events), "players").items():
        for kind, column in (("av", "available"), ("held", "on_game"), ("review", "review")):
            assert int(row[f"{column}_minor"] or 0) * MICRO == books.balance(f"{kind}/{player}")
        waiting = [n for (_, name), n in books.accounts.items() if name.startswith("pay/") and f"/{player}/" in name]
        assert int(row["pending_minor"] or 0) * MICRO == sum(waiting)
    assert summed(printed_of(PLAYER_LIABILITY, an_evening.events), "players", "pending_minor", player="una") > 0


def test_R23_what_players_owe_is_what_stands_below_zero(an_evening: Evening) -> None:
    printed, books = printed_of(AGEING, an_evening.events), an_evening.books
    owed = {player: row["owed_minor"] for (_, player), row in cells_of(printed, "players").items()}
    below = {
        name.removeprefix("av/"): -micro // MICRO
        for (_, name), micro in books.accounts.items()
        if name.startswith("av/") and micro < 0
    }
    assert owed == below
    assert below


@pytest.mark.parametrize("name", REPORTS)
def test_each_number_of_a_report_is_what_the_events_behind_it_make(name: str, an_evening: Evening) -> None:
    kind = REPORTS[name]
    rounds = [one.round for one in an_evening.books.of_kind("round") if isinstance(one, Round)]
    asked = {"account": "m/euro", "player": "ann", "round": rounds[1], "threshold": "20000"}
    given = {one.name: asked[one.name] for one in kind.parameters}
    assert all_explained(kind, an_evening.events[:400], asked=given) > 5
