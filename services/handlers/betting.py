"""Betting: rounds open, wagers come and go, betting closes and pools accrue."""

from __future__ import annotations

from datetime import timedelta

from domain import players, tables
from domain.errors import CurrencyMismatch, Invalid, NotFound, SeatTaken, WrongPhase
from domain.jackpots import decider as jackpots
from domain.jackpots.commands import Accrue
from domain.jackpots.events import PoolTerms
from domain.rounds import commands as round_commands
from domain.rounds import decider as rounds
from domain.rounds.events import Share
from domain.rules import HandMode, RuleSet
from domain.seats import commands as seat_commands
from domain.seats import decider as seats
from domain.seats.events import ActionUndone, SeatEvent, WagerKind, WagerPlaced, WagersRejected
from domain.seats.wagering import Stakes
from domain.settlement import DecidedBy
from domain.tables import CardSource, Pace, TableTerms
from domain.variants import ruleset
from domain.wallets import decider as wallets
from domain.wallets.events import HoldReason, ReleaseReason
from services.answers import (
    LIST_PAGE,
    AnteUsed,
    CloseAnswer,
    Rejection,
    RoundAnswer,
    WagerLine,
    WagersAnswer,
)
from services.commands import CloseBetting, LeaveRound, OpenRound, PlaceWager, UndoWager
from services.desk import Desk
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


def place_wager(desk: Desk, command: PlaceWager) -> WagersAnswer:
    """Put stakes on a player's spots and the money for them on game (S0-04, S0-30, C12, C13)."""
    round_ = desk.round(command.round)
    rounds.check_betting(round_, desk.now)
    wallet = desk.wallet(command.player)
    players.check_allowed(desk.find_player(command.player))
    terms = round_.terms
    if command.progressive_minor and is_out_of_service(desk, terms):
        raise WrongPhase("the jackpot is disabled", field="side.progressive")
    if wallet.currency != terms.currency:
        raise CurrencyMismatch(f"the table is played in {terms.currency}", field="player")
    rules = ruleset(terms.ruleset)
    _check_seat(desk, command, rules)
    stakes = Stakes(command.ante_minor, command.five_plus_one_minor, command.progressive_minor)
    order = seat_commands.PlaceWagers(
        command.round, command.player, command.seat, desk.command_id, stakes, terms, rules, wallet.available_minor
    )
    seat = desk.find_seat(command.round, command.player)
    events = seats.decide(order, seat)
    placed = events[0]
    if not isinstance(placed, WagerPlaced):
        raise TypeError("a wager places wagers")
    hold = wallets.Hold(command.round, placed.hold_minor, HoldReason.WAGER)
    held = wallets.decide(hold, wallet)
    desk.post((desk.seat_at(command.round, command.player), events), (desk.wallet_at(command.player), held))
    return _wagers_answer(desk, placed)


def _wagers_answer(desk: Desk, placed: WagerPlaced) -> WagersAnswer:
    seat = desk.find_seat(placed.round, placed.player)
    used = sum(one.stake_minor for one in placed.wagers if one.kind is WagerKind.ANTE)
    asked = placed.asked_ante_minor
    return WagersAnswer(
        placed.round,
        placed.player,
        placed.seat,
        tuple(WagerLine(one.wager, one.kind.value, one.stake_minor) for one in placed.wagers),
        None if asked is None else AnteUsed(asked, used),
        0 if seat is None else seat.stake_minor(),
        desk.balance(placed.player),
    )


def _check_seat(desk: Desk, command: PlaceWager, rules: RuleSet) -> None:
    """One hand for all has no seat numbers (S0-02); else the seat exists and nobody else sits there (S2-01)."""
    if rules.hand_mode is HandMode.SHARED:
        if command.seat is not None:
            raise Invalid(f"{rules.name} has one hand for all players: leave seat out", field="seat")
        return
    last = rules.seats or 0
    if command.seat is None or not 1 <= command.seat <= last:
        raise Invalid(f"name a seat from 1 to {last}", field="seat")
    for other in desk.seats(command.round):
        if other.seat == command.seat and other.player != command.player and other.wagers:
            raise SeatTaken(f"seat {command.seat} is taken in this round", field="seat")


def undo_wager(desk: Desk, command: UndoWager) -> WagersAnswer:
    """Take the player's whole last action back (S0-34)."""
    round_ = desk.round(command.round)
    rounds.check_betting(round_, desk.now)
    seat = desk.find_seat(command.round, command.player)
    events = seats.decide(seat_commands.UndoAction(round_.terms), seat)
    _release(desk, command.round, command.player, events, ReleaseReason.UNDO)
    after = desk.find_seat(command.round, command.player)
    standing = () if after is None else after.wagers
    return WagersAnswer(
        command.round,
        command.player,
        None if after is None else after.seat,
        tuple(WagerLine(one.wager, one.kind.value, one.stake_minor) for one in standing),
        None,
        sum(one.stake_minor for one in standing),
        desk.balance(command.player),
    )


def leave_round(desk: Desk, command: LeaveRound) -> WagersAnswer:
    """Who leaves while betting is open has all bets declined (S0-31)."""
    round_ = desk.round(command.round)
    rounds.check_betting(round_)
    seat = desk.find_seat(command.round, command.player)
    events = seats.decide(seat_commands.LeaveSeat(), seat)
    if events:
        _release(desk, command.round, command.player, events, ReleaseReason.LEFT)
    seat_number = None if seat is None else seat.seat
    return WagersAnswer(command.round, command.player, seat_number, (), None, 0, desk.balance(command.player))


def _release(desk: Desk, round_id: str, player: str, events: tuple[SeatEvent, ...], reason: ReleaseReason) -> int:
    """Post what the seat let go together with the money that comes back for it."""
    amount = sum(one.release_minor for one in events if isinstance(one, ActionUndone | WagersRejected))
    released = wallets.decide(wallets.Release(round_id, amount, reason), desk.find_wallet(player))
    desk.post((desk.seat_at(round_id, player), events), (desk.wallet_at(player), released))
    return amount


def close_betting(desk: Desk, command: CloseBetting, decided_by: DecidedBy = DecidedBy.STAFF) -> CloseAnswer:
    """End betting: spots below the minimum are let go, the pool gets its share of every standing wager."""
    round_ = desk.round(command.round)
    rounds.check_betting(round_)
    rejected: list[Rejection] = []
    pool_is_off = is_out_of_service(desk, round_.terms)
    for seat in desk.seats_and_wallets(command.round):
        events = seats.decide(seat_commands.CloseSeat(round_.terms, pool_is_off), seat)
        if events:
            amount = _release(desk, command.round, seat.player, events, ReleaseReason.REJECTED)
            rejected += [
                Rejection(seat.player, one.reason.value, one.wagers, amount)
                for one in events
                if isinstance(one, WagersRejected)
            ]
    standing = [seat for seat in desk.seats(command.round) if seat.wagers]
    shares = _accrue(desk, round_.terms, command.round, standing)
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


def _accrue(desk: Desk, terms: TableTerms, round_id: str, standing: list[seats.Seat]) -> tuple[Share, ...]:
    """Contributions accrue at the close, wager by wager, at the rates in force now (design section 5)."""
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
