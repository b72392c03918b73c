"""Wagers on a player's spots: placed, doubled, repeated, undone; and players who pass or leave.

Rows: S0-04, S0-25 to S0-35, S0-49, S3-07, C10, C12, C13, C28.
"""

from __future__ import annotations

from typing import Final

from domain import players
from domain.errors import (
    AboveMaximum,
    AlreadySeated,
    CurrencyMismatch,
    Forbidden,
    Invalid,
    LimitReached,
    NotFound,
    SeatTaken,
    TableLimit,
    WrongPhase,
)
from domain.rounds import decider as rounds
from domain.rounds.decider import Round
from domain.rules import HandMode, RuleSet, SideTiming
from domain.seats import commands as seat_commands
from domain.seats import decider as seats
from domain.seats.decider import Seat
from domain.seats.events import WagerKind, WagerPlaced
from domain.seats.wagering import Stakes
from domain.tables import Table, TableTerms
from domain.variants import ruleset
from domain.wallets import decider as wallets
from domain.wallets.decider import Wallet
from domain.wallets.events import HoldReason, ReleaseReason
from services.answers import AnteUsed, WagerLine, WagersAnswer
from services.commands import DoubleWagers, LeaveRound, PassRound, PlaceWager, RepeatWagers, UndoWager
from services.desk import Desk
from services.handlers.acting import acting
from services.handlers.beside import check_beside
from services.handlers.betting import is_out_of_service
from services.handlers.releasing import release

TABLES_MAX: Final = 4
"""At how many tables a player may have money on game at once (S0-49)."""


def place_wager(desk: Desk, command: PlaceWager) -> WagersAnswer:
    """Put stakes on a player's spots and the money for them on game (S0-04, S0-30, C12, C13)."""
    round_ = acting(desk, command.round, command.player, command.session)
    stakes = Stakes(command.ante_minor, command.five_plus_one_minor, command.progressive_minor)
    return _place(desk, round_, command.player, command.seat, stakes)


def double_wagers(desk: Desk, command: DoubleWagers) -> WagersAnswer:
    """Double what lies on the spots, up to the maximum, once in a round; a fixed-price wager stays single (S0-32)."""
    round_ = acting(desk, command.round, command.player, command.session)
    rounds.check_betting(round_, desk.now)
    seat = desk.find_seat(command.round, command.player)
    if seat is None or not seat.wagers:
        raise NotFound("the player has no bet to double", field="player")
    lying = _lying(seat)
    stakes = _clipped(desk, round_, command.player, Stakes(lying.ante_minor, lying.five_plus_one_minor, 0))
    if not (stakes.ante_minor or stakes.five_plus_one_minor):
        raise AboveMaximum("the spots are at their maximum", field="player")
    return _place(desk, round_, command.player, seat.seat, stakes, doubled=True)


def repeat_wagers(desk: Desk, command: RepeatWagers) -> WagersAnswer:
    """Place all bets of the table's previous round again, up to the maximum, where the player sits now (S0-33).

    A void of that round gave the money back, not the wish: its bets are repeated as any others.
    """
    round_ = acting(desk, command.round, command.player, command.session)
    rounds.check_betting(round_, desk.now)
    table = desk.find_table(round_.terms.table)
    before = None if table is None or table.last_round is None else desk.find_seat(table.last_round, command.player)
    bets = Stakes(0, 0, 0) if before is None else _bets(before)
    if before is None or not (bets.ante_minor or bets.five_plus_one_minor or bets.progressive_minor):
        raise NotFound("the player had no bet in the table's previous round", field="player")
    seat = desk.find_seat(command.round, command.player)
    stakes = _clipped(desk, round_, command.player, bets)
    if not (stakes.ante_minor or stakes.five_plus_one_minor or stakes.progressive_minor):
        raise AboveMaximum("the spots are at their maximum", field="player")
    number = seat.seat if seat is not None and seat.wagers else _sits_on(table, command.player) or before.seat
    return _place(desk, round_, command.player, number, stakes)


def _sits_on(table: Table | None, player: str) -> int | None:
    """The seat that the player keeps at the table; it may be another than in the round before (S3-02)."""
    return next((seat for seat, who in (() if table is None else table.sitting) if who == player), None)


def _lying(seat: Seat) -> Stakes:
    """What lies on a seat's spots, the call apart."""
    return Stakes(
        seat.stake_minor(WagerKind.ANTE), seat.stake_minor(WagerKind.SIDE), seat.stake_minor(WagerKind.PROGRESSIVE)
    )


