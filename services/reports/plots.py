"""Pictures of reports, drawn from their tables: for the command line and for whoever embeds a report.

Each is a function of the finished report and of the currencies' decimals to the text of an SVG document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from services.reports.plot_meter import meter_plot
from services.reports.plot_revenue import revenue_plot
from services.reports.plot_rtp import rtp_plot
from services.reports.printing import Exponents
from services.reports.tables import Printed

Plot = Callable[[Printed, Exponents], str]

PLOTS: Final[Mapping[str, Plot]] = {
    "jackpot-history": meter_plot,
    "daily-revenue": revenue_plot,
    "rtp-control": rtp_plot,
}
"""By the name of the report."""
