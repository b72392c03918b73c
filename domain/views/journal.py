"""The journal: every line of every entry, in the order of the log, by day (docs/ledger.md, Accounts and Postings).

day/{date}    {position}.{line}    the date is that of `recorded_at` in UTC
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from domain.flows import Line, postings
from domain.streams import EVENT_TYPES
from domain.views.model import Fact, Model, RowKey

_DATE: Final = len("2026-11-29")


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One posting. `amount_micro` is a decimal string; lines of one `command` and `entry` sum to zero."""

    position: int
    line: int
    at: str
    command: str
    entry: int
    account: str
    currency: str
    amount_micro: str
    event: str
    stream: str
    round: str | None
    transaction_id: str | None


def day_group(date: str) -> str:
    """The group of one day's lines; `date` as in 2026-11-29."""
    return f"day/{date}"


def _place(fact: Fact, number: int) -> RowKey:
    return RowKey(day_group(fact.at[:_DATE]), f"{fact.place}.{number:05d}")


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    del fact  # lines are only ever added
    return ()


def _fold(rows: Mapping[RowKey, JournalLine | None], fact: Fact) -> Mapping[RowKey, JournalLine | None]:
    del rows
    return {_place(fact, number): _line(fact, number, line) for number, line in enumerate(postings(fact.event))}


def _line(fact: Fact, number: int, line: Line) -> JournalLine:
    event = fact.event
    return JournalLine(
        position=fact.position,
        line=number,
        at=fact.at,
        command=fact.command,
        entry=fact.entry,
        account=line.account,
        currency=line.currency,
        amount_micro=str(line.amount_micro),
        event=fact.name,
        stream=fact.stream,
        round=getattr(event, "round", None),
        transaction_id=getattr(event, "transaction_id", None),
    )


JOURNAL: Final[Model[JournalLine]] = Model(
    name="journal",
    kinds={"day": JournalLine},
    reads=frozenset(EVENT_TYPES),
    keys=_keys,
    fold=_fold,
)
