"""Which handler carries out which command, and which streams it will surely look at."""

from __future__ import annotations

from typing import assert_never

from domain import ids
from services import commands as c
from services.answers import Answer
from services.desk import Desk
from services.handlers import (
    accounts,
    approving,
    betting,
    carrying_on,
    chat,
    dealing,
    deciding,
    floor,
    pausing,
    presence,
    reconciling,
    resettling,
    scanning,
    settling,
    spots,
    timing,
    upkeep,
    voiding,
)


def carry_out(desk: Desk, command: c.Command) -> Answer:
    """Run the command's handler on the desk, then lay down the closing entries that are due. Raises a Refusal, or
    Missing where states have to be loaded first.
    """
    if desk.is_strict and isinstance(command, c.TwoPersonCommand):
        answer = approving.propose(desk, command, _carried_out)
    else:
        answer = _carried_out(desk, command)
    desk.carry()
    return answer


def _carried_out(desk: Desk, command: c.Command) -> Answer:
    if isinstance(command, c.ActCommand):
        return _on_act(desk, command)
    if isinstance(command, c.UpkeepCommand):
        return _on_upkeep(desk, command)
    match command:
        case c.RegisterPlayer():
            return accounts.register(desk, command)
        case c.DepositFunds():
            return accounts.deposit(desk, command)
        case c.WithdrawFunds():
            return accounts.withdraw(desk, command)
        case c.AdjustBalance():
            return accounts.adjust(desk, command)
        case c.RollBackTransaction():
            return accounts.roll_back(desk, command)
        case c.JoinTable():
            return presence.join(desk, command)
        case c.LeaveTable():
            return presence.leave(desk, command)
        case c.SetSettings():
            return presence.set_settings(desk, command)
        case c.SetLimit():
            return presence.set_limit(desk, command)
        case c.OpenJackpot():
            return floor.open_jackpot(desk, command)
        case c.OpenTable():
            return floor.open_table(desk, command)
        case c.PostMessage() | c.Announce() | c.SetChat() | c.WithdrawMessage() | c.SetVoice():
            return _on_chat(desk, command)
        case c.DecideApproval():
            return approving.decide(desk, command, _carried_out)
        case c.PrepareDay() | c.ResolveBreak() | c.SignOff():
            return reconciling.carry_out(desk, command)
        case _:
            return _on_round(desk, command)


def _on_upkeep(desk: Desk, command: c.UpkeepCommand) -> Answer:
    match command:
        case c.CorrectJackpot():
            return upkeep.correct(desk, command)
        case c.TransferJackpot():
            return upkeep.transfer(desk, command)
        case c.ChangeJackpot():
            return upkeep.change_terms(desk, command)
        case c.VerifyPrize():
            return upkeep.verify(desk, command)
        case c.RefusePrize():
            return upkeep.refuse(desk, command)
        case c.SetService():
            return upkeep.set_service(desk, command)
        case c.SetOneDevice():
            return upkeep.set_one_device(desk, command)
        case _:
            assert_never(command)


def _on_chat(desk: Desk, command: c.ChatCommand) -> Answer:
    match command:
        case c.PostMessage():
            return chat.post(desk, command)
        case c.Announce():
            return chat.announce(desk, command)
        case c.SetChat():
            return chat.set_mode(desk, command)
        case c.WithdrawMessage():
            return chat.withdraw(desk, command)
        case c.SetVoice():
            return chat.set_voice(desk, command)
        case _:
            assert_never(command)


def _on_act(desk: Desk, command: c.ActCommand) -> Answer:
    match command:
        case c.PlaceWager():
            return spots.place_wager(desk, command)
        case c.DoubleWagers():
            return spots.double_wagers(desk, command)
        case c.RepeatWagers():
            return spots.repeat_wagers(desk, command)
        case c.UndoWager():
            return spots.undo_wager(desk, command)
        case c.PassRound():
            return spots.pass_round(desk, command)
        case c.LeaveRound():
            return spots.leave_round(desk, command)
        case c.Decide():
            return deciding.decide(desk, command)
        case _:
            assert_never(command)


def _on_round(desk: Desk, command: c.RoundCommand) -> Answer:
    match command:
        case c.OpenRound():
            return betting.open_round(desk, command)
        case c.CloseBetting():
            return betting.close_betting(desk, command)
        case c.Deal():
            return dealing.deal(desk, command)
        case c.ScanCard():
            return scanning.scan(desk, command)
        case c.CorrectScan():
            return scanning.correct(desk, command)
        case c.Settle():
            return settling.settle_round(desk, command)
        case c.PayOn():
            return carrying_on.pay_on(desk, command)
        case c.Pause():
            return pausing.pause(desk, command)
        case c.Resume():
            return pausing.resume(desk, command)
        case c.Void():
            return voiding.void(desk, command)
        case c.Resolve():
            return voiding.resolve(desk, command)
        case c.Resettle():
            return resettling.resettle(desk, command)
        case c.CancelAbandoned():
            return pausing.cancel_abandoned(desk, command)
        case c.TimeOut():
            return timing.time_out(desk, command)
        case c.OpenNext():
            return timing.open_next(desk, command)
        case _:
            assert_never(command)


