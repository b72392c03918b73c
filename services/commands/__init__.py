"""What the house can be asked to do: one frozen value per command. Amounts are minor units.

Ids, times and cards come from outside: the command's own id (`Meta.causation`) names what it creates.
"""

from __future__ import annotations

from services.commands.accounts import (
    AdjustBalance,
    DepositFunds,
    RegisterPlayer,
    RollBackTransaction,
    WithdrawFunds,
)
from services.commands.approvals import DecideApproval
from services.commands.chat import Announce, PostMessage, SetChat, SetVoice, WithdrawMessage
from services.commands.floor import OpenJackpot, OpenTable
from services.commands.presence import JoinTable, LeaveTable, SetLimit, SetSettings
from services.commands.reconciling import PrepareDay, ResolveBreak, SignOff
from services.commands.rounds import (
    CloseBetting,
    CorrectScan,
    Deal,
    Decide,
    DoubleWagers,
    LeaveRound,
    OpenRound,
    PassRound,
    PayOn,
    PlaceWager,
    RepeatWagers,
    ScanCard,
    Settle,
    UndoWager,
)
from services.commands.timers import CancelAbandoned, OpenNext, TimeOut
from services.commands.upkeep import (
    ChangeJackpot,
    CorrectJackpot,
    RefusePrize,
    Scope,
    SetOneDevice,
    SetService,
    TransferJackpot,
    VerifyPrize,
)
from services.commands.voids import Pause, Resettle, Resolve, Resume, Void

AccountCommand = RegisterPlayer | DepositFunds | WithdrawFunds | AdjustBalance | RollBackTransaction
FloorCommand = OpenJackpot | OpenTable
WagerCommand = PlaceWager | DoubleWagers | RepeatWagers | UndoWager | PassRound | LeaveRound
ActCommand = WagerCommand | Decide
"""What players do in a round: nearly all commands are these, so they are looked for first."""
PlayCommand = OpenRound | CloseBetting | Deal | ScanCard | CorrectScan | Settle | PayOn
VoidCommand = Pause | Resume | Void | Resolve | Resettle
TimerCommand = TimeOut | OpenNext | CancelAbandoned
RoundCommand = PlayCommand | VoidCommand | TimerCommand
UpkeepCommand = CorrectJackpot | TransferJackpot | ChangeJackpot | VerifyPrize | RefusePrize | SetService | SetOneDevice
PresenceCommand = JoinTable | LeaveTable | SetSettings | SetLimit
ChatCommand = PostMessage | Announce | SetChat | WithdrawMessage | SetVoice
ReconciliationCommand = PrepareDay | ResolveBreak | SignOff
TwoPersonCommand = (
    Void | Resettle | CorrectJackpot | TransferJackpot | VerifyPrize | RefusePrize | AdjustBalance | SignOff
)
"""What one person proposes and another approves where `four_eyes` is `strict`; a void only after the settlement."""
Command = (
    AccountCommand
    | FloorCommand
    | PresenceCommand
    | ActCommand
    | RoundCommand
    | UpkeepCommand
    | ChatCommand
    | DecideApproval
    | ReconciliationCommand
)
"""Everything that the house can be asked."""

__all__ = [
    "AccountCommand",
    "ActCommand",
    "AdjustBalance",
    "Announce",
    "CancelAbandoned",
    "ChangeJackpot",
    "ChatCommand",
    "CloseBetting",
    "Command",
    "CorrectJackpot",
    "CorrectScan",
    "Deal",
    "Decide",
    "DecideApproval",
    "DepositFunds",
    "DoubleWagers",
    "FloorCommand",
    "JoinTable",
    "LeaveRound",
    "LeaveTable",
    "OpenJackpot",
    "OpenNext",
    "OpenRound",
    "OpenTable",
    "PassRound",
    "Pause",
    "PayOn",
    "PlaceWager",
    "PlayCommand",
    "PostMessage",
    "PrepareDay",
    "PresenceCommand",
    "ReconciliationCommand",
    "RefusePrize",
    "RegisterPlayer",
    "RepeatWagers",
    "Resettle",
    "Resolve",
    "ResolveBreak",
    "Resume",
    "RollBackTransaction",
    "RoundCommand",
    "ScanCard",
    "Scope",
    "SetChat",
    "SetLimit",
    "SetOneDevice",
    "SetService",
    "SetSettings",
    "SetVoice",
    "Settle",
    "SignOff",
    "TimeOut",
    "TimerCommand",
    "TransferJackpot",
    "TwoPersonCommand",
    "UndoWager",
    "UpkeepCommand",
    "VerifyPrize",
    "Void",
    "VoidCommand",
    "WagerCommand",
    "WithdrawFunds",
    "WithdrawMessage",
]
