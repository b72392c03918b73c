"""`studbook report`: a report over the log, and where a number of it comes from."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from domain.errors import Invalid
from domain.ids import checked_id

if TYPE_CHECKING:
    from api.main.reporting import Place
    from services.reports.scope import Scope
    from services.reports.tables import Kind

EPILOG: Final = "Example: studbook report trial-balance --operator demo --currency EUR --to 2026-12-01T00:00:00Z"


def report(
    name: Annotated[str | None, typer.Argument(help="Which report; without it they are listed.")] = None,
    operator: Annotated[str, typer.Option(help="Whose events.")] = "demo",
    begin: Annotated[str | None, typer.Option("--from", help="From this time on, or this gaming day.")] = None,
    end: Annotated[str | None, typer.Option("--to", help="Up to this time, or this gaming day; not included.")] = None,
    currency: Annotated[str | None, typer.Option(help="Of one currency, such as EUR.")] = None,
    clock: Annotated[Literal["recorded", "effective"], typer.Option(help="By which of an event's times.")] = "recorded",
    why: Annotated[
        str | None, typer.Option("--explain", help="The events behind one cell: TABLE:COLUMN:KEY:....")
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Work out a report from the events, now. May run beside `serve`."""
    if name is None:
        _list(as_json=as_json)
        return
    from api.main.reporting import Place, zone
    from services.reports.asking import asked_time
    from services.reports.scope import Clock, Scope

    kind, place = _kind(name), Place(database_url, data_dir)
    times = [
        None if text is None else asked_time(text, field, zone()) for text, field in ((begin, "from"), (end, "to"))
    ]
    scope = Scope(checked_id(operator, "operator"), zone(), times[0], times[1], currency, Clock(clock))
    if why is not None:
        _explain(place, kind, scope, why, as_json=as_json)
    else:
        _print(place, kind, scope, as_json=as_json)


def _list(*, as_json: bool) -> None:
    from services.reports.catalogue import REPORTS

    listed = {one.name: one.about for one in REPORTS.values()}
    typer.echo(json.dumps(listed) if as_json else "\n".join(f"{key:<24} {about}" for key, about in listed.items()))


def _kind(name: str) -> Kind:
    from services.reports.catalogue import REPORTS

    if name not in REPORTS:
        raise Invalid(f"no report {name!r}; there are {', '.join(REPORTS)}", field="name")
    return REPORTS[name]


def _print(place: Place, kind: Kind, scope: Scope, *, as_json: bool) -> None:
    from api.commands.progress import bar
    from api.fields import EXPONENTS
    from api.main.reporting import report as run
    from services.reports.printing import as_json as for_machines
    from services.reports.printing import as_text

    with bar() as progress:
        printed = run(place, kind, scope, progress)
    now = datetime.now(scope.zone)
    typer.echo(json.dumps(for_machines(printed, now)) if as_json else as_text(printed, now, EXPONENTS))


def _explain(place: Place, kind: Kind, scope: Scope, cell: str, *, as_json: bool) -> None:
    from api.main.reporting import sources
    from services.reports.asking import asked_cell
    from services.reports.printing import sources_json, sources_text

    found = sources(place, kind, scope, asked_cell(cell))
    typer.echo(json.dumps(sources_json(found)) if as_json else sources_text(found))
