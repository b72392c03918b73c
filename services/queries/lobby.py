"""The lobby: tables with their limits, the seats taken, and the meter (S0-24, S0-48, S2-03)."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.money import whole_minor
from domain.variants import ruleset
from domain.views.chat import CHATS, Mode, mode_key
from domain.views.jackpots import JACKPOTS, Pool, pool_key
from domain.views.lobby import LOBBY, LobbyTable
from services.queries.pages import Page, Turn, group_scope, scan_page
from services.queries.reads import Reads
from services.queries.shown import Limits, limits, shown_phase


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """A table in the lobby. `seats` is how many there are (None: as many as come), `seats_taken` which are taken: by a
    bet in the open round, or by a player who has joined. `players` have bets in the open round. A table without
    `multi_game` is played beside no other: show no "+" for it. A `disabled` one opens no further round, and where
    `jackpot_disabled` its pool takes no wagers (R14, R22): show them as unavailable.
    """

    table: str
    ruleset: str
    currency: str
    exponent: int
    ante_min: int
    ante_max: int
    limits: Limits
    card_source: str
    pace: str
    multi_game: bool
    seats: int | None
    seats_taken: tuple[int, ...]
    players: int
    round: str | None
    game_number: str | None
    phase: str | None
    closes_at: str | None
    jackpot: str | None
    meter: int | None
    meter_micro: int | None
    chat: str
    disabled: bool
    jackpot_disabled: bool | None


async def tables(reads: Reads, operator: str, turn: Turn, min_position: int | None = None) -> Page[TableAnswer]:
    """The lobby (S0-48), in the order of the tables' ids. Raises Invalid, Unavailable."""
    async with reads.views.reading(operator, {LOBBY.name, JACKPOTS.name, CHATS.name}, min_position) as snapshot:
        scope = group_scope(LOBBY.name, LobbyTable, "table")
        rows, after = await scan_page(snapshot, scope, turn, ("tables",))
        found = [row for _, row in rows]
        keys = {pool_key(row.terms.jackpot) for row in found if row.terms.jackpot is not None}
        pools = await snapshot.get_many(JACKPOTS.name, keys, Pool)
        modes = await snapshot.get_many(CHATS.name, {mode_key(row.terms.table) for row in found}, Mode)
        items = tuple(
            _table(reads, row, pools.get(pool_key(row.terms.jackpot or "")), modes.get(mode_key(row.terms.table)))
            for row in found
        )
        return Page(items, after, snapshot.position)


def _table(reads: Reads, row: LobbyTable, pool: Pool | None, mode: Mode | None) -> TableAnswer:
    terms = row.terms
    return TableAnswer(
        table=terms.table,
        ruleset=terms.ruleset,
        currency=terms.currency,
        exponent=reads.exponent(terms.currency),
        ante_min=terms.ante_min_minor,
        ante_max=terms.ante_max_minor,
        limits=limits(terms),
        card_source=terms.card_source.value,
        pace=terms.pace.value,
        multi_game=not row.alone,
        seats=ruleset(terms.ruleset).seats,
        seats_taken=tuple(sorted({*row.seats, *row.reserved})),
        players=row.players,
        round=row.open_round,
        game_number=row.game_number,
        phase=None if row.phase is None else shown_phase(reads, terms, row.phase, row.closes_at),
        closes_at=row.closes_at if row.open_round else None,
        jackpot=terms.jackpot,
        meter=None if pool is None else whole_minor(pool.meter_micro),
        meter_micro=None if pool is None else pool.meter_micro,
        chat=ruleset(terms.ruleset).chat.value if mode is None else mode.mode,
        disabled=row.disabled,
        jackpot_disabled=None if pool is None else pool.disabled,
    )
