"""Tables, and players at them."""

from __future__ import annotations

from dataclasses import replace

from services import commands as c
from tests.domain.showdowns import EURO
from tests.matrix import rounds
from tests.matrix.subject import Row, Scene, State, Subject

TERMS = c.OpenTable(
    "", EURO, "EUR", 100, 100_000, None, None, None, None, "FEED", "MANUAL", "FULL", None, None, 15, 5, None, 5, 3600
)
SERVICE, REASON = "POST /v1/disable", "maintenance"


async def unheard(at: Scene) -> None:
    await at.money("ann", 10_000)


async def stopped(at: Scene) -> None:
    await rounds.table(at)
    await at.casino.disable(c.Scope.TABLE, at["t"])


async def stopped_in_play(at: Scene) -> None:
    await rounds.betting(at)
    await at.casino.disable(c.Scope.TABLE, at["t"])


def _join(at: Scene, seat: int = 1, session: str = "phone", table: str = "t", **more: str) -> c.JoinTable:
    return c.JoinTable(at[table], at["ann"], seat, at[session], **{"instead_of": None, **more})


def _service(at: Scene, *, off: bool) -> c.SetService:
    return c.SetService(c.Scope.TABLE, at["t"], off, REASON)


TABLE = "/v1/tables/{table}"
TABLES = Subject(
    "A table",
    "A round under way is finished while its table is out of service.",
    {
        "unheard of": State("no table of this id", unheard),
        "idle": State("no round yet", rounds.table),
        "in play": State("a round is open for bets", rounds.betting),
        "between rounds": State("the last round is paid", rounds.settled),
        "out of service": State("disabled", stopped),
        "out, in play": State("disabled while a round is open for bets", stopped_in_play),
    },
    (
        Row("open, the same", "POST /v1/tables", lambda at: replace(TERMS, table=at["t"]), 201),
        Row("open, other", "POST /v1/tables", lambda at: replace(TERMS, table=at["t"], ante_min_minor=200), 201),
        Row("open, played alone", "POST /v1/tables", lambda at: replace(TERMS, table=at["v"], multi_game=False), 201),
        Row("open a round", f"POST {TABLE}/rounds", lambda at: c.OpenRound(at["t"]), 201),
        Row(
            "wager", rounds.ROUND + "wagers", lambda at: c.PlaceWager(at.round or "none", at["ann"], 1, 500, 0, 0), 201
        ),
        Row("close", rounds.ROUND + "close", lambda at: c.CloseBetting(at.round or "none")),
        Row("join", f"POST {TABLE}/join", _join),
        Row("leave", f"POST {TABLE}/leave", lambda at: c.LeaveTable(at["t"], at["ann"])),
        Row("disable", SERVICE, lambda at: _service(at, off=True)),
        Row("enable", "POST /v1/enable", lambda at: _service(at, off=False)),
    ),
)


async def open_house(at: Scene) -> None:
    await rounds.betting(at)
    await at.casino.table(at["u"], EURO)


async def closed_house(at: Scene) -> None:
    await open_house(at)
    await at.casino.disable(c.Scope.ALL)


async def closed_game(at: Scene) -> None:
    await open_house(at)
    await at.casino.disable(c.Scope.RULESET, EURO)


def _all(*, off: bool) -> Row:
    what = "disable" if off else "enable"
    return Row(f"{what} all", f"POST /v1/{what}", lambda at: c.SetService(c.Scope.ALL, "", off, REASON))


def _game(*, off: bool) -> Row:
    what = "disable" if off else "enable"
    return Row(f"{what} the rule set", f"POST /v1/{what}", lambda at: c.SetService(c.Scope.RULESET, EURO, off, REASON))


