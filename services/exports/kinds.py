"""What can be exported, in which formats, and by whom."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from domain.errors import Invalid
from domain.frozen import dataclass
from services.exports.journal import ENTRIES
from services.reports.catalogue import REPORTS
from services.reports.tables import Layout


class Format(StrEnum):
    """The form of a file."""

    CSV = "csv"
    XLSX = "xlsx"
    NDJSON = "ndjson"
    JSON = "json"
    PARQUET = "parquet"
    HLEDGER = "hledger"


MEDIA: Final[Mapping[Format, str]] = {
    Format.CSV: "text/csv; charset=utf-8; header=present",
    Format.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Format.NDJSON: "application/x-ndjson",
    Format.JSON: "application/json",
    Format.PARQUET: "application/vnd.apache.parquet",
    Format.HLEDGER: "text/plain; charset=utf-8",
}

JOURNAL: Final = "journal"
EVENTS: Final = "events"

OF_TABLES: Final = (Format.CSV, Format.XLSX, Format.NDJSON, Format.PARQUET)
ONE_TABLE: Final = frozenset({Format.CSV, Format.PARQUET})
"""Formats whose file holds one table."""

BOOKS: Final = frozenset({"finance", "auditor", "admin"})
AUDIT: Final = frozenset({"auditor", "admin"})


@dataclass(frozen=True, slots=True)
class Exportable:
    """Something that can be exported."""

    name: str
    about: str
    formats: tuple[Format, ...]
    roles: frozenset[str]
    tables: tuple[Layout, ...]
    is_report: bool = False

    def format(self, text: str) -> Format:
        """The format of that name. Raises Invalid that names those there are."""
        for one in self.formats:
            if one == text:
                return one
        raise Invalid(f"{self.name} comes as {', '.join(self.formats)}", field="format")

    def table(self, form: Format, name: str | None) -> str | None:
        """The one table of a file of this form: the one asked for, else the first; None where a file holds all. Raises
        Invalid.
        """
        if form not in ONE_TABLE:
            if name is not None:
                raise Invalid(f"a file of {form} holds every table of {self.name}", field="table")
            return None
        names = [one.name for one in self.tables]
        if name is not None and name not in names:
            raise Invalid(f"{self.name} has the tables {', '.join(names)}", field="table")
        return name or names[0]


_OWN: Final = (
    Exportable(
        JOURNAL,
        "Every line of every entry, for a general ledger; as hledger with the balances of its beginning.",
        (*OF_TABLES, Format.HLEDGER, Format.JSON),
        BOOKS,
        (ENTRIES,),
        is_report=True,
    ),
    Exportable(
        EVENTS, "The operator's events as CloudEvents, one a line; sealed cards left out.", (Format.NDJSON,), AUDIT, ()
    ),
)


def exportables() -> Mapping[str, Exportable]:
    """Everything that can be exported, by name: journal, events, and each report."""
    forms = (*OF_TABLES, Format.JSON)
    reports = [Exportable(one.name, one.about, forms, BOOKS, one.tables, True) for one in REPORTS.values()]
    return {one.name: one for one in (*reports, *_OWN)}


def exportable(name: str) -> Exportable:
    """What is exported under that name. Raises Invalid that names what there is."""
    known = exportables()
    if name not in known:
        raise Invalid(f"no export {name[:60]!r}; there are {', '.join(known)}", field="kind")
    return known[name]
