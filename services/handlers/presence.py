"""Players at tables, their sessions, settings and own limits (S0-31, S0-43, S0-48 to S0-51, S3-02, S3-08, S3-21)."""

from __future__ import annotations

from domain import players, tables
from domain.errors import AlreadySeated, CurrencyMismatch, Invalid, NotFound
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
from services.handlers.releasing import release


def join(desk: Desk, command: JoinTable) -> JoinAnswer:
    """Be at a table: the newest session counts, a seat is kept until its player leaves."""
    table = desk.find_table(command.table)
    if table is None:
        raise NotFound("no such table", field="table")
    player = desk.find_player(command.player)
    if player is not None and player.currency != table.terms.currency:
        raise CurrencyMismatch(f"the table is played in {table.terms.currency}", field="player")
    _check_number(command.seat, table.terms)
    _check_between_hands(desk, table, command)
    order = players.Join(command.table, command.seat, command.session, command.instead_of)
    before = None if player is None else player.at(command.table)
    facts: list[Facts] = [(desk.player_at(command.player), players.decide(order, player))]
    if command.seat is not None:
        sit = tables.SitDown(command.player, command.seat)
        facts.append((desk.table_at(command.table), tables.decide(sit, table)))
    if command.instead_of is not None and command.instead_of != command.table:
        facts += _stand_up(desk, command.instead_of, command.player)
    desk.post(*facts)
    replaced = before is not None and before.session != command.session
    waits = table.open_round is not None and desk.round(table.open_round).phase not in rounds.BETTING
    return JoinAnswer(command.table, command.player, command.seat, command.session, replaced, waits)


def _check_number(seat: int | None, terms: tables.TableTerms) -> None:
    rules = ruleset(terms.ruleset)
    if rules.hand_mode is HandMode.SHARED and seat is not None:
        raise Invalid(f"{rules.name} has one hand for all players: leave seat out", field="seat")
    if rules.hand_mode is HandMode.PER_SEAT and (seat is None or not 1 <= seat <= (rules.seats or 0)):
        raise Invalid(f"name a seat from 1 to {rules.seats}", field="seat")


def _check_between_hands(desk: Desk, table: tables.Table, command: JoinTable) -> None:
    """A seat is changed between hands only (S3-02)."""
    if table.open_round is None:
        return
    seat = desk.find_seat(table.open_round, command.player)
    if seat is not None and seat.wagers and seat.seat != command.seat:
        raise AlreadySeated(f"the player sits on seat {seat.seat} in this round", field="seat")


def _stand_up(desk: Desk, table: str, player: str) -> list[Facts]:
    known = desk.find_table(table)
    if known is None:
        return []
    return [(desk.table_at(table), tables.decide(tables.StandUp(player), known))]


def leave(desk: Desk, command: LeaveTable) -> LeaveAnswer:
    """Leave a table; bets on it are declined while betting is open, later ones stand and are decided for."""
    table = desk.find_table(command.table)
    if table is None:
        raise NotFound("no such table", field="table")
    left = players.decide(players.Leave(command.table), desk.find_player(command.player))
    desk.post((desk.player_at(command.player), left), *_stand_up(desk, command.table, command.player))
    declined = 0
    if table.open_round is not None and desk.round(table.open_round).phase in rounds.BETTING:
        seat = desk.find_seat(table.open_round, command.player)
        if seat is not None and seat.wagers:
            events = seats.decide(seat_commands.LeaveSeat(), seat)
            declined = release(desk, table.open_round, command.player, events, ReleaseReason.LEFT)
    return LeaveAnswer(command.table, command.player, declined)


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
    limit = player.limit
    waits = limit is not None and desk.now < limit.effective_at
    at = None if limit is None or not waits else limit.effective_at.isoformat().replace("+00:00", "Z")
    coming = limit.ante_max_minor if limit is not None and waits else None
    return LimitAnswer(player.player, player.ante_max_minor(desk.now), coming, at)


def _known(desk: Desk, player: str) -> players.Player:
    found = desk.find_player(player)
    if found is None:
        raise NotFound("no such player", field="player")
    return found
