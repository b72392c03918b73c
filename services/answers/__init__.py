"""What the house answers: the bodies of the REST contract. Amounts are minor units, `position` is set at the append."""

from __future__ import annotations

from typing import Final

from services.answers.accounts import AdjustmentAnswer, Balance, PlayerAnswer, RollbackAnswer, TransactionAnswer
from services.answers.approvals import (
    ApprovalAnswer,
    Proposed,
    ProposedAdjustment,
    ProposedCorrection,
    ProposedPrize,
    ProposedResettlement,
    ProposedSignOff,
    ProposedTransfer,
    ProposedVoid,
)
from services.answers.chat import ChatModeAnswer, MessageAnswer, VoiceAnswer, WithdrawnAnswer
from services.answers.floor import JackpotAnswer, RoundAnswer, TableAnswer
from services.answers.presence import JoinAnswer, LeaveAnswer, LimitAnswer, SettingsAnswer
from services.answers.reconciling import ReconciliationAnswer, RecordedBreak, SignedPool
from services.answers.rounds import (
    AnteUsed,
    CloseAnswer,
    DealAnswer,
    DecisionAnswer,
    NextCard,
    PhaseAnswer,
    Rejection,
    ScanAnswer,
    SettleAnswer,
    WagerLine,
    WagersAnswer,
)
from services.answers.upkeep import (
    JackpotTerms,
    OneDeviceAnswer,
    PoolBalances,
    PrizeAnswer,
    ServiceAnswer,
    TermsAnswer,
    UpkeepAnswer,
)
from services.answers.voids import (
    ResettleAnswer,
    ResettledPlayer,
    ResolveAnswer,
    ResolvedPlayer,
    VoidAnswer,
    VoidedJackpot,
    VoidedPlayer,
)

Answer = (
    PlayerAnswer
    | TransactionAnswer
    | AdjustmentAnswer
    | RollbackAnswer
    | JackpotAnswer
    | TableAnswer
    | RoundAnswer
    | WagersAnswer
    | PhaseAnswer
    | CloseAnswer
    | DealAnswer
    | ScanAnswer
    | DecisionAnswer
    | SettleAnswer
    | VoidAnswer
    | ResolveAnswer
    | ResettleAnswer
    | UpkeepAnswer
    | TermsAnswer
    | PrizeAnswer
    | ServiceAnswer
    | OneDeviceAnswer
    | JoinAnswer
    | LeaveAnswer
    | SettingsAnswer
    | LimitAnswer
    | MessageAnswer
    | WithdrawnAnswer
    | ChatModeAnswer
    | VoiceAnswer
    | ApprovalAnswer
    | ReconciliationAnswer
)
"""Every body of a success."""

LIST_PAGE: Final = 1000
"""How many players one answer lists."""

__all__ = [
    "LIST_PAGE",
    "AdjustmentAnswer",
    "Answer",
    "AnteUsed",
    "ApprovalAnswer",
    "Balance",
    "ChatModeAnswer",
    "CloseAnswer",
    "DealAnswer",
    "DecisionAnswer",
    "JackpotAnswer",
    "JackpotTerms",
    "JoinAnswer",
    "LeaveAnswer",
    "LimitAnswer",
    "MessageAnswer",
    "NextCard",
    "OneDeviceAnswer",
    "PhaseAnswer",
    "PlayerAnswer",
    "PoolBalances",
    "PrizeAnswer",
    "Proposed",
    "ProposedAdjustment",
    "ProposedCorrection",
    "ProposedPrize",
    "ProposedResettlement",
    "ProposedSignOff",
    "ProposedTransfer",
    "ProposedVoid",
    "ReconciliationAnswer",
    "RecordedBreak",
    "Rejection",
    "ResettleAnswer",
    "ResettledPlayer",
    "ResolveAnswer",
    "ResolvedPlayer",
    "RollbackAnswer",
    "RoundAnswer",
    "ScanAnswer",
    "ServiceAnswer",
    "SettingsAnswer",
    "SettleAnswer",
    "SignedPool",
    "TableAnswer",
    "TermsAnswer",
    "TransactionAnswer",
    "UpkeepAnswer",
    "VoiceAnswer",
    "VoidAnswer",
    "VoidedJackpot",
    "VoidedPlayer",
    "WagerLine",
    "WagersAnswer",
    "WithdrawnAnswer",
]