def _bets(seat: Seat) -> Stakes:
    """What the player had bet when the betting of an earlier round was over."""
    return Stakes(seat.bet_minor(WagerKind.ANTE), seat.bet_minor(WagerKind.SIDE), seat.bet_minor(WagerKind.PROGRESSIVE))


def _clipped(desk: Desk, round_: Round, player: str, wanted: Stakes) -> Stakes:
    """`wanted` as far as it goes: maxima of spots, table and player, a third of the balance (003), no unwanted side.

    A fixed price is placed whole or not at all, and comes first; on 002 and 004 it needs an ante in the same call.
    """
    terms, rules = round_.terms, ruleset(round_.terms.ruleset)
    spots = seats.spots(desk.find_seat(round_.round, player))
    most = _ante_most(desk, player, terms, rules, spots.held_minor)
    room = wanted.ante_minor + wanted.five_plus_one_minor + wanted.progressive_minor
    if terms.total_max_minor is not None:
        room = max(terms.total_max_minor - spots.ante_minor - spots.side_minor, 0)
    side_bets = _takes_side_bets(desk.find_player(player))
    is_taken = not side_bets or spots.side_minor or wanted.progressive_minor > room
    progressive = 0 if is_taken else wanted.progressive_minor
    ante = max(min(wanted.ante_minor, most - spots.ante_minor, room - progressive), 0)
    if not ante and rules.side_timing is SideTiming.WITH_ANTE:
        progressive = 0
    five = max(min(wanted.five_plus_one_minor, terms.side_max_minor - spots.side_minor, room - ante), 0)
    return Stakes(ante, five if side_bets else 0, progressive)


def _takes_side_bets(who: players.Player | None) -> bool:
    return who is None or who.settings.side_bets


