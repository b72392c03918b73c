"""All bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from .approvals import ApprovalBody
from .chat import AnnouncementBody, ChatModeBody, MessageBody, ModerationBody
from .exports import ExportBody
from .jackpots import ChangeBody, JackpotBody, MoneyBody, PrizeBody, TransferBody
from .keys import KeyBody
from .players import (
    AdjustmentBody,
    DepositItem,
    DepositsBulkBody,
    LimitsBody,
    PlayerBody,
    SettingsBody,
    TransactionBody,
)
from .reconciliations import BreakBody, PoolTotalsBody, PrepareBody, ResolveBreakBody, SignOffBody
from .rounds import (
    DealBody,
    DecisionBody,
    DecisionItem,
    DecisionsBulkBody,
    PauseBody,
    ResettleBody,
    ResolveBody,
    ResumeBody,
    ScanBody,
    ScanCorrectionBody,
    SettleBody,
    SideBody,
    VoidBody,
    WagerBody,
    WagerItem,
    WagersBulkBody,
    WhoBody,
)
from .service import OneDeviceBody, ServiceBody
from .tables import JoinBody, LeaveBody, TableBody
from .webhooks import ReplayBody, WebhookBody, WebhookChangeBody

__all__ = [
    "AdjustmentBody",
    "AnnouncementBody",
    "ApprovalBody",
    "BreakBody",
    "ChangeBody",
    "ChatModeBody",
    "DealBody",
    "DecisionBody",
    "DecisionItem",
    "DecisionsBulkBody",
    "DepositItem",
    "DepositsBulkBody",
    "ExportBody",
    "JackpotBody",
    "JoinBody",
    "KeyBody",
    "LeaveBody",
    "LimitsBody",
    "MessageBody",
    "ModerationBody",
    "MoneyBody",
    "OneDeviceBody",
    "PauseBody",
    "PlayerBody",
    "PoolTotalsBody",
    "PrepareBody",
    "PrizeBody",
    "ReplayBody",
    "ResettleBody",
    "ResolveBody",
    "ResolveBreakBody",
    "ResumeBody",
    "ScanBody",
    "ScanCorrectionBody",
    "ServiceBody",
    "SettingsBody",
    "SettleBody",
    "SideBody",
    "SignOffBody",
    "TableBody",
    "TransactionBody",
    "TransferBody",
    "VoidBody",
    "WagerBody",
    "WagerItem",
    "WagersBulkBody",
    "WebhookBody",
    "WebhookChangeBody",
    "WhoBody",
]
