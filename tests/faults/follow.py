"""A second pair of eyes on a log that grows: I1 to I8 over what came since the last look, in a process of its own.

Everything is read in one snapshot of the database, while the house goes on. Read models (I6) are folded anew from the
rows that they had in the snapshot before, and the result is held against the rows that they have now. So a look costs
what came since the last one, not the whole log.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import islice
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any, Final

from psycopg import Connection

from adapters.database.connections import connect
from adapters.event_store import LogReader
from adapters.event_store.rows import recorded
from domain.hands import Category, rank_five
from domain.rounds.events import RoundCancelled, RoundSettled, RoundVoided, ShowdownHeld
from domain.wallets.events import Deposited, Withdrawn
from services.ports import Recorded
from tests.faults.invariants import Findings, shortened
from tests.faults.refold import Refold
from tests.faults.stage import OPERATOR
from tests.faults.walk import ChainWalk, MoneyWalk

PAGE: Final = 2_000
KEPT_LOOKS: Final = 2
"""A round is forgotten when it has ended so many looks ago."""

_KEPT: Final = f"""
    SELECT r.key, r.body, r.position FROM unnest(%s::text[]) AS k (key)
    JOIN idempotency r ON r.operator = '{OPERATOR}' AND r.scope = 'key' AND r.key = k.key"""


@dataclass(slots=True)
class Look:
    """What one look found."""

    position: int
    findings: Findings
    turns: int
    """Appends so far."""
    hands: dict[str, Counter[Category]]
    """Of the dealer and of the first seat, by category: one of each in a round."""


@dataclass(slots=True)
class Follower:
    """Looks, one after the other."""

    writer: str
    projector: str
    money: MoneyWalk = field(default_factory=MoneyWalk)
    chain: ChainWalk = field(default_factory=ChainWalk)
    refold: Refold = field(default_factory=Refold)
    hands: dict[str, Counter[Category]] = field(default_factory=lambda: {"dealer": Counter(), "first seat": Counter()})
    turns: int = 0
    effects: list[str] = field(default_factory=list)
    _last_turn: datetime | None = None
    _causes: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By key: the command that it caused and the position of its last event, since the last look."""
    _transactions: set[str] = field(default_factory=set)
    _ended: set[str] = field(default_factory=set)
    _forgotten: deque[set[str]] = field(default_factory=deque)

    def close(self) -> None:
        """Let the last snapshot go."""
        self.refold.close()

    def look(self, acknowledged: Path) -> Look:
        """At what came since the last look; the file holds what callers were told."""
        with connect(self.writer) as kept:
            kept.execute("SET enable_seqscan = off")
            conn = snapshot(self.projector)
            self.refold.begin(conn)
            for page in _pages(LogReader(conn, PAGE).raw(self.chain.position)):
                events = []
                for row in page:
                    self.chain.take(row)
                    events.append(recorded(row.position, row.stream, row.version, row.name, row.state))
                for one in events:
                    self._take(one)
                self.refold.take(events)
            models = self.refold.end()
            lost = self._acknowledged(kept, acknowledged)
            self._one_effect(kept)
        found = {
            "I1": self.money.sums(), "I2": lost, "I3": self.effects, "I4": self.money.below, "I5": self.money.pools,
            "I6": models, "I7": [*self.chain.gaps, *self.refold.stopped], "I8": self.chain.forks,
        }  # fmt: skip
        self._forget()
        return Look(self.chain.position, {code: shortened(one) for code, one in found.items()}, self.turns, self.hands)

    def _take(self, one: Recorded) -> None:
        self.money.take(one)
        if one.recorded_at != self._last_turn:
            self.turns += 1
            self._last_turn = one.recorded_at
        if (key := one.meta.idempotency_key) is not None:
            cause, _ = self._causes.setdefault(key, (one.meta.causation, 0))
            if cause != one.meta.causation:
                self.effects.append(f"key {key} had a second effect at position {one.position}")
            self._causes[key] = cause, one.position
        match one.event:
            case Deposited(transaction_id=name) | Withdrawn(transaction_id=name):
                if name in self._transactions:
                    self.effects.append(f"transaction {name} moved money again at position {one.position}")
                self._transactions.add(name)
            case ShowdownHeld(cards=cards):
                self.hands["dealer"][rank_five(cards.dealer).category] += 1
                first = cards.shared or cards.seats[0].cards
                self.hands["first seat"][rank_five(first).category] += 1
            case RoundSettled(round=name) | RoundVoided(round=name) | RoundCancelled(round=name):
                self._ended.add(name)

    def _acknowledged(self, kept: Connection, file: Path) -> list[str]:
        """I2: what callers were told is kept, with the same answer."""
        found = []
        for lines in _chunks(file):
            told = {key: (int(position), digest) for key, position, digest in (line.split() for line in lines)}
            rows = {key: (body, position) for key, body, position in kept.execute(_KEPT, [list(told)])}
            for key, (position, digest) in told.items():
                body, at = rows.get(key, (None, 0))
                if body is None or at != position or sha256(body).hexdigest() != digest:
                    found.append(f"key {key} was acknowledged at {position} and is not kept so")
        return found

    def _one_effect(self, kept: Connection) -> None:
        """I3: a key's record stands at the last event of the one command that it caused; a second effect of the key,
        however long after, would have no record of its own."""
        keys = iter(self._causes)
        while some := list(islice(keys, PAGE)):
            rows = {key: position for key, _, position in kept.execute(_KEPT, [some])}
            self.effects += [
                f"key {key} had an effect up to position {self._causes[key][1]}, its record stands at {rows.get(key)}"
                for key in some
                if rows.get(key) != self._causes[key][1]
            ]
        self._causes.clear()

    def _forget(self) -> None:
        self._forgotten.append(self._ended)
        self._ended = set()
        if len(self._forgotten) > KEPT_LOOKS:
            old = self._forgotten.popleft()
            for part in (self.money, self.chain, self.refold):
                part.forget(old)


def follow(pipe: Pipe, writer: str, projector: str) -> None:
    """What the process does: a look for each file that comes, until None does."""
    with closing(Follower(writer, projector)) as follower:
        while (file := pipe.recv()) is not None:
            try:
                pipe.send(follower.look(file))
            except Exception as fault:  # told to the run, which fails with it
                pipe.send(RuntimeError(f"the follower: {type(fault).__name__}: {fault}"))
                return


def snapshot(conninfo: str) -> Connection:
    """A connection on which the database stays as it is now."""
    conn = connect(conninfo)
    conn.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    return conn


def _pages(rows: Iterator[Any]) -> Iterator[list[Any]]:
    while page := list(islice(rows, PAGE)):
        yield page


def _chunks(file: Path) -> Iterator[list[str]]:
    with file.open() as lines:
        while some := list(islice(lines, PAGE)):
            yield some