def _ante_most(desk: Desk, player: str, terms: TableTerms, rules: RuleSet, held_minor: int) -> int:
    """The highest sum of antes that this player may have on the spot."""
    who = desk.find_player(player)
    limits = [terms.ante_max_minor, None if who is None else who.ante_max_minor(desk.now)]
    if rules.ante_most_third_of_balance:
        limits.append((desk.wallet(player).available_minor + held_minor) // 3)
    return min(one for one in limits if one is not None)


def _check_own(desk: Desk, who: players.Player | None, before: Seat | None, placed: WagerPlaced) -> None:
    """The player's own limit, of the ante as it is placed: one that was raised counts as raised (S3-21, C10)."""
    own_most = None if who is None else who.ante_max_minor(desk.now)
    if own_most is None:
        return
    added = _antes(placed)
    if added and seats.spots(before).ante_minor + added > own_most:
        raise LimitReached(f"the player's own limit is an ante of {own_most} minor units", field="ante")


def _place(
    desk: Desk, round_: Round, player: str, number: int | None, stakes: Stakes, *, doubled: bool = False
) -> WagersAnswer:
    """One action: the seat takes the stakes, the wallet puts the money for them on game."""
    terms, rules = round_.terms, ruleset(round_.terms.ruleset)
    rounds.check_betting(round_, desk.now)
    wallet = desk.wallet(player)
    who = desk.find_player(player)
    players.check_allowed(who)
    seat = desk.find_seat(round_.round, player)
    if (stakes.five_plus_one_minor or stakes.progressive_minor) and not _takes_side_bets(who):
        raise Forbidden("the player's settings say no side bets", field="side")
    if stakes.progressive_minor and is_out_of_service(desk, terms):
        raise WrongPhase("the jackpot is disabled", field="side.progressive")
    if wallet.currency != terms.currency:
        raise CurrencyMismatch(f"the table is played in {terms.currency}", field="player")
    _check_others(desk, round_, wallet, who)
    _check_seat(desk, round_, player, number, rules)
    order = seat_commands.PlaceWagers(
        round_.round, player, number, desk.command_id, stakes, terms, rules, wallet.available_minor, doubled
    )
    events = seats.decide(order, seat)
    placed = events[0]
    if not isinstance(placed, WagerPlaced):
        raise TypeError("a wager places wagers")
    _check_own(desk, who, seat, placed)
    hold = wallets.Hold(round_.round, placed.hold_minor, HoldReason.WAGER)
    held = wallets.decide(hold, wallet)
    desk.post((desk.seat_at(round_.round, player), events), (desk.wallet_at(player), held))
    return _placed(desk, placed, 0 if seat is None else seat.stake_minor())


def _check_others(desk: Desk, round_: Round, wallet: Wallet, who: players.Player | None) -> None:
    """How many tables a player is at, and which of them go together (S0-49)."""
    elsewhere = wallet.plays_elsewhere(round_.round) if wallet.on_game else ()
    if len(elsewhere) >= TABLES_MAX:
        raise TableLimit(f"a player is in rounds of at most {TABLES_MAX} tables at once", field="player")
    joined = () if who is None else who.tables
    if elsewhere or joined:
        others = {desk.round(one).terms.table for one in elsewhere} | {one.table for one in joined}
        check_beside(desk, round_.terms.table, others, field="player")


def _antes(placed: WagerPlaced) -> int:
    return sum([one.stake_minor for one in placed.wagers if one.kind is WagerKind.ANTE])


def _placed(desk: Desk, placed: WagerPlaced, before_minor: int) -> WagersAnswer:
    asked = placed.asked_ante_minor
    return WagersAnswer(
        placed.round,
        placed.player,
        placed.seat,
        tuple([WagerLine(one.wager, one.kind.value, one.stake_minor) for one in placed.wagers]),
        None if asked is None else AnteUsed(asked, _antes(placed)),
        before_minor + sum([one.stake_minor for one in placed.wagers]),
        desk.balance(placed.player),
    )


def _check_seat(desk: Desk, round_: Round, player: str, number: int | None, rules: RuleSet) -> None:
    """One hand for all has no seat numbers (S0-02); else the seat exists and nobody else sits there (S2-01)."""
    if rules.hand_mode is HandMode.SHARED:
        if number is not None:
            raise Invalid(f"{rules.name} has one hand for all players: leave seat out", field="seat")
        return
    last = rules.seats or 0
    if number is None or not 1 <= number <= last:
        raise Invalid(f"name a seat from 1 to {last}", field="seat")
    table = desk.find_table(round_.terms.table)
    by = None if table is None else table.sits_on(number)
    if by is not None and by != player:
        raise SeatTaken(f"seat {number} is taken at this table", field="seat")
    if table is not None and table.sitting and any(who == player and seat != number for seat, who in table.sitting):
        raise AlreadySeated("the player sits on another seat of this table", field="seat")
    for other in desk.seats(round_.round):
        if other.seat == number and other.player != player and other.wagers:
            raise SeatTaken(f"seat {number} is taken in this round", field="seat")


def undo_wager(desk: Desk, command: UndoWager) -> WagersAnswer:
    """Take the player's whole last action back (S0-34)."""
    round_ = acting(desk, command.round, command.player, command.session)
    rounds.check_betting(round_, desk.now)
    events = seats.decide(seat_commands.UndoAction(round_.terms), desk.find_seat(command.round, command.player))
    release(desk, command.round, command.player, events, ReleaseReason.UNDO)
    return _standing(desk, command.round, command.player)


def pass_round(desk: Desk, command: PassRound) -> WagersAnswer:
    """Skip this deal before the first card; bets come back (S3-07)."""
    round_ = acting(desk, command.round, command.player, command.session)
    rounds.check_betting(round_, desk.now)
    desk.wallet(command.player)
    order = seat_commands.PassSeat(command.round, command.player)
    events = seats.decide(order, desk.find_seat(command.round, command.player))
    release(desk, command.round, command.player, events, ReleaseReason.LEFT)
    return _standing(desk, command.round, command.player)


def leave_round(desk: Desk, command: LeaveRound) -> WagersAnswer:
    """Who leaves while betting is open has all bets declined (S0-31); later the bets stand and are decided for."""
    round_ = acting(desk, command.round, command.player, command.session)
    seat = desk.find_seat(command.round, command.player)
    if rounds.is_betting_open(round_, desk.now):
        events = seats.decide(seat_commands.LeaveSeat(), seat)
        if events:
            release(desk, command.round, command.player, events, ReleaseReason.LEFT)
    return _standing(desk, command.round, command.player)


def _standing(desk: Desk, round_id: str, player: str) -> WagersAnswer:
    seat = desk.find_seat(round_id, player)
    standing = () if seat is None else seat.wagers
    return WagersAnswer(
        round_id,
        player,
        None if seat is None else seat.seat,
        tuple(WagerLine(one.wager, one.kind.value, one.stake_minor) for one in standing),
        None,
        sum(one.stake_minor for one in standing),
        desk.balance(player),
    )
