"""Chats of tables: who wrote when, without the texts, and what players are told of rounds (S0-39, S0-46, S3-22).

said/{table}    {position}    a message, or a notice of the house's system about a round of the table
gone/{table}    {message}     a message that was withdrawn
mode            {table}       who may write, where it was set
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from domain.chat import ChatModeSet
from domain.frozen import dataclass
from domain.messages import MessagePosted, MessageWithdrawn
from domain.rounds.notices import NOTICED, notice_of
from domain.views.model import Fact, Model, RowKey

SYSTEM: Final = "SYSTEM"
"""Author of notices."""


@dataclass(frozen=True, slots=True)
class Said:
    """One line of a chat. `by` is PLAYER, HOUSE or SYSTEM; a message has `message` and `seal`, a notice `notice`."""

    at: str
    by: str
    player: str | None
    message: str | None
    seal: str | None
    round: str | None
    notice: str | None


@dataclass(frozen=True, slots=True)
class Gone:
    """When and why a message was withdrawn."""

    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Mode:
    """Who may write, and why it was set."""

    mode: str
    reason: str | None


ChatRow = Said | Gone | Mode


def said_group(table: str) -> str:
    """Where the lines of a table lie, oldest first."""
    return f"said/{table}"


def gone_key(table: str, message: str) -> RowKey:
    """Where it is told that a message was withdrawn."""
    return RowKey(f"gone/{table}", message)


def mode_key(table: str) -> RowKey:
    """Where a table's mode lies."""
    return RowKey("mode", table)


def _keys(fact: Fact) -> tuple[RowKey, ...]:
    match fact.event:
        case MessageWithdrawn(message, table, _):
            return (gone_key(table, message),)
        case ChatModeSet(table, _, _):
            return (mode_key(table),)
        case _:
            return ()


def _fold(_: Mapping[RowKey, ChatRow | None], fact: Fact) -> Mapping[RowKey, ChatRow | None]:
    event = fact.event
    match event:
        case MessagePosted():
            said = Said(fact.at, event.by.value, event.player, event.message, event.seal, None, None)
            return {RowKey(said_group(event.table), fact.place): said}
        case MessageWithdrawn(message, table, reason):
            return {gone_key(table, message): Gone(fact.at, reason)}
        case ChatModeSet(table, mode, reason):
            return {mode_key(table): Mode(mode.value, reason)}
        case _:
            return _notice(fact)


def _notice(fact: Fact) -> Mapping[RowKey, ChatRow | None]:
    notice = notice_of(fact.event)
    if notice is None:
        return {}
    opened = fact.round_opened
    said = Said(fact.at, SYSTEM, None, None, None, opened.round, notice.value)
    return {RowKey(said_group(opened.terms.table), fact.place): said}


CHATS: Final[Model[ChatRow]] = Model(
    name="chats",
    kinds={"said": Said, "gone": Gone, "mode": Mode},
    reads=frozenset({MessagePosted, MessageWithdrawn, ChatModeSet, *NOTICED}),
    keys=_keys,
    fold=_fold,
)
