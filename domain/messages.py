"""Messages in the chat of tables, whose texts lie outside the log and go after 90 days (S0-39, S3-22, C30).

An event holds only a text's seal: SHA-256 over a random salt and the text. Salt and text lie side by side in a store
of their own and go together, and a seal without its salt tells nothing. See docs/adr/0010.
"""

from __future__ import annotations

import hashlib
import unicodedata
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, assert_never

from domain.changing import replace
from domain.errors import Invalid, NotFound, WrongPhase
from domain.frozen import dataclass

KEPT: Final = timedelta(hours=90 * 24)
"""How long a text is kept: as long, and no longer (C30; GLI-19 A.4.7)."""

TEXT_CHARS_MAX: Final = 500

_NO_TEXT: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that override the direction of what stands around them: a message must not rewrite its neighbours."""


_EMPTY: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and a symbol that show nothing: fillers of Hangul, and the Braille pattern without dots."""


class Author(StrEnum):
    """Who wrote: a player at the table, or the house."""

    PLAYER = "PLAYER"
    HOUSE = "HOUSE"


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """Somebody wrote at a table (S0-39). The text is not here: `seal` is SHA-256 over its salt and it, in hex."""

    message: str
    table: str
    by: Author
    player: str | None
    seal: str


@dataclass(frozen=True, slots=True)
class MessageWithdrawn:
    """The house took a message back: players do not see its text any more (S3-22)."""

    message: str
    table: str
    reason: str


MessageEvent = MessagePosted | MessageWithdrawn


@dataclass(frozen=True, slots=True)
class Message:
    """State of one message."""

    message: str
    table: str
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Post:
    """Write. Whether the writer may is asked before."""

    message: str
    table: str
    by: Author
    player: str | None
    text: str
    salt: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take a message of this table back."""

    table: str
    reason: str


MessageCommand = Post | Withdraw


def decide(command: MessageCommand, state: Message | None) -> tuple[MessageEvent, ...]:
    """The events that `command` causes, or a Refusal; a message is withdrawn once."""
    match command:
        case Post(message, table, by, player, text, salt):
            return (MessagePosted(message, table, by, player, seal_of(checked_text(text), salt)),)
        case Withdraw(table, reason):
            if state is None or state.table != table:
                raise NotFound("no such message at this table", field="message")
            if state.withdrawn:
                raise WrongPhase("the message is withdrawn already", field="message")
            return (MessageWithdrawn(state.message, table, reason),)
        case _:
            assert_never(command)


def evolve(state: Message | None, event: MessageEvent) -> Message:
    """The message after `event`; no rule is looked at."""
    if isinstance(event, MessagePosted):
        return Message(event.message, event.table)
    if state is None:
        raise ValueError("a message's first event posts it")
    return replace(state, withdrawn=True)


def checked_text(text: str) -> str:
    """`text` when people can read it: 1 to 500 characters on one line, no control characters, no lone surrogates, no
    marks that turn its direction, and something to see; else Invalid that names `text`.
    """
    if not 1 <= len(text) <= TEXT_CHARS_MAX:
        raise Invalid(f"a message has 1 to {TEXT_CHARS_MAX} characters", field="text")
    kinds = {unicodedata.category(one) for one in set(text) - _EMPTY}
    if kinds & _NO_TEXT or _TURNING & set(text):
        raise Invalid("a message is one line without control characters", field="text")
    if all(kind[0] in "CZM" for kind in kinds):
        raise Invalid("a message must not be blank", field="text")
    return text


def seal_of(text: str, salt: str) -> str:
    """What the event holds in place of the text: SHA-256 over the salt, a zero byte and the text, in hex."""
    return hashlib.sha256(f"{salt}\0{text}".encode()).hexdigest()


def is_kept(posted_at: datetime, now: datetime) -> bool:
    """Whether a text of that time is still there: up to the moment at which it is 90 days old (C30)."""
    return now - posted_at < KEPT
