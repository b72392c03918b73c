"""Players at tables, their sessions, settings and own limits (S0-31, S0-43, S0-48 to S0-51, S3-02, S3-08, S3-21)."""

from __future__ import annotations

from domain import players, tables
from domain.errors import AlreadySeated, CurrencyMismatch, Invalid, NotFound, SeatTaken
from domain.rounds import decider as rounds
from domain.rules import HandMode
from domain.seats import commands as seat_commands
from domain.seats import decider as seats
from domain.variants import ruleset
from domain.wallets.events import ReleaseReason
from services.answers import JoinAnswer, LeaveAnswer, LimitAnswer, SettingsAnswer
from services.calendar import week_starts
from services.commands import JoinTable, LeaveTable, SetLimit, SetSettings
from services.desk import Desk, Facts
from services.handlers.beside import check_beside
from services.handlers.releasing import release


def join(desk: Desk, command: JoinTable) -> JoinAnswer:
    """Be at a table: the newest session counts, a seat is kept until its player leaves."""
    table = desk.find_table(command.table)
    if table is None:
        raise NotFound("no such table", field="table")
    player = desk.find_player(command.player)
    if player is not None and player.currency != table.terms.currency:
        raise CurrencyMismatch(f"the table is played in {table.terms.currency}", field="player")
    if command.instead_of is not None and desk.find_table(command.instead_of) is None:
        raise NotFound("no such table", field="instead_of")
    _check_number(command.seat, table.terms)
    _check_between_hands(desk, table, command)
    order = players.Join(command.table, command.seat, command.session, command.instead_of, desk.one_device)
    left = players.tables_left(order, player)
    if player is not None:
        check_beside(desk, command.table, {one.table for one in player.tables} - {*left}, field="table")
    before = None if player is None else player.at(command.table)
    facts: list[Facts] = [(desk.player_at(command.player), players.decide(order, player))]
    if command.seat is not None:
        sit = tables.SitDown(command.player, command.seat)
        facts.append((desk.table_at(command.table), tables.decide(sit, table)))
    exits = dict.fromkeys((command.instead_of, *left))
    gone = [one for one in exits if one not in (None, command.table)]
    for one in gone:
        facts += _stand_up(desk, one, command.player)
    desk.post(*facts)
    for one in gone:
        _decline(desk, one, command.player)
    replaced = before is not None and before.session != command.session
    waits = table.open_round is not None and not rounds.is_betting_open(desk.round(table.open_round), desk.now)
    return JoinAnswer(command.table, command.player, command.seat, command.session, replaced, waits)


def _check_number(seat: int | None, terms: tables.TableTerms) -> None:
    rules = ruleset(terms.ruleset)
    if rules.hand_mode is HandMode.SHARED and seat is not None:
        raise Invalid(f"{rules.name} has one hand for all players: leave seat out", field="seat")
    if rules.hand_mode is HandMode.PER_SEAT and (seat is None or not 1 <= seat <= (rules.seats or 0)):
        raise Invalid(f"name a seat from 1 to {rules.seats}", field="seat")


def _check_between_hands(desk: Desk, table: tables.Table, command: JoinTable) -> None:
    """A seat is changed between hands only (S3-02), and not onto another player's bets while they may still grow."""
    if table.open_round is None:
        return
    seat = desk.find_seat(table.open_round, command.player)
    if seat is not None and seat.wagers and seat.seat != command.seat:
        raise AlreadySeated(f"the player sits on seat {seat.seat} in this round", field="seat")
    if command.seat is None or not rounds.is_betting_open(desk.round(table.open_round), desk.now):
        return
    for other in desk.seats(table.open_round):
        if other.seat == command.seat and other.player != command.player and other.wagers:
            raise SeatTaken(f"seat {command.seat} is taken in this round", field="seat")


def _stand_up(desk: Desk, table: str | None, player: str) -> list[Facts]:
    known = None if table is None else desk.find_table(table)
    if known is None:
        return []
    return [(desk.table_at(known.terms.table), tables.decide(tables.StandUp(player), known))]


def leave(desk: Desk, command: LeaveTable) -> LeaveAnswer:
    """Leave a table; bets on it are declined while betting is open, later ones stand and are decided for."""
    table = desk.find_table(command.table)
    if table is None:
        raise NotFound("no such table", field="table")
    player = desk.find_player(command.player)
    players.check_session(player, command.table, command.session, one_device=desk.one_device)
    at = None if player is None else player.at(command.table)
    if command.seat is not None and (at is None or at.seat != command.seat):
        raise Invalid("the player does not sit on this seat", field="seat")
    left = players.decide(players.Leave(command.table), player)
    desk.post((desk.player_at(command.player), left), *_stand_up(desk, command.table, command.player))
    return LeaveAnswer(command.table, command.player, _decline(desk, command.table, command.player))


def _decline(desk: Desk, table: str | None, player: str) -> int:
    """Let the player's bets go while betting is open (S0-31); what came back, in minor units."""
    known = None if table is None else desk.find_table(table)
    open_round = None if known is None else known.open_round
    if open_round is None or not rounds.is_betting_open(desk.round(open_round), desk.now):
        return 0
    seat = desk.find_seat(open_round, player)
    if seat is None or not seat.wagers:
        return 0
    events = seats.decide(seat_commands.LeaveSeat(), seat)
    return release(desk, open_round, player, events, ReleaseReason.LEFT)


def set_settings(desk: Desk, command: SetSettings) -> SettingsAnswer:
    """Settings lie with the player and are the same on every device."""
    player = _known(desk, command.player)
    now = player.settings
    wanted = players.Settings(
        now.hide_chat if command.hide_chat is None else command.hide_chat,
        now.side_bets if command.side_bets is None else command.side_bets,
        command.video or now.video,
        now.dealer_volume if command.dealer_volume is None else command.dealer_volume,
        now.game_volume if command.game_volume is None else command.game_volume,
    )
    desk.post((desk.player_at(command.player), players.decide(players.ChangeSettings(wanted), player)))
    return SettingsAnswer(
        command.player, wanted.hide_chat, wanted.side_bets, wanted.video, wanted.dealer_volume, wanted.game_volume
    )


def set_limit(desk: Desk, command: SetLimit) -> LimitAnswer:
    """The player's own highest ante, changed once a week; a looser one holds later (S3-21, C27, R30)."""
    player = _known(desk, command.player)
    week, next_week = week_starts(desk.now, desk.tools.zone)
    order = players.ChangeLimit(command.ante_max_minor, desk.now, week, next_week)
    desk.post((desk.player_at(command.player), players.decide(order, player)))
    return limit_answer(_known(desk, command.player), desk)


def limit_answer(player: players.Player, desk: Desk) -> LimitAnswer:
    """The limit in force, and the one that waits."""
    waits = player.next_limit(desk.now)
    in_force = player.ante_max_minor(desk.now)
    if waits is None:
        return LimitAnswer(player.player, in_force, None, None)
    at = waits.effective_at.isoformat().replace("+00:00", "Z")
    return LimitAnswer(player.player, in_force, waits.ante_max_minor, at)


def _known(desk: Desk, player: str) -> players.Player:
    found = desk.find_player(player)
    if found is None:
        raise NotFound("no such player", field="player")
    return found
