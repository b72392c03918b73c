"""Whole logs of the past, kept for ever: what their events add up to must never change (F15).

`python -m tests.golden.events.history` plays those that are not there yet; new kinds of events get a new log in
`PLAYED`. A log that stands is never played anew: it is what a database out there holds. Each line is an event as
stored, with its stream and version; the file of the same name that ends with `.sha256` holds the hash of what they
add up to.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final
from unittest.mock import patch

from adapters.codec import CODEC
from domain.ids import stream_kind
from domain.rounds.decider import Round
from domain.streams import Event
from services.commands.presence import SetSettings
from services.ports import Recorded
from tests.domain.showdowns import EURO, LIVE
from tests.golden.events.generate import FOLDER
from tests.matrix import approvals, chat, devices, floor, money, pools, reconciled, rounds, seats
from tests.matrix.subject import Scene, Subject
from tests.support.books import Books
from tests.support.cards import FLUSH, ROYAL, hand
from tests.support.casino import Casino, Play

Cell = tuple[Subject, str, str]

FIRST: Final = (
    *((seats.SUBJECT, name, "") for name in ("doubled", "undone", "passed", "left", "folded", "ante void")),
    *((rounds.SUBJECT, name, "") for name in ("paused late", "cancelled", "voided")),
    (rounds.SUBJECT, "paused", "resume"),
    (rounds.SUBJECT, "settled", "resettle"),
    (rounds.SUBJECT, "in review", "resolve"),
    *((floor.PRESENCE, name, "") for name in ("replaced", "gone")),
    (floor.TABLES, "out, in play", "enable"),
    (money.PLAYERS, "money held", "adjust by -1.00"),
    (money.PLAYERS, "limit", "settings"),
    (money.PLAYERS, "barred", "enable"),
    *((money.TRANSACTIONS, name, "") for name in ("deposit undone", "withdrawal undone", "tombstone")),
    (pools.JACKPOTS, "terms wait", "correct by 1.00"),
    (pools.JACKPOTS, "open", "transfer"),
    (pools.JACKPOTS, "out of service", "enable"),
    *((pools.PRIZES, name, "") for name in ("verified", "refused", "voided")),
    (pools.PRIZES, "paid", "resettle"),
    (floor.HOUSE, "all out of service", "enable all"),
)
SECOND: Final = (
    (rounds.SUBJECT, "scanned", "put the first card right"),
    (rounds.SUBJECT, "scanned", "deal as scanned"),
    (rounds.SUBJECT, "scanning", "void"),
    (floor.PRESENCE, "alone", ""),
    *((chat.SUBJECT, name, "") for name in ("withdrawn", "house only", "off", "hand out", "barred")),
    (chat.SUBJECT, "there", "announce"),
    (chat.SUBJECT, "removed", "restore the player"),
    (devices.SUBJECT, "replaced", "set several"),
)
SLICED: Final = "log-v3"
"""A void that takes more than one append: slices of one seat, two seats."""
CLOSED: Final = "log-v4"
"""Closing entries after every second event, in streams of all four kinds that get them."""
PROPOSED: Final = (
    *((approvals.SUBJECT, name, "approve") for name in ("adjustment", "void", "resettlement", "correction")),
    *((approvals.SUBJECT, name, "approve") for name in ("transfer", "prize", "refusal")),
    *((approvals.SUBJECT, name, "") for name in ("rejected", "withdrawn")),
)
RECONCILED: Final = (
    *((reconciled.SUBJECT, name, "") for name in ("resolved", "sealed")),
    (approvals.SUBJECT, "sign-off", "approve"),
)
PLAYED: Final[dict[str, Sequence[Cell]]] = {
    "log-v1": FIRST,
    "log-v2": SECOND,
    SLICED: (),
    CLOSED: (),
    "log-v5": PROPOSED,
    "log-v6": RECONCILED,
}
"""By log the cells of the matrix of states that are played, one after the other in one casino; no row: the way there
alone.
"""


@dataclass(frozen=True, slots=True)
class Line:
    """An event as it was stored."""

    stream: str
    version: int
    name: str
    state: bytes

    def text(self) -> str:
        """As it stands in the file."""
        entry = {"stream": self.stream, "version": self.version, "name": self.name, "state": self.state.decode()}
        return json.dumps(entry, ensure_ascii=False) + "\n"


def logs() -> list[Path]:
    """Every golden log."""
    return sorted(FOLDER.glob("log-*.jsonl"))


def lines(path: Path) -> Iterator[Line]:
    """The events of a log in order."""
    for text in path.read_text("utf-8").splitlines():
        entry = json.loads(text)
        yield Line(entry["stream"], entry["version"], entry["name"], entry["state"].encode())


def read(path: Path) -> list[Recorded]:
    """The events of a log, decoded as today's."""
    found = []
    for position, one in enumerate(lines(path), 1):
        event, meta, entry, at = CODEC.decode(one.name, one.state)
        found.append(Recorded(position, one.stream, one.version, event, entry, meta, at))
    return found


