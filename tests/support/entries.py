"""Ledger entries as people write them: account and amount in minor units, one line each.

    alice pays in       cash        -10_000
                        av/alice    +10_000

A test names the lines of an entry; which event brought them and in which order is not its subject.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TypeVar

from domain.flows import Line, postings
from domain.money import MICRO
from tests.support.counter import Counter

Kind = TypeVar("Kind")


def table(text: str) -> list[str]:
    """The lines of a written entry, sorted."""
    found = []
    for line in filter(str.strip, text.splitlines()):
        account, amount = line.split()
        found.append(_shown(account, int(Decimal(amount.replace("_", "")) * MICRO)))
    return sorted(found)


def posted(casino: Counter) -> list[list[str]]:
    """The entries that the last command posted, each sorted; what moves no money is no entry."""
    entries: dict[tuple[str, int], list[Line]] = {}
    for one in casino.last_news:
        entries.setdefault((one.meta.causation, one.entry), []).extend(postings(one.event))
    return [_lines(lines) for lines in entries.values() if lines]


def entry(casino: Counter, number: int = -1) -> list[str]:
    """One of the entries of the last command, the last unless told otherwise."""
    return posted(casino)[number]


def events_of(casino: Counter, kind: type[Kind]) -> list[Kind]:
    """The events of a kind that the last command made."""
    return [one.event for one in casino.last_news if isinstance(one.event, kind)]


def _lines(lines: Iterable[Line]) -> list[str]:
    return sorted(_shown(line.account, line.amount_micro) for line in lines)


def _shown(account: str, micro: int) -> str:
    return f"{account:<44} {Decimal(micro) / MICRO:+f}"
