"""The reports that can be asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from services.reports.tables import Kind
from services.reports.trial_balance import TRIAL_BALANCE

REPORTS: Final[Mapping[str, Kind]] = {one.name: one for one in (TRIAL_BALANCE,)}
"""By name."""
