"""The reports that can be asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from services.reports.account_summary import ACCOUNT_SUMMARY
from services.reports.ageing import AGEING
from services.reports.daily_revenue import DAILY_REVENUE
from services.reports.game_performance import GAME_PERFORMANCE
from services.reports.incident import INCIDENT
from services.reports.jackpot_history import JACKPOT_HISTORY
from services.reports.jackpot_liability import JACKPOT_LIABILITY
from services.reports.journal import JOURNAL
from services.reports.large_wins import LARGE_WINS
from services.reports.player_liability import PLAYER_LIABILITY
from services.reports.player_statement import PLAYER_STATEMENT
from services.reports.rtp_control import RTP_CONTROL
from services.reports.significant_events import SIGNIFICANT_EVENTS
from services.reports.statement import STATEMENT
from services.reports.tables import Kind
from services.reports.trial_balance import TRIAL_BALANCE
from services.reports.voids import VOIDS

REPORTS: Final[Mapping[str, Kind]] = {
    one.name: one
    for one in (
        TRIAL_BALANCE,
        JOURNAL,
        STATEMENT,
        GAME_PERFORMANCE,
        DAILY_REVENUE,
        RTP_CONTROL,
        JACKPOT_LIABILITY,
        JACKPOT_HISTORY,
        ACCOUNT_SUMMARY,
        PLAYER_STATEMENT,
        PLAYER_LIABILITY,
        AGEING,
        VOIDS,
        INCIDENT,
        SIGNIFICANT_EVENTS,
        LARGE_WINS,
    )
}
"""By name."""
