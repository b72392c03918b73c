"""Reports: what there are, and one of them worked out from the events when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query
from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from api.encoding import encoded
from api.fields import ClientId, Currency
from api.reads.common import Books, Moment, Plain, Readers, Whole, answer
from api.reads.exports import Nothing, caller
from api.validation import OWN_ERROR
from domain.errors import Invalid
from domain.exports import Status
from domain.frozen import dataclass
from services.exports.asking import Wish
from services.exports.desk import ExportAnswer, answered
from services.exports.kinds import Format
from services.reports.asking import asked_cell
from services.reports.catalogue import REPORTS
from services.reports.scope import Clock
from services.reports.tables import Kind, Layout

REPORT: Final = "/v1/reports/{name}"
THRESHOLD_MAX: Final = 10**15


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column. `unit`: `minor` and `micro` are integers of the row's currency, `ppm` millionths, `count`, `text`."""

    name: str
    title: str
    unit: str


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: the names of what tells its rows apart, and its columns."""

    name: str
    title: str
    keys: tuple[str, ...]
    columns: tuple[ReportColumn, ...]


@dataclass(frozen=True, slots=True)
class ReportParameter:
    """What a report is asked beside its time; without a default it must be given."""

    name: str
    about: str
    default: str | None


@dataclass(frozen=True, slots=True)
class ReportKind:
    """A report that can be asked for."""

    name: str
    title: str
    about: str
    parameters: tuple[ReportParameter, ...]
    tables: tuple[ReportTable, ...]


@dataclass(frozen=True, slots=True)
class ReportList:
    """Every report."""

    reports: tuple[ReportKind, ...]


class ReportAnswer(BaseModel):
    """A report: rows of each table by name. An integer from 2^53 on is a string, `null`: nothing can be said."""

    report: str
    title: str
    operator: str
    begin: str | None = Field(alias="from")
    end: str | None = Field(alias="to")
    zone: str
    currency: str | None
    clock: str
    parameters: dict[str, str]
    generated_at: str
    position: int
    no_activity: bool
    tables: dict[str, list[dict[str, int | str | None]]]


class ReportSource(BaseModel):
    """An event behind a number, and what it gave to which column."""

    position: int
    event: str
    stream: str
    at: str
    actor: str
    column: str
    value: int | str


class ReportSources(BaseModel):
    """With `explain`: the events that a number comes from, and the number that they make."""

    sources: list[ReportSource]
    sum: int | str
    cell: int | str | None


def _cell(text: str) -> str:
    try:
        asked_cell(text)
    except Invalid as refusal:
        raise PydanticCustomError(OWN_ERROR, "must be TABLE:COLUMN:KEY and further keys") from refusal
    return text


class ReportQuery(Plain):
    """From a time (included) to a time (not included), by which of an event's times, and what a report is asked beside
    that. `explain` names a number, TABLE:COLUMN:KEY and further keys, and asks for the events that it comes from.
    """

    begin: Moment | None = Field(default=None, alias="from")
    end: Moment | None = Field(default=None, alias="to")
    currency: Currency | None = None
    clock: Literal["recorded", "effective"] = "recorded"
    account: Annotated[str | None, Field(pattern=r"^[A-Za-z0-9_.:@/-]{1,300}$")] = None
    player: ClientId | None = None
    round: ClientId | None = None
    threshold: Annotated[Whole, Field(ge=0, le=THRESHOLD_MAX)] | None = None
    explain: Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f]{1,500}$"), AfterValidator(_cell)] | None = None

    def wish(self, name: str) -> Wish:
        """As the desk wants it."""
        asked = {"account": self.account, "player": self.player, "round": self.round, "threshold": self.threshold}
        given: Mapping[str, str] = {key: str(one) for key, one in asked.items() if one is not None}
        clock = Clock(self.clock)
        return Wish(
            name, Format.JSON, self.begin, self.end, self.currency, clock, parameters=given, explain=self.explain
        )


_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    202: {
        "model": ExportAnswer,
        "description": "It takes longer: where to look for it",
        "headers": {"Location": {"description": "Where to look for it", "schema": {"type": "string"}}},
    }
}


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["reports"])
    desk = readers.exports

    @made.get("/reports", operation_id="get_reports", response_model=ReportList, summary="Reports that there are")
    async def listed(_who: Books, _: Annotated[Nothing, Query()]) -> Response:
        return answer(ReportList(tuple(_kind(one) for one in REPORTS.values())))

    @made.get(
        "/reports/{name}",
        operation_id="get_report",
        response_model=ReportAnswer | ReportSources,
        responses=_RESPONSES,
        summary="A report, worked out now",
    )
    async def report(who: Books, name: str, request: Request, query: Annotated[ReportQuery, Query()]) -> Response:
        async with readers.reads.views.reading_log(who.operator, query.min_position):
            pass  # the log can be seen that far, and the report reads all of it
        one = await desk.report(caller(who, request, REPORT), query.wish(name))
        if one.status is Status.DONE:
            return Response(await desk.content(one), media_type=JSONResponse.media_type)
        headers = {"location": f"/v1/exports/{one.export}"}
        return Response(encoded(answered(one)), 202, headers, JSONResponse.media_type)

    return made


def _kind(one: Kind) -> ReportKind:
    parameters = tuple(ReportParameter(each.name, each.about, each.default) for each in one.parameters)
    return ReportKind(one.name, one.title, one.about, parameters, tuple(_table(each) for each in one.tables))


def _table(layout: Layout) -> ReportTable:
    columns = tuple(ReportColumn(one.name, one.title, one.unit.value) for one in layout.columns)
    return ReportTable(layout.name, layout.title, layout.keys, columns)
