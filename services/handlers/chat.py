"""The chat of tables: messages of players and of the house, and what moderators do (S0-39, S3-22, C30)."""

from __future__ import annotations

from domain import chat, messages, players
from domain.errors import ChatClosed, NotFound
from domain.rules import ChatPolicy
from domain.tables import Table
from domain.variants import ruleset
from services.answers import ChatModeAnswer, MessageAnswer, VoiceAnswer, WithdrawnAnswer
from services.commands import Announce, PostMessage, SetChat, SetVoice, WithdrawMessage
from services.desk import Desk
from services.ports import Text


def post(desk: Desk, command: PostMessage) -> MessageAnswer:
    """A player at the table writes, where the table's chat is on."""
    table = _table(desk, command.table)
    player, one_device = desk.find_player(command.player), desk.one_device
    players.check_may_write(player, command.table, command.session, one_device=one_device)
    mode = mode_of(desk, table)
    if mode is ChatPolicy.OFF:
        raise ChatClosed("the table has no chat", field="table")
    if mode is ChatPolicy.SYSTEM_ONLY:
        raise ChatClosed("only the house writes in this table's chat", field="table")
    _check_no_hand_is_out(desk, table)
    return _say(desk, messages.Author.PLAYER, command.player, command)


def announce(desk: Desk, command: Announce) -> MessageAnswer:
    """The house writes, unless the table has no chat."""
    if mode_of(desk, _table(desk, command.table)) is ChatPolicy.OFF:
        raise ChatClosed("the table has no chat", field="table")
    return _say(desk, messages.Author.HOUSE, None, command)


def _say(desk: Desk, by: messages.Author, player: str | None, command: PostMessage | Announce) -> MessageAnswer:
    message = desk.command_id
    order = messages.Post(message, command.table, by, player, command.text, command.salt)
    desk.post((desk.message_at(message), messages.decide(order, desk.find_message(message))))
    desk.keep(Text(desk.meta.operator, message, command.text, command.salt, desk.now))
    return MessageAnswer(message, command.table, by.value, player)


def _check_no_hand_is_out(desk: Desk, table: Table) -> None:
    """Where the game's page closes the chat to players, a table that opens it keeps it closed while cards are out: what
    players know of hands must not pass between them (S2-02).
    """
    if ruleset(table.terms.ruleset).chat is ChatPolicy.ON or table.open_round is None:
        return
    round_ = desk.round(table.open_round)
    if round_.dealt is not None or round_.scans:
        raise ChatClosed("no messages of players while a hand is under way at this table", field="table")


def set_mode(desk: Desk, command: SetChat) -> ChatModeAnswer:
    """On, off, or the house alone (C30)."""
    table = _table(desk, command.table)
    order = chat.SetMode(command.table, command.mode, mode_of(desk, table), command.reason)
    desk.post((desk.chat_at(command.table), chat.decide(order)))
    return ChatModeAnswer(command.table, command.mode.value)


def withdraw(desk: Desk, command: WithdrawMessage) -> WithdrawnAnswer:
    """Players see the text no more; moderators do until it is 90 days old (S3-22)."""
    _table(desk, command.table)
    order = messages.Withdraw(command.table, command.reason)
    desk.post((desk.message_at(command.message), messages.decide(order, desk.find_message(command.message))))
    return WithdrawnAnswer(command.message, command.table)


def set_voice(desk: Desk, command: SetVoice) -> VoiceAnswer:
    """Remove an abuser from the chat of every table, or take the player back in (S3-22)."""
    order = players.RestoreToChat(command.reason) if command.may_write else players.RemoveFromChat(command.reason)
    desk.post((desk.player_at(command.player), players.decide(order, desk.find_player(command.player))))
    return VoiceAnswer(command.player, command.may_write)


def mode_of(desk: Desk, table: Table) -> ChatPolicy:
    """Who may write: as was set for the table, else as its rule set says."""
    known = desk.find_chat(table.terms.table)
    return ruleset(table.terms.ruleset).chat if known is None else known.mode


def _table(desk: Desk, table: str) -> Table:
    found = desk.find_table(table)
    if found is None:
        raise NotFound("no such table", field="table")
    return found
