"""A player's devices, where an operator allows several, or one overall (C29)."""

from __future__ import annotations

from services import commands as c
from tests.domain.showdowns import EURO
from tests.matrix import rounds
from tests.matrix.floor import TABLE
from tests.matrix.subject import Row, Scene, State, Subject


def _join(at: Scene, table: str, session: str) -> c.JoinTable:
    return c.JoinTable(at[table], at["ann"], 1, at[session], None)


def _one(*, on: bool) -> c.SetOneDevice:
    return c.SetOneDevice(on, "one terminal for each patron")


async def phone(at: Scene) -> None:
    """ann at one of two tables, where a round is open for bets."""
    await rounds.empty(at)
    await at.casino.table(at["u"], EURO)
    await at.casino.submit(_join(at, "t", "phone"))


async def both(at: Scene) -> None:
    await phone(at)
    await at.casino.submit(_join(at, "u", "tablet"))


async def one(at: Scene) -> None:
    await phone(at)
    await at.casino.submit(_one(on=True))


async def replaced(at: Scene) -> None:
    await one(at)
    await at.casino.submit(_join(at, "u", "tablet"))


async def too_many(at: Scene) -> None:
    await both(at)
    await at.casino.submit(_one(on=True))


async def again(at: Scene) -> None:
    await replaced(at)
    await at.casino.submit(_one(on=False))
    await at.casino.submit(_join(at, "t", "phone"))


def _wager(at: Scene, session: str | None) -> c.PlaceWager:
    return c.PlaceWager(at.round, at["ann"], 1, 500, 0, 0, session)


SUBJECT = Subject(
    "A player's devices",
    "A player has a `phone` and a `tablet`; a round is open for bets at the table that the phone joins.",
    {
        "several": State("several devices: the phone at one table", phone),
        "both": State("several devices: the phone at one table, then the tablet at another", both),
        "one": State("one device overall: the phone at one table", one),
        "replaced": State("one device overall: the phone at one table, then the tablet at another", replaced),
        "too many": State("the phone and then the tablet were there when one device overall was set", too_many),
        "again": State("several devices again, each at its table", again),
    },
    (
        Row("set one device", "POST /v1/one-device", lambda _: _one(on=True)),
        Row("set several", "POST /v1/one-device", lambda _: _one(on=False)),
        Row("join by phone", f"POST {TABLE}/join", lambda at: _join(at, "t", "phone")),
        Row("join elsewhere by tablet", f"POST {TABLE}/join", lambda at: _join(at, "u", "tablet")),
        Row("wager by phone", rounds.ROUND + "wagers", lambda at: _wager(at, at["phone"]), 201),
        Row("wager, no device named", rounds.ROUND + "wagers", lambda at: _wager(at, None), 201),
        Row("leave by phone", f"POST {TABLE}/leave", lambda at: c.LeaveTable(at["t"], at["ann"], at["phone"])),
    ),
    alone=True,
)
