"""The journal for hledger (1.25 and later): an independent program that checks our double entry and adds it up.

Accounts are those of docs/ledger.md under the five roots that hledger knows; a credit of ours is negative there. What
stood on them before the time asked about is the first transaction, one transaction follows for each entry, and each
gaming day ends with what every pool's three accounts must hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final

from domain.errors import Invalid
from domain.flows import Line
from domain.grids import MICRO, decimals_of
from services.exports.grids import Totals
from services.exports.journal import Entry, entries
from services.ports import Told
from services.reports.printing import Exponents, decimal_text
from services.reports.scope import Clock, Scope, When

OF_POOLS: Final = {"m": "main", "res": "reserve", "ovf": "overflow"}
_PLAYERS: Final = {"av": "available", "held": "held", "review": "review"}

Balances = Counter[tuple[str, str]]
"""Micro-units by currency and account of ours."""


def account_of(operator: str, account: str) -> str:
    """What an account of ours is called in a general ledger. KeyError for one that is none of the thirteen."""
    kind, *names = (part.replace("%", "%25").replace(":", "%3A") for part in account.split("/"))
    match kind, names:
        case "cash", []:
            return f"assets:operator:{operator.replace(':', '%3A')}:settlement"
        case "av" | "held" | "review", [player]:
            return f"liabilities:players:{player}:{_PLAYERS[kind]}"
        case "pay", [pool, player, award]:
            return f"liabilities:players:{player}:pending:{pool}:{award}"
        case "m" | "res" | "ovf", [pool]:
            return f"liabilities:jackpot:{pool}:{OF_POOLS[kind]}"
        case "REV", [ruleset, wager]:
            return f"income:table:{ruleset}:{wager.lower()}"
        case "CON", [pool]:
            return f"income:jackpot:{pool}:contributions"
        case "FUND", [pool, fund]:
            return f"expenses:jackpot:{pool}:{fund.lower()}"
        case "LOSS", [loss]:
            return f"expenses:voids:{loss.lower()}"
        case "ADJ", []:
            return "equity:adjustments"
        case _:
            raise KeyError(account)


def hledger_lines(scope: Scope, log: Iterable[Told], exponents: Exponents, totals: Totals) -> Iterator[str]:
    """The journal, line by line. Raises Invalid for the effective clock, by which balances have no order to be held at;
    Conflict for an entry that does not balance.
    """
    if scope.clock is not Clock.RECORDED:
        raise Invalid("an hledger journal goes by the recorded time", field="clock")
    yield "; studbook journal: credits are negative; amounts are exact, six decimals beyond those of the currency\n"
    yield "decimal-mark .\n"
    yield from _Journal(scope, exponents, totals).lines(entries(log))


class _Journal:
    """What has been written: which names are declared, what stands on each account, and up to which day."""

    def __init__(self, scope: Scope, exponents: Exponents, totals: Totals) -> None:
        self._scope = scope
        self._exponents = exponents
        self._totals = totals
        self._declared: set[str] = set()
        self._balances: Balances = Counter()
        self._day: date | None = None

    def lines(self, found: Iterable[Entry]) -> Iterator[str]:
        """Opening, entries, and the pools' balances at the end of each day."""
        opened = self._scope.begin is None
        for entry in found:
            when = self._scope.when(entry.first)
            if when is When.AFTER:
                continue
            if when is When.WITHIN and not opened:
                opened = True
                yield from self._opening()
            if when is When.WITHIN:
                yield from self._entry(entry)
            else:
                self._add(entry)
        if not opened:
            yield from self._opening()
        yield from self._assertions()

    def _opening(self) -> Iterator[str]:
        """What stood there, dated the day before, so that the day's own movements stand alone."""
        assert self._scope.begin is not None
        standing = {key: micro for key, micro in self._balances.items() if micro}
        if not standing:
            return
        before = self._scope.begin.astimezone(self._scope.zone).date() - timedelta(days=1)
        for currency, account in sorted(standing):
            yield from self._declare(currency, account)
        yield f"\n{before} opening balances\n"
        for (currency, account), micro in sorted(standing.items()):
            yield self._posting(currency, account, micro)
            self._totals.count("openings")

    def _entry(self, entry: Entry) -> Iterator[str]:
        taken = [one for one in entry.lines if self._scope.currency in (None, one[2].currency)]
        if not taken:
            return
        day = self._scope.day(entry.first)
        if self._day is not None and day > self._day:
            yield from self._assertions()
        self._day = day if self._day is None else max(day, self._day)
        for _, _, line in taken:
            yield from self._declare(line.currency, line.account)
        yield f"\n{day} {entry.first.name}  ; {_tags(entry)}\n"
        for told, _, line in taken:
            yield self._posting(line.currency, line.account, line.amount_micro, told.one.position)
            self._count(line)
        self._totals.count("entries")
        self._add(entry)

    def _count(self, line: Line) -> None:
        column = "debit_micro" if line.amount_micro < 0 else "credit_micro"
        decimals = decimals_of(MICRO, self._exponents[line.currency])
        self._totals.count("lines")
        self._totals.add("lines", column, line.currency, abs(line.amount_micro), decimals)

    def _assertions(self) -> Iterator[str]:
        """The day's end: what is on the accounts of every pool."""
        if self._day is None:
            return
        pools = sorted(key for key in self._balances if key[1].partition("/")[0] in OF_POOLS)
        if pools:
            yield f"\n{self._day} jackpots at the end of the gaming day\n"
        for currency, account in pools:
            zero, held = self._amount(currency, 0), self._amount(currency, self._balances[currency, account])
            yield f"    {account_of(self._scope.operator, account)}  {zero} = {held}\n"
            self._totals.count("assertions")

    def _declare(self, currency: str, account: str) -> Iterator[str]:
        name = account_of(self._scope.operator, account)
        declared = ((currency, f"commodity {self._amount(currency, 0)}"), (name, f"account {name}"))
        for key, line in declared:
            if key not in self._declared:
                self._declared.add(key)
                yield f"\n{line}\n"

    def _posting(self, currency: str, account: str, micro: int, position: int | None = None) -> str:
        tag = "" if position is None else f"  ; position:{position}"
        return f"    {account_of(self._scope.operator, account)}  {self._amount(currency, micro)}{tag}\n"

    def _amount(self, currency: str, micro: int) -> str:
        """Ours turned to theirs: a credit is negative."""
        return f"{decimal_text(-micro, decimals_of(MICRO, self._exponents[currency]))} {currency}"

    def _add(self, entry: Entry) -> None:
        for line in (one for _, _, one in entry.lines):
            if self._scope.currency in (None, line.currency):
                self._balances[line.currency, line.account] += line.amount_micro


def _tags(entry: Entry) -> str:
    """Round, transaction and event, as hledger searches them."""
    first = entry.first.one.position
    found = {"event_id": str(first), "position": str(first), "entry": entry.name}
    for told, _, _ in entry.lines:
        for tag, field in (("round", "round"), ("transaction", "transaction_id")):
            value = getattr(told.one.event, field, None)
            if isinstance(value, str):
                found.setdefault(tag, value)
    return ", ".join(f"{tag}:{value}" for tag, value in sorted(found.items(), reverse=True))
