"""Timers over the log in memory: what they look at is folded from the events, as the real read models are."""

from __future__ import annotations

from api.main.watching import seen
from domain.rounds.events import Phase, RoundOpened
from domain.rounds.state import Round
from domain.views import MODELS
from domain.views.lobby import LOBBY, LobbyTable
from domain.views.model import Fact
from domain.views.open_rounds import OPEN_ROUNDS, OpenRound
from services.ports import Recorded
from services.timers import Seen, Timers
from tests.domain.views.folds import Rows, fold_into
from tests.support.casino import Casino
from tests.support.counter import OPERATOR


class Hall:
    """A casino with timers; time stands still but when it is told."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self.timers = Timers(casino.house, self.seen, casino.clock, casino.ids)
        self._read = 0
        self._rows: dict[str, Rows] = {LOBBY.name: {}, OPEN_ROUNDS.name: {}}
        self._opened: dict[str, RoundOpened] = {}

    async def look(self, after: float = 0) -> int:
        """Let so many seconds pass, then look once; how many commands were carried out."""
        self.casino.clock.forward(after)
        done = await self.timers.look()
        await self.casino.audit()
        return done

    async def restarted(self) -> Hall:
        """Another process with nothing but the log."""
        await self.casino.throw_away()
        return Hall(self.casino)

    async def seen(self) -> Seen:
        """What there is to look after, on models that hold every event."""
        async with self.casino.log.turn((), self._read) as turn:
            for one in turn.news or ():
                self._take(one)
        rounds = [row for row in self._rows[OPEN_ROUNDS.name].values() if isinstance(row, OpenRound)]
        tables = [(owner, row) for (owner, _), row in self._rows[LOBBY.name].items() if isinstance(row, LobbyTable)]
        return seen(rounds, tables)

    def _take(self, one: Recorded) -> None:
        self._read = one.position
        if isinstance(one.event, RoundOpened):
            self._opened[one.event.round] = one.event
        opened = self._opened.get(getattr(one.event, "round", ""))
        fact = Fact(
            one.position, one.stream, OPERATOR, one.recorded_at, one.entry, one.meta.causation, "", one.event, opened
        )
        for name, rows in self._rows.items():
            fold_into(MODELS[name], rows, [fact])

    def round_of(self, table: str) -> Round:
        """The table's open round, or its last."""
        known = self.casino.books.state("table", table)
        found = self.casino.books.state("round", known.open_round or known.last_round)
        assert isinstance(found, Round)
        return found

    def phase(self, table: str) -> Phase:
        """Where that round stands."""
        return self.round_of(table).phase
