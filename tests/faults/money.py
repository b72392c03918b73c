"""Invariants of money over the log: I1 (sums), I4 (who may be below zero), I5 (pools). Amounts in micro-units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from domain.flows import postings
from domain.wallets.events import Move
from services.ports import Recorded
from tests.faults.walk import Account, MoneyWalk
from tests.support.books import Books


def balances(events: Iterable[Recorded]) -> dict[Account, int]:
    """Every account, folded from the table of postings."""
    found: defaultdict[Account, int] = defaultdict(int)
    for one in events:
        for line in postings(one.event):
            found[one.meta.operator, line.currency, line.account] += line.amount_micro
    return dict(found)


def sums(events: list[Recorded]) -> list[str]:
    """I1: per currency all accounts sum to zero; and the second books, kept apart, find nothing either."""
    found = _walked(events).sums()
    for operator in sorted({one.meta.operator for one in events}):
        found += _second_books(operator, [one for one in events if one.meta.operator == operator])
    return found


def _second_books(operator: str, events: list[Recorded]) -> list[str]:
    """What the books of the test suite find, which share no code with the service's own audit."""
    books = Books()
    try:
        books.read([replace(one, position=nth) for nth, one in enumerate(events, start=1)])
        books.check()
    except (AssertionError, LookupError, TypeError) as fault:
        where = f" at position {events[books.position].position}" if books.position < len(events) else ""
        return [f"the second books of {operator}{where}: {' '.join(str(fault).split())[:300]}"]
    return []


def below_zero(events: list[Recorded]) -> list[str]:
    """I4: available falls below zero only by a claw-back or an approved adjustment, each with its significant event;
    held and review never do."""
    return _walked(events).below


def pools(events: list[Recorded]) -> list[str]:
    """I5: meter, reserve and overflow of each pool are what its events explain, to the micro-unit; none below zero."""
    return _walked(events).pools


def _walked(events: Iterable[Recorded]) -> MoneyWalk:
    walk = MoneyWalk()
    for one in events:
        walk.take(one)
    walk.finish()
    return walk


def wallets(events: Iterable[Recorded]) -> dict[tuple[str, str], tuple[int, int]]:
    """Available and held of each player by operator and id, in minor units, as the last event says."""
    return {
        (one.meta.operator, one.event.player): (one.event.available_after_minor, one.event.held_after_minor)
        for one in events
        if isinstance(one.event, Move)
    }


def held_by_round(events: Iterable[Recorded]) -> dict[tuple[str, str], int]:
    """What each player has on game by player and round, in micro-units."""
    found: defaultdict[tuple[str, str], int] = defaultdict(int)
    for one in events:
        for line in postings(one.event):
            if line.account.startswith("held/"):
                found[line.account.split("/", 1)[1], getattr(one.event, "round", "")] += line.amount_micro
    return dict(found)
