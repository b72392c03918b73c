"""Every call. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from .approvals import ApprovalsCalls
from .audit import AuditCalls
from .books import BooksCalls
from .chat import ChatCalls
from .exports import ExportsCalls
from .health import HealthCalls
from .jackpots import JackpotsCalls
from .keys import KeysCalls
from .players import PlayersCalls
from .reconciliations import ReconciliationsCalls
from .reports import ReportsCalls
from .rounds import RoundsCalls
from .service import ServiceCalls
from .tables import TablesCalls
from .webhooks import WebhooksCalls


class Methods(
    ApprovalsCalls,
    AuditCalls,
    BooksCalls,
    ChatCalls,
    ExportsCalls,
    HealthCalls,
    JackpotsCalls,
    KeysCalls,
    PlayersCalls,
    ReconciliationsCalls,
    ReportsCalls,
    RoundsCalls,
    ServiceCalls,
    TablesCalls,
    WebhooksCalls,
):
    """Every call of the API, as one method."""
