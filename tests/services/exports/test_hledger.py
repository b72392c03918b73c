"""The journal for hledger: the real program checks it and adds it up to our trial balance (I2, R5)."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from domain.errors import Conflict, Invalid
from services.exports.grids import Totals
from services.exports.hledger import account_of, hledger_lines
from services.ports import Recorded
from services.reports.scope import Clock
from services.reports.trial_balance import ACCOUNTS, TRIAL_BALANCE
from tests.domain.showdowns import EURO, LAND
from tests.support.cards import HIGH, ROYAL, hand
from tests.support.casino import Casino, Play
from tests.support.exported import exported
from tests.support.reported import cells_of, printed_of, scope_of, told_of

HLEDGER = shutil.which("hledger")
NEEDS = pytest.mark.skipif(HLEDGER is None, reason="hledger is not installed here: apt-get install hledger")
DAY = datetime(2026, 1, 3, tzinfo=UTC)


async def days(casino: Casino) -> Sequence[Recorded]:
    """Two gaming days in two currencies: wagers, a void, a jackpot, a prize that waits, a correction by staff."""
    await casino.jackpot("j:1", EURO, increment_ppm=333_333, reserve_ppm=100_000)
    await casino.jackpot("land", LAND, handpay_threshold_minor=100)
    await casino.table("t", EURO, jackpot="j:1")
    await casino.table("pit", LAND, jackpot="land")
    await casino.player("@ann", deposit=100_000)
    await casino.player("bob", "USD", deposit=100_000)
    await casino.player("noor", "KWD", deposit=1_005)
    await casino.void(await casino.played("t", {"@ann": Play(1, hand(HIGH, 1))}))
    casino.clock.forward(86_400)
    await casino.played("t", {"@ann": Play(1, hand(HIGH, 1))})
    await casino.played("t", {"@ann": Play(1, hand(ROYAL, 1))})
    await casino.played("pit", {"bob": Play(1, hand(ROYAL, 1))})
    return casino.log.events


def hledger(path: Path, *arguments: str) -> str:
    assert HLEDGER is not None
    done = subprocess.run([HLEDGER, "-f", str(path), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@NEEDS
@pytest.mark.parametrize("of_a_day", [False, True])
async def test_hledger_checks_an_exported_day_and_gets_our_trial_balance_to_the_unit(
    casino: Casino, tmp_path: Path, of_a_day: bool
) -> None:
    events = await days(casino)
    begin = DAY if of_a_day else None
    made = exported("journal", "hledger", events, path := tmp_path / "day.hledger", begin=begin)
    assert made["totals"]["entries"]["rows"] > 5
    assert ("openings" in made["totals"]) is of_a_day
    hledger(path, "check", "-s")
    for currency, decimals in (("EUR", 2), ("USD", 2), ("KWD", 3)):
        ours = cells_of(printed_of(TRIAL_BALANCE, events, begin=begin, currency=currency), ACCOUNTS)
        wanted = {
            account_of("op", account): Decimal(f"{-int(row['closing_micro'] or 0)}e-{decimals + 6}")
            for (_, account), row in ours.items()
        }
        assert len(wanted) > 1
        assert balances(path, currency) == {name: amount for name, amount in wanted.items() if amount}
        assert sum(wanted.values()) == 0


def balances(path: Path, currency: str) -> dict[str, Decimal]:
    """What `hledger balance` says of each account that is not empty."""
    told = hledger(path, "balance", "--flat", "-N", f"cur:^{currency}$", "-O", "csv")
    rows = list(csv.DictReader(io.StringIO(told)))
    return {row["account"]: Decimal(row["balance"].split()[0]) for row in rows if row["balance"] != "0"}


@NEEDS
async def test_hledger_refuses_a_journal_whose_jackpot_is_a_millionth_off(casino: Casino, tmp_path: Path) -> None:
    exported("journal", "hledger", await days(casino), path := tmp_path / "day.hledger")
    text = path.read_text("utf-8")
    held = next(line for line in text.splitlines() if "jackpot:j%3A1:main" in line and " = " in line)
    amount = held.split(" = ")[1].split()[0]
    path.write_text(text.replace(f" = {amount} ", f" = {amount[:-1]}{9 - int(amount[-1])} "), "utf-8")
    done = subprocess.run([str(HLEDGER), "-f", str(path), "check", "-s"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "assert" in done.stderr


async def test_each_day_ends_with_what_the_pools_hold_and_each_entry_has_its_tags(casino: Casino) -> None:
    events = await days(casino)
    lines = list(hledger_lines(scope_of("op"), told_of(events), {"EUR": 2, "USD": 2, "KWD": 3}, Totals()))
    ends = [line.split()[0] for line in lines if "end of the gaming day" in line]
    assert ends == ["2026-01-02", "2026-01-03"]
    [settled, *_] = [line for line in lines if " seat.settled.v1 " in line or " wallet.stakes_settled.v1 " in line]
    assert all(tag in settled for tag in ("round:", "event_id:", "position:", "entry:"))


async def test_I2_an_entry_that_does_not_balance_stops_the_export_and_leaves_no_file(
    casino: Casino, tmp_path: Path
) -> None:
    await casino.player("ann", deposit=100)
    events = list(casino.log.events)
    at = next(number for number, one in enumerate(events) if type(one.event).__name__ == "Deposited")
    torn = [replace(one, entry=7) if number == at else one for number, one in enumerate(events)]
    exported("journal", "csv", torn, tmp_path / "whole.csv")  # a deposit has both of its lines
    await casino.jackpot("j", EURO)
    await casino.table("t", EURO, jackpot="j")
    await casino.deposit("ann", 10_000)
    await casino.played("t", {"ann": Play(1, hand(HIGH, 1))})
    torn = [one for one in casino.log.events if type(one.event).__name__ != "SeatSettled"]
    for form in ("csv", "hledger"):
        with pytest.raises(Conflict, match="micro-units of EUR"):
            exported("journal", form, torn, tmp_path / "day")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["whole.csv"]


def test_an_hledger_journal_goes_by_the_recorded_time() -> None:
    with pytest.raises(Invalid) as refusal:
        list(hledger_lines(scope_of("op", clock=Clock.EFFECTIVE), [], {}, Totals()))
    assert refusal.value.field == "clock"


def test_names_of_operators_players_and_pools_never_make_another_account() -> None:
    assert account_of("a:b", "cash") == "assets:operator:a%3Ab:settlement"
    assert account_of("op", "pay/j:1/@ann/7") == "liabilities:players:@ann:pending:j%3A1:7"
    assert account_of("op", "m/j:main") != account_of("op", "m/j").replace(":main", "")
    with pytest.raises(KeyError):
        account_of("op", "bonus/ann")