def state_hash(events: Iterable[Recorded]) -> str:
    """SHA-256 of every account, every stream's version and every round's phase, with all laws held on the way."""
    books = Books()
    books.read(list(events))
    books.check()
    facts = [f"{currency} {account} {micro}" for (currency, account), micro in books.standing().items()]
    for stream, (state, version) in books.states.items():
        phase = state.phase.value if stream_kind(stream) == "round" and isinstance(state, Round) else ""
        facts.append(f"{stream} {version} {phase}")
    return sha256("\n".join(sorted(facts)).encode()).hexdigest()


def kept_hash(path: Path) -> str:
    """What the log added up to when it was put here."""
    return path.with_suffix(".sha256").read_text("ascii").strip()


async def _undone_in_slices(casino: Casino) -> None:
    await casino.table("t", LIVE)
    for player in ("ann", "bob"):
        await casino.player(player, deposit=10_000)
    round_id = await casino.played("t", {one: Play() for one in ("ann", "bob")})
    with patch("services.handlers.undoing.SEATS_PER_APPEND", 1):
        await casino.void(round_id)


async def _with_closing_entries(casino: Casino) -> None:
    with patch("domain.carrying.CARRY_EVERY", 2):
        await casino.jackpot("j", EURO)
        await casino.table("t", EURO, jackpot="j")
        for player in ("ann", "bob"):
            await casino.player(player, deposit=10_000)
            await casino.submit(SetSettings(player, True, None, None, None, None))
        for cards in (FLUSH, ROYAL):
            round_id = await casino.played("t", {"ann": Play(1, hand(cards, 1)), "bob": Play(2)})
        await casino.void(round_id)


async def _played(name: str, cells: Sequence[Cell]) -> list[Line]:
    async with Casino() as casino:
        for nth, (subject, state, text) in enumerate(cells):
            scene = Scene(casino, f".{nth}")
            casino.is_strict = subject.is_strict
            await subject.states[state].reach(scene)
            for row in subject.rows:
                if row.text == text:
                    await casino.submit(row.make(scene), status=row.status)
        if name == SLICED:
            await _undone_in_slices(casino)
        if name == CLOSED:
            await _with_closing_entries(casino)
        return [
            Line(one.stream, one.version, *CODEC.encode(one.event, one.meta, one.entry, one.recorded_at))
            for one in await casino.everything()
        ]


def kinds(events: Iterable[Recorded]) -> set[type[Event]]:
    """The classes of events in a log."""
    return {type(one.event) for one in events}


def main() -> None:
    """Play the logs that are not there."""
    for name, cells in PLAYED.items():
        path = FOLDER / f"{name}.jsonl"
        if path.exists():
            continue
        path.write_text("".join(one.text() for one in asyncio.run(_played(name, cells))), encoding="utf-8")
        path.with_suffix(".sha256").write_text(state_hash(read(path)) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
