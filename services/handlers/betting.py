"""Betting: rounds open, wagers come and go, betting closes and pools accrue."""

from __future__ import annotations

from datetime import timedelta

from domain import tables
from domain.errors import NotFound, WrongPhase
from domain.jackpots import decider as jackpots
from domain.jackpots.commands import Accrue
from domain.jackpots.events import PoolTerms
from domain.rounds import commands as round_commands
from domain.rounds import decider as rounds
from domain.rounds.events import Share
from domain.seats import commands as seat_commands
from domain.seats import decider as seats
from domain.seats.events import WagerKind, WagersRejected
from domain.settlement import DecidedBy
from domain.tables import CardSource, Pace, TableTerms
from domain.wallets.events import ReleaseReason
from services.answers import (
    LIST_PAGE,
    CloseAnswer,
    Rejection,
    RoundAnswer,
)
from services.commands import CloseBetting, OpenRound
from services.desk import Desk
from services.handlers.releasing import release
from services.opening import DECK


def open_round(desk: Desk, command: OpenRound) -> RoundAnswer:
    """Open the table's next round; a shoe shuffles now and commits to the deck (S0-03)."""
    table = desk.find_table(command.table)
    stopped = desk.find_gaming()
    if table is not None and stopped is not None and stopped.stops(table.terms.ruleset):
        raise WrongPhase("gaming is disabled here", field="table")
    started = tables.decide(tables.StartRound(desk.command_id, desk.now), table)
    if table is None or not isinstance(started[0], tables.RoundStarted):
        raise NotFound("no such table", field="table")
    commitment = sealed = None
    if table.terms.card_source is CardSource.SHOE:
        deck = desk.tools.shoe.shuffle()
        commitment = deck.commitment
        sealed = desk.seals.vault.seal_deck(deck, desk.seals.context(desk.command_id, DECK))
    order = round_commands.OpenRound(
        desk.command_id,
        started[0].game_number,
        table.terms,
        commitment,
        sealed,
        desk.tools.software_version,
        desk.tools.build,
        desk.now,
        desk.now + timedelta(seconds=table.terms.betting_seconds) if table.terms.pace is Pace.AUTO else None,
    )
    opened = rounds.decide(order, desk.find_round(desk.command_id))
    desk.post((desk.round_at(desk.command_id), opened), (desk.table_at(command.table), started))
    phase = desk.round(desk.command_id).phase.value
    return RoundAnswer(desk.command_id, command.table, order.game_number, phase, commitment)


def close_betting(desk: Desk, command: CloseBetting, decided_by: DecidedBy = DecidedBy.STAFF) -> CloseAnswer:
    """End betting: spots below the minimum are let go, the pool gets its share of every standing wager."""
    round_ = desk.round(command.round)
    rounds.check_betting(round_)
    rejected: list[Rejection] = []
    pool_is_off = is_out_of_service(desk, round_.terms)
    for seat in desk.seats_and_wallets(command.round):
        events = seats.decide(seat_commands.CloseSeat(round_.terms, pool_is_off), seat)
        if events:
            amount = release(desk, command.round, seat.player, events, ReleaseReason.REJECTED)
            rejected += [
                Rejection(seat.player, one.reason.value, one.wagers, amount)
                for one in events
                if isinstance(one, WagersRejected)
            ]
    standing = [seat for seat in desk.seats(command.round) if seat.wagers]
    shares = accrue(desk, round_.terms, command.round, standing)
    closed = rounds.decide(round_commands.CloseRound(decided_by, len(standing), shares), desk.find_round(command.round))
    desk.post((desk.round_at(command.round), closed))
    return CloseAnswer(
        command.round,
        desk.round(command.round).phase.value,
        len(standing),
        tuple(rejected[:LIST_PAGE]),
        len(rejected),
        str(sum(one.increment_micro + one.reserve_micro for one in shares)),
    )


def is_out_of_service(desk: Desk, terms: TableTerms) -> bool:
    """Whether the table's pool is disabled (R14)."""
    pool = None if terms.jackpot is None else desk.find_pool(terms.jackpot)
    return pool is not None and pool.disabled


def accrue(desk: Desk, terms: TableTerms, round_id: str, standing: list[seats.Seat]) -> tuple[Share, ...]:
    """Contributions accrue at the close, wager by wager, at the rates in force now (docs/architecture.md, Jackpots)."""
    pool = None if terms.jackpot is None else desk.find_pool(terms.jackpot)
    if pool is None:
        return ()
    shares = tuple(
        _share(pool.terms, wager.wager, seat.player, wager.stake_minor)
        for seat in standing
        for wager in seat.wagers
        if wager.kind is WagerKind.PROGRESSIVE
    )
    events = jackpots.decide(Accrue(round_id, shares), pool)
    if events:
        desk.post((desk.pool_at(pool.terms.jackpot), events))
    return shares


def _share(terms: PoolTerms, wager: str, player: str, stake_minor: int) -> Share:
    return Share(wager, player, stake_minor, stake_minor * terms.increment_ppm, stake_minor * terms.reserve_ppm)
