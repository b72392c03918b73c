"""Writes docs/states.md from what the house answers: `python -m tests.matrix.page`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

from tests.house.tree import ROOT
from tests.matrix import approvals, chat, devices, floor, money, pools, reconciled, rounds, seats
from tests.matrix.play import played
from tests.matrix.subject import Subject
from tests.support.casino import Casino

PAGE: Final = ROOT / "docs" / "states.md"
SUBJECTS: Final = (
    rounds.SUBJECT,
    seats.SUBJECT,
    floor.HOUSE,
    floor.TABLES,
    floor.PRESENCE,
    devices.SUBJECT,
    chat.SUBJECT,
    money.PLAYERS,
    money.TRANSACTIONS,
    pools.JACKPOTS,
    pools.PRIZES,
    approvals.SUBJECT,
    reconciled.SUBJECT,
)

HEAD: Final = """\
# States and commands

What the service answers to each command in each state. Calls come late, twice, or in the wrong order: a settlement
before a bet, a rollback before its deposit, a bet after the close, a call after a fold. Each such cell is here.

- `ok`: accepted, something happened.
- `-`: accepted, and nothing was left to do: no event, no money moved. The answer is that of the first time.
- A number and a code: refused with that status and problem. No money moved, no event was stored, and the same
  `Idempotency-Key` may be used again.

`in bulk` is the one item of a bulk call, and its cell what `results` says of it; the call itself answers 200. `atomic`
is the same with all or none: the call itself is refused.

No cell is a 5xx. Rows in parentheses are asked by timers only. Amounts are in units of the currency. This page is
played by the tests, cell by cell, and written from that (`python -m tests.matrix.page`).
"""

Answers = dict[tuple[str, str], str]
"""Row and state to what was answered."""


async def answers(subject: Subject) -> Answers:
    """Every cell of a subject, each in a casino of its own."""
    found: Answers = {}
    for row, state in subject.cells():
        async with Casino() as casino:
            found[row.text, state] = await played(casino, subject, state, row)
    return found


def section(subject: Subject, found: Answers) -> str:
    """A subject as Markdown."""
    states = [f"- *{name}*: {state.text}" for name, state in subject.states.items()]
    head = ["| command | " + " | ".join(subject.states) + " |", "|---" * (len(subject.states) + 1) + "|"]
    rows = [
        "| " + " | ".join([row.text, *(found[row.text, state] for state in subject.states)]) + " |"
        for row in subject.rows
    ]
    calls = [f"- {texts}: `{call}`" for call, texts in _calls(subject).items() if call]
    parts = [f"## {subject.name}", subject.text, "\n".join(states), "\n".join([*head, *rows]), "\n".join(calls)]
    return "\n\n".join(parts) + "\n"


def _calls(subject: Subject) -> dict[str, str]:
    texts: dict[str, list[str]] = {}
    for row in subject.rows:
        texts.setdefault(row.call, []).append(row.text)
    return {call: "; ".join(rows) for call, rows in texts.items()}


def documented(subject: Subject) -> Answers:
    """The cells of a subject as they stand in the page; empty where the page does not have it."""
    _, _, rest = PAGE.read_text("utf-8").partition(f"## {subject.name}\n")
    found: Answers = {}
    lines = [line for line in rest.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    for line in lines[1:]:
        text, *cells = [part.strip() for part in line.strip("|").split("|")]
        found.update({(text, state): cell for state, cell in zip(subject.states, cells, strict=True)})
    return found


def written(found: Mapping[str, Answers]) -> str:
    """The whole page, with these answers by subject."""
    return "\n".join([HEAD, *[section(one, found[one.name]) for one in SUBJECTS]])


async def _played() -> str:
    return written({one.name: await answers(one) for one in SUBJECTS})


def main() -> None:
    """Write the page, every cell of it played anew."""
    PAGE.write_text(asyncio.run(_played()), encoding="utf-8")


if __name__ == "__main__":
    main()
