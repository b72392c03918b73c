"""Reports, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from pydantic import Field

from ..answer import Answer


class ReportAnswer(Answer):
    """A report: rows of each table by name. An integer from 2^53 on is a string, `null`: nothing can be said."""

    report: str
    title: str
    operator: str
    from_: str | None = Field(alias="from")
    to: str | None
    zone: str
    currency: str | None
    clock: str
    parameters: dict[str, str]
    generated_at: str
    position: int
    no_activity: bool
    tables: dict[str, list[dict[str, int | str | None]]]


class ReportColumn(Answer):
    """A column. `unit`: `minor` and `micro` are integers of the row's currency, `ppm` millionths, `count`, `text`."""

    name: str
    title: str
    unit: str


class ReportParameter(Answer):
    """What a report is asked beside its time; without a default it must be given."""

    name: str
    about: str
    default: str | None


class ReportTable(Answer):
    """A table: the names of what tells its rows apart, and its columns."""

    name: str
    title: str
    keys: list[str]
    columns: list[ReportColumn]


class ReportKind(Answer):
    """A report that can be asked for."""

    name: str
    title: str
    about: str
    parameters: list[ReportParameter]
    tables: list[ReportTable]


class ReportList(Answer):
    """Every report."""

    reports: list[ReportKind]


class ReportSource(Answer):
    """An event behind a number, and what it gave to which column."""

    position: int
    event: str
    stream: str
    at: str
    actor: str
    column: str
    value: int | str


class ReportSources(Answer):
    """With `explain`: the events that a number comes from, and the number that they make."""

    sources: list[ReportSource]
    sum: int | str
    cell: int | str | None
