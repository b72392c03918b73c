"""Invariants of money over the log: I1 (sums), I4 (who may be below zero), I5 (pools). Amounts in micro-units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from domain.flows import postings
from domain.jackpots.events import PoolOpened
from domain.wallets.events import Adjusted, BalanceWentNegative, HeldMoneyDecided, Move, OutcomeReversed, VoidPolicy
from services.pool_book import PoolBook, PoolMove
from services.ports import Recorded
from tests.support.books import Books

Account = tuple[str, str, str]
"""Operator, currency, account."""


def balances(events: Iterable[Recorded]) -> dict[Account, int]:
    """Every account, folded from the table of postings."""
    found: defaultdict[Account, int] = defaultdict(int)
    for one in events:
        for line in postings(one.event):
            found[one.meta.operator, line.currency, line.account] += line.amount_micro
    return dict(found)


def sums(events: list[Recorded]) -> list[str]:
    """I1: per currency all accounts sum to zero; and the second books, kept apart, find nothing either."""
    total: defaultdict[tuple[str, str], int] = defaultdict(int)
    for (operator, currency, _), micro in balances(events).items():
        total[operator, currency] += micro
    found = [
        f"{operator}, {currency}: all accounts sum to {micro}" for (operator, currency), micro in total.items() if micro
    ]
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
    accounts: defaultdict[Account, int] = defaultdict(int)
    owing: dict[Account, Recorded] = {}
    found: list[str] = []
    for one in events:
        found += [
            _unsaid(account, since) for account, since in owing.items() if since.meta.causation != one.meta.causation
        ]
        owing = {account: since for account, since in owing.items() if since.meta.causation == one.meta.causation}
        touched: dict[Account, int] = {}
        for line in postings(one.event):
            account = one.meta.operator, line.currency, line.account
            touched.setdefault(account, accounts[account])
            accounts[account] += line.amount_micro
        for account, before in touched.items():
            now, kind = accounts[account], account[2].split("/", 1)[0]
            if kind in {"held", "review"} and now < 0:
                found.append(f"{account[2]} is {now} after position {one.position}")
            if kind == "av" and now < min(0, before):
                owing[account] = one
                if not _may_owe(one.event):
                    found.append(f"{account[2]} fell to {now} by {type(one.event).__name__} at position {one.position}")
        if isinstance(one.event, BalanceWentNegative):
            owing.pop((one.meta.operator, one.event.currency, f"av/{one.event.player}"), None)
    return found + [_unsaid(account, since) for account, since in owing.items()]


def _unsaid(account: Account, since: Recorded) -> str:
    return f"{account[2]} fell below zero at position {since.position} without its significant event"


def _may_owe(event: object) -> bool:
    if isinstance(event, Adjusted):
        return bool(event.approver)
    return isinstance(event, OutcomeReversed | HeldMoneyDecided) and event.policy is VoidPolicy.CLAW_BACK


def pools(events: list[Recorded]) -> list[str]:
    """I5: meter, reserve and overflow of each pool are what its events explain, to the micro-unit; none below zero."""
    accounts: defaultdict[Account, int] = defaultdict(int)
    books: dict[tuple[str, str], PoolBook] = {}
    found: list[str] = []
    for one in events:
        for line in postings(one.event):
            accounts[one.meta.operator, line.currency, line.account] += line.amount_micro
        event = one.event
        if not isinstance(event, PoolMove):
            continue
        name = event.terms.jackpot if isinstance(event, PoolOpened) else event.jackpot
        if isinstance(event, PoolOpened):
            books[one.meta.operator, name] = PoolBook(event.terms)
        book = books[one.meta.operator, name]
        if (fault := book.explain(event)) is not None:
            found.append(f"pool {name} at position {one.position}: {fault}")
        held = [accounts[one.meta.operator, book.terms.currency, f"{kind}/{name}"] for kind in ("m", "res", "ovf")]
        if sum(held) != book.explained_micro:
            found.append(
                f"pool {name} at position {one.position} holds {sum(held)}, {book.explained_micro} are explained"
            )
        if min(held) < 0:
            found.append(f"pool {name} at position {one.position}: an account is below zero: {held}")
    return found


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