HOUSE = Subject(
    "The house",
    "A round is open for bets at a table of the rule set. It is finished whatever is taken out of service.",
    {
        "in service": State("all games are played", open_house),
        "game out of service": State("the rule set is disabled", closed_game),
        "all out of service": State("everything is disabled", closed_house),
    },
    (
        _all(off=True),
        _all(off=False),
        _game(off=True),
        _game(off=False),
        Row("open a table", "POST /v1/tables", lambda at: replace(TERMS, table=at["v"]), 201),
        Row("open a round elsewhere", f"POST {TABLE}/rounds", lambda at: c.OpenRound(at["u"]), 201),
        Row("wager", rounds.ROUND + "wagers", lambda at: c.PlaceWager(at.round, at["ann"], 1, 500, 0, 0), 201),
        Row("close", rounds.ROUND + "close", lambda at: c.CloseBetting(at.round)),
        Row("join", f"POST {TABLE}/join", _join),
        Row("deposit", "POST /v1/players/{player}/deposits",
            lambda at: c.DepositFunds(at["ann"], 100, "EUR", at["x"]), 201),
        Row("register", "POST /v1/players", lambda at: c.RegisterPlayer(at["bob"], "EUR"), 201),
    ),
    alone=True,
)  # fmt: skip


async def away(at: Scene) -> None:
    """Three tables, one with an open round, one that is not played beside others; bob sits on seat 2 of it."""
    await rounds.table(at)
    await at.money("bob", 10_000)
    await at.casino.table(at["u"], EURO)
    await at.casino.table(at["v"], EURO, multi_game=False)
    await at.casino.submit(c.JoinTable(at["t"], at["bob"], 2, at["bobs"], None))
    at.round = await at.casino.round(at["t"])


async def there(at: Scene) -> None:
    await away(at)
    await at.casino.submit(_join(at))


async def replaced(at: Scene) -> None:
    await there(at)
    await at.casino.submit(_join(at, session="tablet"))


async def gone(at: Scene) -> None:
    await there(at)
    await at.casino.submit(c.LeaveTable(at["t"], at["ann"]))


async def alone(at: Scene) -> None:
    await away(at)
    await at.casino.submit(_join(at, table="v"))


async def with_bets(at: Scene) -> None:
    await there(at)
    await at.casino.wager(at.round, at["ann"], seat=1, ante=1_000)


async def barred(at: Scene) -> None:
    await there(at)
    await at.casino.disable(c.Scope.PLAYER, at["ann"])


PRESENCE = Subject(
    "A player at a table",
    "Another player sits on seat 2; a round is open for bets. `phone` and `tablet` are the player's devices.",
    {
        "away": State("not at the table", away),
        "there": State("on seat 1, by phone", there),
        "replaced": State("on seat 1, by phone and then by tablet", replaced),
        "with bets": State("on seat 1, by phone, with an ante", with_bets),
        "alone": State("at a table that is not played beside others", alone),
        "gone": State("joined by phone, and left", gone),
        "barred": State("on seat 1, by phone, and then disabled", barred),
    },
    (
        Row("join by phone", f"POST {TABLE}/join", _join),
        Row("join by tablet", f"POST {TABLE}/join", lambda at: _join(at, session="tablet")),
        Row("join, the other's seat", f"POST {TABLE}/join", lambda at: _join(at, seat=2)),
        Row("join, another seat", f"POST {TABLE}/join", lambda at: _join(at, seat=3)),
        Row("join, no such seat", f"POST {TABLE}/join", lambda at: _join(at, seat=9)),
        Row("switch to another table", f"POST {TABLE}/join", lambda at: _join(at, table="u", instead_of=at["t"])),
        Row("join a table played alone", f"POST {TABLE}/join", lambda at: _join(at, table="v")),
        Row("switch to it", f"POST {TABLE}/join", lambda at: _join(at, table="v", instead_of=at["t"])),
        Row("leave", f"POST {TABLE}/leave", lambda at: c.LeaveTable(at["t"], at["ann"])),
        Row("leave by phone", f"POST {TABLE}/leave", lambda at: c.LeaveTable(at["t"], at["ann"], at["phone"])),
        Row("leave seat 2", f"POST {TABLE}/leave", lambda at: c.LeaveTable(at["t"], at["ann"], None, 2)),
        Row(
            "wager by phone",
            rounds.ROUND + "wagers",
            lambda at: c.PlaceWager(at.round, at["ann"], 1, 500, 0, 0, at["phone"]),
            201,
        ),
    ),
)
