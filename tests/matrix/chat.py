"""The chat of a table: who may write, what the house takes back, who is removed (S0-39, S3-22, C30)."""

from __future__ import annotations

from domain.rules import ChatPolicy
from services import commands as c
from tests.domain.showdowns import LIVE
from tests.matrix import rounds
from tests.matrix.floor import TABLE
from tests.matrix.subject import Row, Scene, State, Subject

SALT, WHY = "5a" * 16, "abuse"


def _write(at: Scene, session: str | None = None) -> c.PostMessage:
    return c.PostMessage(at["t"], at["ann"], "good luck", SALT, session)


def _set(at: Scene, mode: ChatPolicy) -> c.SetChat:
    return c.SetChat(at["t"], mode, "quiet hours")


def _voice(at: Scene, *, may_write: bool) -> c.SetVoice:
    return c.SetVoice(at["ann"], may_write, WHY)


async def no_table(at: Scene) -> None:
    await at.money("ann", 10_000)


async def away(at: Scene) -> None:
    """A table with a chat, and ann elsewhere."""
    await no_table(at)
    await at.casino.table(at["t"], LIVE)


async def there(at: Scene) -> None:
    await away(at)
    await at.casino.submit(c.JoinTable(at["t"], at["ann"], None, at["phone"], None))


async def written(at: Scene) -> None:
    await there(at)
    at.message = (await at.casino.submit(_write(at), status=201))["message"]


async def withdrawn(at: Scene) -> None:
    await written(at)
    await at.casino.submit(c.WithdrawMessage(at["t"], at.message, WHY))


async def house_only(at: Scene) -> None:
    await written(at)
    await at.casino.submit(_set(at, ChatPolicy.SYSTEM_ONLY))


async def off(at: Scene) -> None:
    await written(at)
    await at.casino.submit(_set(at, ChatPolicy.OFF))


async def removed(at: Scene) -> None:
    await written(at)
    await at.casino.submit(_voice(at, may_write=False))


async def barred(at: Scene) -> None:
    await written(at)
    await at.casino.disable(c.Scope.PLAYER, at["ann"])


async def hand_out(at: Scene) -> None:
    """A game whose page closes the chat to players, at a table that opens it."""
    await rounds.deciding(at)
    await at.casino.submit(_set(at, ChatPolicy.ON))
    await at.casino.submit(c.JoinTable(at["t"], at["ann"], 1, at["phone"], None))


CHAT, MESSAGE = f"{TABLE}/chat", f"POST {TABLE}/chat/{{message}}/withdraw"
SUBJECT = Subject(
    "A table's chat",
    "The table's game has a chat for players, who join by `phone`. `-` for a mode: it is in force already.",
    {
        "unheard of": State("no table of this id", no_table),
        "away": State("the player is not at the table", away),
        "there": State("the player is at the table, nobody has written", there),
        "written": State("the player has written", written),
        "withdrawn": State("the player has written, and the house took it back", withdrawn),
        "house only": State("the player has written, and now the house alone may", house_only),
        "off": State("the player has written, and the chat was closed", off),
        "removed": State("the player has written, and was removed from all chats", removed),
        "barred": State("the player has written, and was disabled", barred),
        "hand out": State(
            "a game whose hands are not talked of, cards are out; the operator opened the chat", hand_out
        ),
    },
    (
        Row("write", f"POST {CHAT}", _write, 201),
        Row("write by phone", f"POST {CHAT}", lambda at: _write(at, at["phone"]), 201),
        Row("write by tablet", f"POST {CHAT}", lambda at: _write(at, at["tablet"]), 201),
        Row("announce", f"POST {TABLE}/announcements", lambda at: c.Announce(at["t"], "welcome", SALT), 201),
        Row("set on", f"PATCH {CHAT}", lambda at: _set(at, ChatPolicy.ON)),
        Row("set house only", f"PATCH {CHAT}", lambda at: _set(at, ChatPolicy.SYSTEM_ONLY)),
        Row("set off", f"PATCH {CHAT}", lambda at: _set(at, ChatPolicy.OFF)),
        Row("take the message back", MESSAGE, lambda at: c.WithdrawMessage(at["t"], at.message, WHY)),
        Row("remove the player", "POST /v1/players/{player}/chat/remove", lambda at: _voice(at, may_write=False)),
        Row("restore the player", "POST /v1/players/{player}/chat/restore", lambda at: _voice(at, may_write=True)),
    ),
)
