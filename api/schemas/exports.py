"""Bodies of the calls about exports."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from api.fields import Body, Currency
from api.reads.common import Moment
from services.exports.asking import Wish
from services.reports.scope import Clock

PARAMETERS_MOST: Final = 8

FileFormat = Literal["csv", "xlsx", "ndjson", "parquet", "hledger"]

Name = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$", examples=["trial-balance"])]
"""The name of something that can be exported, or of a table of it."""

ParameterName = Annotated[str, Field(pattern=r"^[a-z_]{1,20}$")]
ParameterText = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:@/-]{1,300}$")]
"""What a report is asked beside its time: an account, a player, a round, a number."""


class ExportBody(Body):
    """What to export: `kind` is a report of GET /v1/reports, `journal` or `events`. `from` is included, `to` is not;
    without them everything. `table`: of a file that holds one table (`csv`, `parquet`), else the first.
    """

    kind: Name
    format: FileFormat
    begin: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="to")
    currency: Currency | None = None
    clock: Literal["recorded", "effective"] = "recorded"
    table: Name | None = None
    parameters: Annotated[dict[ParameterName, ParameterText], Field(default_factory=dict, max_length=PARAMETERS_MOST)]

    def wish(self) -> Wish:
        """As the desk wants it."""
        return Wish(
            self.kind, self.format, self.begin, self.end, self.currency, Clock(self.clock), self.table, self.parameters
        )
