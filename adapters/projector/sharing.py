"""Models that can be folded player by player, in two processes: each folds the events of its own players.

An event that a process has no use for is not even decoded there, so that the two do not decode all of the log twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final
from zlib import crc32

from adapters.codec import NAMES
from adapters.projector.facts import Stored
from domain.ids import player_of_stream
from domain.views.model import Fact, Model

_KEPT: Final = 20_000


class _Streams(dict[str, tuple[str, bool]]):
    """For the name of a stream whose it is, and whether that is a player of the share: one whose number is in `low` to
    `high` - 1.
    """

    def __init__(self, low: int, high: int) -> None:
        super().__init__()
        self._low, self._high = low, high

    def __missing__(self, stream: str) -> tuple[str, bool]:
        if len(self) >= _KEPT:
            self.clear()
        player = player_of_stream(stream)
        made = self[stream] = player, self._low <= crc32(player.encode()) % 100 < self._high
        return made


class Share:
    """Players of whom a process folds what can be folded by player: those whose number, of a hundred, is in `low` to
    `high` - 1. `by_player` are the events that this is about.
    """

    def __init__(self, models: Iterable[Model[Any]], low: int, high: int) -> None:
        known = list(models)
        self.by_player = frozenset[type[Any]]().union(*(one.by_player for one in known))
        read_whole = frozenset[type[Any]]().union(*(one.reads - one.by_player for one in known))
        self._alone = frozenset(name for name, cls in NAMES.items() if cls in self.by_player - read_whole)
        self._streams = _Streams(low, high)

    def useful(self, rows: Sequence[Stored]) -> list[Stored]:
        """Stored events without those of other players that no model reads whoever the player is."""
        alone, streams = self._alone, self._streams
        return [row for row in rows if row[3] not in alone or streams[row[1]][1]]

    def takes(self, fact: Fact) -> bool:
        """Whether an event by player is one of theirs. ValueError where its stream is another player's."""
        event: Any = fact.event  # what is read by player has one
        player, is_mine = self._streams[fact.stream]
        if event.player != player:
            raise ValueError("its stream is another player's")
        return is_mine