def streams_of(operator: str, command: c.Command, command_id: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Streams and prefixes that the command will look at, so that a batch is loaded in one query."""
    if isinstance(command, c.ActCommand):
        return _streams_of_act(operator, command), ()
    match command:
        case c.RegisterPlayer():
            return (ids.player_stream(operator, command.player), ids.wallet_stream(operator, command.player)), ()
        case c.DepositFunds() | c.WithdrawFunds():
            transaction = ids.transaction_stream(operator, command.transaction_id)
            player = ids.player_stream(operator, command.player)
            return (ids.wallet_stream(operator, command.player), player, transaction), ()
        case c.AdjustBalance():
            return (ids.wallet_stream(operator, command.player),), ()
        case c.RollBackTransaction():
            return (ids.transaction_stream(operator, command.transaction_id),), ()
        case c.OpenJackpot():
            return (ids.jackpot_stream(operator, command.terms.jackpot),), ()
        case c.CorrectJackpot() | c.ChangeJackpot() | c.VerifyPrize() | c.RefusePrize():
            return (ids.jackpot_stream(operator, command.jackpot),), ()
        case c.TransferJackpot():
            return (ids.jackpot_stream(operator, command.jackpot), ids.jackpot_stream(operator, command.to)), ()
        case c.SetService():
            return (), ()
        case c.SetOneDevice():
            return (ids.gaming_stream(operator),), ()
        case c.JoinTable() | c.LeaveTable():
            at = (ids.player_stream(operator, command.player), ids.table_stream(operator, command.table))
            return (*at, ids.gaming_stream(operator)), ()
        case c.SetSettings() | c.SetLimit():
            return (ids.player_stream(operator, command.player),), ()
        case c.OpenTable():
            pool = (ids.jackpot_stream(operator, command.jackpot),) if command.jackpot else ()
            return (ids.table_stream(operator, command.table), *pool), ()
        case c.PostMessage() | c.Announce() | c.SetChat() | c.WithdrawMessage() | c.SetVoice():
            return _streams_of_chat(operator, command, command_id), ()
        case c.DecideApproval() | c.PrepareDay() | c.ResolveBreak() | c.SignOff():
            return (_stream_of_two(operator, command),), ()
        case _:
            return _streams_of_play(operator, command, command_id)


def _stream_of_two(operator: str, command: c.DecideApproval | c.ReconciliationCommand) -> str:
    if isinstance(command, c.DecideApproval):
        return ids.approval_stream(operator, command.approval)
    return ids.reconciliation_stream(operator, command.day)


def _streams_of_chat(operator: str, command: c.ChatCommand, command_id: str) -> tuple[str, ...]:
    match command:
        case c.SetVoice(player):
            return (ids.player_stream(operator, player),)
        case c.WithdrawMessage(table, message):
            return ids.table_stream(operator, table), ids.message_stream(operator, message)
        case c.PostMessage() | c.Announce() | c.SetChat():
            at = (ids.table_stream(operator, command.table), ids.chat_stream(operator, command.table))
            if isinstance(command, c.SetChat):
                return at
            said = ids.message_stream(operator, command_id)
            if isinstance(command, c.Announce):
                return (*at, said)
            return (*at, said, ids.player_stream(operator, command.player), ids.gaming_stream(operator))
        case _:
            assert_never(command)


def _streams_of_act(operator: str, command: c.ActCommand) -> tuple[str, ...]:
    return (
        ids.round_stream(operator, command.round),
        ids.seat_stream(operator, command.round, command.player),
        ids.wallet_stream(operator, command.player),
        ids.player_stream(operator, command.player),
        *(() if command.session is None else (ids.gaming_stream(operator),)),
    )


def _streams_of_play(
    operator: str, command: c.RoundCommand, command_id: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    match command:
        case c.OpenRound() | c.OpenNext():
            table = ids.table_stream(operator, command.table)
            return (table, ids.round_stream(operator, command_id), ids.gaming_stream(operator)), ()
        case c.Pause() | c.Resume():
            return (ids.round_stream(operator, command.round),), ()
        case (
            c.CloseBetting()
            | c.Deal()
            | c.ScanCard()
            | c.CorrectScan()
            | c.Settle()
            | c.PayOn()
            | c.Void()
            | c.Resolve()
            | c.Resettle()
            | c.TimeOut()
            | c.CancelAbandoned()
        ):
            return (ids.round_stream(operator, command.round),), (ids.seat_prefix(operator, command.round),)
        case _:
            assert_never(command)
