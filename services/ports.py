"""What the services need from outside, as protocols; adapters meet them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import field
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.dealing import Deck
from domain.frozen import dataclass
from domain.rounds.events import RoundOpened
from domain.streams import Event


@dataclass(frozen=True, slots=True)
class Meta:
    """Who caused an event, and by which request. Times are UTC with microseconds.

    `causation` is the id of the command, `correlation` the round or process that it belongs to.
    """

    operator: str
    actor: str
    key_id: str
    request_id: str
    idempotency_key: str | None
    correlation: str
    causation: str
    effective_at: datetime
    traceparent: str | None = None


class Pending(NamedTuple):  # made with every event, and a tuple is made quicker than a frozen dataclass
    """An event that is about to be appended: the next `version` of `stream` (counted from 1).

    `entry` numbers the ledger entries within one command: the lines of all its events with one number sum to zero.
    """

    stream: str
    version: int
    event: Event
    entry: int
    meta: Meta
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it stands in the log, at its final position."""

    position: int
    stream: str
    version: int
    event: Event
    entry: int
    meta: Meta
    recorded_at: datetime


class Told(NamedTuple):  # made with every event that a report reads
    """An event with its stable name and the opening of the round that it belongs to, None where it belongs to none."""

    one: Recorded
    name: str
    opened: RoundOpened | None

    @property
    def round_opened(self) -> RoundOpened:
        """The opening of the event's round; LookupError when the log holds none."""
        if self.opened is None:
            raise LookupError(f"position {self.one.position}: the opening of the event's round cannot be read")
        return self.opened


Key = tuple[str, str, str]
"""Operator, scope (`key`, `transaction` or `answer`), text: what an idempotency record is looked up by."""


class KeyRecord(NamedTuple):
    """What a key has served: the request's fingerprint and the answer, byte by byte.

    `body` None: the answer is made from the round's events once the work that the request began has ended.
    """

    key: Key
    fingerprint: bytes
    status: int
    body: bytes | None
    position: int


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a chat message, kept outside the log until it is 90 days old; `salt` belongs to its event's seal."""

    operator: str
    message: str
    text: str = field(repr=False)
    salt: str = field(repr=False)
    posted_at: datetime


@dataclass(frozen=True, slots=True)
class Loaded:
    """Streams read from the log; `broken` names those that cannot be decoded, with the reason."""

    events: Sequence[Recorded]
    broken: Mapping[str, str]


class LogUnavailable(Exception):
    """The log cannot be written now; nothing happened."""


class OutcomeUnknown(Exception):
    """The connection was lost while COMMIT was under way: it may have happened or not."""


class NewerEvent(Exception):
    """The log holds an event that this version does not know: it must not write any more."""


class Turn(Protocol):
    """One transaction of the writer, under its lock: it alone may append until the turn ends."""

    @property
    def head(self) -> int:
        """Position of the last event, 0 when there is none."""

    @property
    def news(self) -> Sequence[Recorded] | None:
        """What others appended past `after`; None when that is too much to read: drop every cached state."""

    @property
    def records(self) -> Mapping[Key, KeyRecord]:
        """The idempotency records of the keys asked for, where they exist."""

    @property
    def last_recorded_at(self) -> datetime | None:
        """When the last event known to this process was recorded."""

    async def load(self, streams: Collection[str], prefixes: Collection[str]) -> Loaded:
        """The events of `streams`, and of all streams whose name begins with one of `prefixes`, in one query. A stream
        that holds closing entries may come from its newest one on.
        """

    async def append(self, events: Sequence[Pending], records: Sequence[KeyRecord], texts: Sequence[Text] = ()) -> None:
        """Append all at positions head + 1 and on, with the records and the texts, notify, and commit.

        Raises LogUnavailable (nothing happened) or OutcomeUnknown.
        """


class Log(Protocol):
    """The event log as its one writer sees it."""

    def turn(self, keys: Collection[Key], after: int | None) -> AbstractAsyncContextManager[Turn]:
        """Begin a transaction, take the lock, read what came past `after` (None: only the head) and the records.

        Leaving it without `append` rolls back. Raises LogUnavailable when the lock or the database cannot be had.
        """


class Texts(Protocol):
    """What has an end, as who removes it sees it: texts of chat messages, lines of the access log."""

    async def forget(self, until: datetime) -> int:
        """Remove everything of `until` and before; how many went. Raises Unavailable."""


class Clock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """UTC, aware, with microseconds."""


class Ids(Protocol):
    """New ids."""

    def new(self) -> str:
        """A time-ordered UUID."""


class Shoe(Protocol):
    """Where our own shuffles come from."""

    def shuffle(self) -> Deck:
        """A fresh unbiased shuffle from the operating system's randomness (S0-03)."""


class Vault(Protocol):
    """Sealed cards: text that nobody may read before its time. A context ties it to one operator, round and use."""

    def seal_deck(self, deck: Deck, context: str) -> str:
        """The deck and its salt, sealed; safe to store."""

    def open_deck(self, sealed: str, context: str) -> Deck:
        """The deck again; raises Unavailable when the key is missing, or the seal is not of this context."""

    def seal_cards(self, cards: Sequence[str], context: str) -> str:
        """Cards in this order, sealed."""

    def open_cards(self, sealed: str, context: str) -> tuple[str, ...]:
        """The cards again; raises as `open_deck`."""
