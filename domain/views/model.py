"""What a read model is: a pure fold of the log into rows.

A model names the rows that it must see for a fact (`keys`) and says what becomes of them (`fold`). It asks no
clock and no database, so the same log gives the same rows, byte for byte, however often and in whatever batches it is
folded.

Rows lie in groups, in the order of their keys. A group begins with the kind of its rows: `table`, `seat/{round}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, Generic, NamedTuple, TypeVar

from domain.frozen import dataclass
from domain.rounds.events import RoundOpened
from domain.streams import Event

R = TypeVar("R")

_DIGITS: Final = 19
"""Digits of the largest position, so that texts of positions sort as the positions do."""


@dataclass(frozen=True, slots=True)
class Fact:
    """An event as a model sees it.

    `name` is the event's stable name, `command` the id of the command that caused it, `opened` the opening of the
    round that the event belongs to (None where it belongs to none).
    """

    position: int
    stream: str
    operator: str
    recorded_at: datetime
    entry: int
    command: str
    name: str
    event: Event
    opened: RoundOpened | None

    @property
    def at(self) -> str:
        """`recorded_at` as text (see `time_text`)."""
        return time_text(self.recorded_at)

    @property
    def place(self) -> str:
        """The position as a key."""
        return place(self.position)

    @property
    def round_opened(self) -> RoundOpened:
        """The opening of the event's round; LookupError when the log holds none, which stops the model here."""
        if self.opened is None:
            raise LookupError("the opening of the event's round cannot be read")
        return self.opened


class RowKey(NamedTuple):
    """Where a row lies within one operator's rows of a model."""

    grp: str
    key: str

    @property
    def kind(self) -> str:
        """What kind of row it is."""
        return self.grp.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Model(Generic[R]):
    """A read model; R is the union of its rows' classes.

    `kinds` maps the kind of a group to the class of its rows: frozen dataclasses of plain types. `reads` are the
    events that it looks at. `fold` gets the rows named by `keys`, in that order (absent ones are None), and returns
    what changed; None takes a row away. Beside the rows that it was given it may add rows whose keys are made of the
    fact's position, so that they cannot exist yet.

    `by_player` are events that lie in a wallet or with a seat, and look at rows of their player alone that no other
    event than these looks at: so those of one player can be folded apart from those of another.
    """

    name: str
    kinds: Mapping[str, type[Any]]
    reads: frozenset[type[Event]]
    keys: Callable[[Fact], tuple[RowKey, ...]]
    fold: Callable[[Mapping[RowKey, R | None], Fact], Mapping[RowKey, R | None]]
    by_player: frozenset[type[Event]] = frozenset()


def place(position: int) -> str:
    """A position as text that sorts."""
    return str(position).zfill(_DIGITS)


def optional_text(at: datetime | None) -> str | None:
    """A time as text, where there is one."""
    return None if at is None else time_text(at)


@lru_cache(256)  # what one turn of the writer appends has one time
def time_text(at: datetime) -> str:
    """A time in UTC with six decimals, such as `2026-11-29T19:33:31.066256Z`: texts sort as the times do."""
    return f"{at.astimezone(UTC).isoformat(timespec='microseconds')[:-6]}Z"
