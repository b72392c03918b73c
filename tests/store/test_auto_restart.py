"""AUTO tables on the real store: another process in every phase, two at once, the phase as the clock shows it.

Decks are shuffled and sealed as in service; time moves when it is told (F29, S0-28).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from adapters.shoe import Shoe
from adapters.vault import Vault, key_id
from api.fields import EXPONENTS
from domain.hands import Category, rank_five
from domain.jackpots.events import Contributed
from domain.rounds.events import BettingClosed, Dealt, RoundOpened, RoundSettled, ShowdownHeld
from domain.seats.events import SeatDecided, SeatSettled
from domain.settlement import DecidedBy, Decision
from services.desk import Tools
from services.house import House
from services.ports import Log
from services.queries import Reads, lobby, own, rounds
from services.queries.pages import Turn
from services.timers import Timers
from tests.adapters.projecting import catch_up
from tests.adapters.viewing import opened
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.postgres import Database
from tests.store.pit import Pit, pit_of
from tests.store.support import CARD_KEY, assert_sound, events_of, head_of
from tests.support.casino import CURRENCY, Casino
from tests.support.fixtures import FixedClock, encode

GAMES = (LIVE, EURO, DOLLAR, LAND)
BETTING, SOON, DECISION, PAUSE = 10, 3, 20, 5
START = FixedClock().now()


def vault() -> Vault:
    """That of every process here."""
    return Vault({key_id(CARD_KEY): CARD_KEY}, key_id(CARD_KEY))


class Parlour(Casino):
    """Real shuffles and seals; ids that no other process of the test gives."""

    def __init__(self, log: Log) -> None:
        super().__init__(log, is_checked=False, ids=f"p{next(_PROCESSES)}")

    def _house(self) -> House:
        made = Tools(Shoe(), vault(), EXPONENTS.__getitem__, "0", "test")
        return House(self.log, self.clock, self.ids, made, encode)


_PROCESSES = iter(range(1_000))


@asynccontextmanager
async def process(database: Database, at: datetime = START) -> AsyncIterator[Pit]:
    """A house, timers and a clock that stands at `at`."""
    async with pit_of(database, Parlour) as pit:
        pit.casino.clock.time = at
        yield pit


async def furnish(casino: Casino) -> None:
    """An AUTO table of each game, and a player at it."""
    for game in GAMES:
        await casino.table(
            game, game, pace="AUTO", card_source="SHOE", betting_seconds=BETTING, closing_soon_seconds=SOON,
            decision_seconds=DECISION, pause_seconds=PAUSE,
        )  # fmt: skip
        await casino.player(game, CURRENCY[game])
        await casino.deposit(game, 1_000_000, CURRENCY[game], f"d-{game}")


def opened_rounds(database: Database) -> dict[str, str]:
    """The last round of each table."""
    log = [one.event for one in events_of(database)]
    return {one.terms.table: one.round for one in log if isinstance(one, RoundOpened)}


async def bet(casino: Casino, database: Database) -> dict[str, str]:
    found = opened_rounds(database)
    for game, round_id in found.items():
        await casino.wager(round_id, game, seat=None if game == LIVE else 1, ante=1_000)
    return found


async def test_F29_another_process_in_every_phase_does_what_is_due_once_and_with_the_same_cards(
    database: Database,
) -> None:
    async with process(database) as pit:
        await furnish(pit.casino)
        assert await pit.look() == 4
        rounds_ = await bet(pit.casino, database)
    before_close = pit.casino.clock.now()
    async with process(database, before_close) as pit:
        assert await pit.look() == 0
        pit.casino.clock.forward(BETTING)
        assert await pit.look() == 4
    dealt = await cards_of(database, rounds_)
    async with process(database, pit.casino.clock.now()) as pit:
        assert await pit.look() == 0
        assert await cards_of(database, rounds_) == dealt
        pit.casino.clock.forward(DECISION)
        assert await pit.look() == 4
    async with process(database, pit.casino.clock.now()) as pit:
        assert await pit.look() == 0
        assert await cards_of(database, rounds_) == dealt
        pit.casino.clock.forward(PAUSE)
        assert await pit.look() == 4
    log = [one.event for one in events_of(database)]
    times = Counter(type(one) for one in log if isinstance(one, BettingClosed | Dealt | ShowdownHeld | RoundSettled))
    assert set(times.values()) == {4}
    for one in log:
        if isinstance(one, SeatDecided):
            assert (one.decided_by, one.decision) == (DecidedBy.SYSTEM, by_the_rules(one.player, dealt[one.player]))
    assert_sound(database)


def by_the_rules(game: str, cards: tuple[str, ...]) -> Decision:
    """002 bets with a pair or better, the others fold."""
    weak = rank_five(cards).category is Category.HIGH_CARD
    return Decision.CALL if game == EURO and not weak else Decision.FOLD


async def cards_of(database: Database, rounds_: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Each player's own cards, as a client reads them."""
    async with opened(database) as views:
        reads = Reads(views, FixedClock(), EXPONENTS)
        found = {game: await own.own_view(reads, vault(), "op", one, game) for game, one in rounds_.items()}
    assert all(view.cards for view in found.values())
    return {game: view.cards or () for game, view in found.items()}


