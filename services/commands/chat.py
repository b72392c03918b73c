"""Commands about the chat of tables. A message's id is the command's id; its salt is drawn with the command."""

from __future__ import annotations

from dataclasses import field

from domain.frozen import dataclass
from domain.rules import ChatPolicy


@dataclass(frozen=True, slots=True)
class PostMessage:
    """A player writes at a table (S0-39); the text stays out of every log and trace."""

    table: str
    player: str
    text: str = field(repr=False)
    salt: str = field(repr=False)
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Announce:
    """The house writes at a table."""

    table: str
    text: str = field(repr=False)
    salt: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SetChat:
    """Say who may write at a table (C30)."""

    table: str
    mode: ChatPolicy
    reason: str


@dataclass(frozen=True, slots=True)
class WithdrawMessage:
    """Take a message back (S3-22)."""

    table: str
    message: str
    reason: str


@dataclass(frozen=True, slots=True)
class SetVoice:
    """Remove a player from the chat of all tables, or let the player write again (S3-22)."""

    player: str
    may_write: bool
    reason: str