async def test_two_processes_with_timers_one_acts_and_the_other_takes_over(database: Database) -> None:
    async with process(database) as one, process(database) as other:
        await furnish(one.casino)
        assert await one.look() == 4
        for pit in (one, other):
            pit.casino.clock.forward(BETTING)
        assert await other.look() == 0
        assert await one.look() == 4
        head = head_of(database)
        assert (await other.look(), await one.look()) == (0, 4)  # nobody has bet: settled at once, by one of them
        assert head_of(database) > head
    async with process(database, one.casino.clock.now()) as other:
        other.casino.clock.forward(PAUSE)
        assert await other.look() == 4
    assert len([one for one in events_of(database) if isinstance(one.event, RoundOpened)]) == 8
    assert_sound(database)


async def test_bug_055_two_schedulers_that_both_hold_themselves_for_the_one_draw_once_and_the_pool_grows_once(
    database: Database,
) -> None:
    async with process(database) as one, process(database) as other:
        await one.casino.jackpot("gold", EURO)
        await one.casino.table("g", EURO, jackpot="gold", pace="AUTO", card_source="SHOE", betting_seconds=BETTING,
                               decision_seconds=DECISION, pause_seconds=PAUSE)  # fmt: skip
        await one.casino.player("ann", "EUR", deposit=10_000)
        await one.look()
        round_id = opened_rounds(database)["g"]
        await one.casino.wager(round_id, "ann", seat=1, ante=1_000, progressive=50)
        twin = Timers(other.casino.house, one.timers._watch, other.casino.clock, other.casino.ids)
        acted = 0
        for after in (0, BETTING, 0, DECISION, 0):
            for pit in (one, other):
                pit.casino.clock.forward(after)
            await asyncio.to_thread(catch_up, database)
            told = await asyncio.gather(one.timers.look(), twin.look())  # each sees the same as the other
            acted += sum(told)
    assert acted > 1
    log = [one.event for one in events_of(database)]
    for kind in (BettingClosed, Contributed, Dealt, ShowdownHeld, SeatSettled, RoundSettled):
        assert [one.round for one in log if isinstance(one, kind)] == [round_id], kind
    assert_sound(database)


async def test_S0_28_reads_show_CLOSING_SOON_in_the_last_seconds_of_betting(database: Database) -> None:
    async with process(database) as pit:
        await furnish(pit.casino)
        await pit.look()
        rounds_ = await bet(pit.casino, database)
        await pit.look()
        for left, phase in ((SOON + 1, "BETTING_OPEN"), (SOON, "CLOSING_SOON"), (1, "CLOSING_SOON")):
            clock = FixedClock()
            clock.forward(BETTING - left)
            assert await phases(database, clock, rounds_[EURO]) == {phase}
        pit.casino.clock.forward(BETTING)
        assert [await pit.look(), await pit.look()] == [4, 0]
        assert await phases(database, pit.casino.clock, rounds_[EURO]) == {"DECIDING"}


async def phases(database: Database, clock: FixedClock, round_id: str) -> set[str]:
    """What the round, the lobby, the player's own view and the list of a table say."""
    async with opened(database) as views:
        reads = Reads(views, clock, EXPONENTS)
        shown = await rounds.round_view(reads, "op", round_id, Turn())
        tables = await lobby.tables(reads, "op", Turn())
        mine = await own.own_view(reads, vault(), "op", round_id, EURO)
        lines = await rounds.rounds_by_table(reads, "op", EURO, Turn())
    of_table = next(one.phase for one in tables.items if one.table == EURO)
    return {shown.phase, str(of_table), mine.phase, lines.items[0].phase}
