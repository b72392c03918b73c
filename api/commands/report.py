"""`studbook report`: a report over the log, and where a number of it comes from."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

import typer

from domain.errors import Invalid
from domain.ids import checked_id

if TYPE_CHECKING:
    from api.main.place import Place
    from services.reports.scope import Scope
    from services.reports.tables import Kind

EPILOG: Final = "Example: studbook report trial-balance --operator demo --currency EUR --to 2026-12-01T00:00:00Z"


Moment = Annotated[str | None, typer.Option("--from", help="From this time on, or this gaming day.")]
Until = Annotated[str | None, typer.Option("--to", help="Up to this time, or this gaming day; not included.")]
PeriodName = Annotated[
    Literal["day", "mtd", "ytd", "ltd"] | None,
    typer.Option(help="In place of --from and --to: a gaming day, or month, year, life to its end."),
]
Day = Annotated[str | None, typer.Option(help="The gaming day of --period; today unless told otherwise.")]
ClockName = Annotated[Literal["recorded", "effective"], typer.Option(help="By which of an event's times.")]
Cell = Annotated[str | None, typer.Option("--explain", help="The events behind one cell: TABLE:COLUMN:KEY:....")]
Folder = Annotated[Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")]
Url = Annotated[str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")]
Round = Annotated[str | None, typer.Option("--round", help="Of one round.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]


def report(
    name: Annotated[str | None, typer.Argument(help="Which report; without it they are listed.")] = None,
    operator: Annotated[str, typer.Option(help="Whose events.")] = "demo",
    begin: Moment = None,
    end: Until = None,
    period: PeriodName = None,
    day: Day = None,
    currency: Annotated[str | None, typer.Option(help="Of one currency, such as EUR.")] = None,
    clock: ClockName = "recorded",
    account: Annotated[str | None, typer.Option(help="Of one account, such as av/ann or REV/.")] = None,
    player: Annotated[str | None, typer.Option(help="Of one player.")] = None,
    round_id: Round = None,
    threshold: Annotated[str | None, typer.Option(help="From this number on; amounts in minor units.")] = None,
    why: Cell = None,
    plot: Annotated[Path | None, typer.Option(help="Draw it into this SVG file too.")] = None,
    data_dir: Folder = None,
    database_url: Url = None,
    as_json: AsJson = False,
) -> None:
    """Work out a report from the events, now. May run beside `serve`."""
    if name is None:
        _list(as_json=as_json)
        return
    from api.fields import known_currency
    from api.main.place import Place
    from api.main.reporting import zone
    from services.reports.asking import asked_of
    from services.reports.scope import Clock, Scope

    kind, place, now = _kind(name), Place(database_url, data_dir), datetime.now(zone())
    _check_plot(kind, plot, is_explained=why is not None)
    bounds = _interval(Interval(begin, end, period, day), now)
    scope = Scope(checked_id(operator, "operator"), zone(), *bounds, known_currency(currency), Clock(clock))
    scope = asked_of(kind, scope, _given(account=account, player=player, round=round_id, threshold=threshold), now)
    if why is not None:
        _explain(place, kind, scope, why, as_json=as_json)
    else:
        _print(place, kind, scope, plot, as_json=as_json)


def _given(**asked: str | None) -> dict[str, str]:
    return {name: text for name, text in asked.items() if text is not None}


class Interval(NamedTuple):
    """What was written to say from when to when."""

    begin: str | None
    end: str | None
    period: str | None
    day: str | None


def _interval(asked: Interval, now: datetime) -> tuple[datetime | None, datetime | None]:
    from api.main.reporting import zone
    from services.reports.asking import Period, asked_period, asked_time

    if asked.period is not None:
        if asked.begin is not None or asked.end is not None:
            raise Invalid("--period stands in place of --from and --to", field="period")
        return asked_period(Period(asked.period), asked.day, now, zone())
    if asked.day is not None:
        raise Invalid("--day goes with --period", field="day")
    begin, end = (
        None if text is None else asked_time(text, field, zone())
        for text, field in ((asked.begin, "from"), (asked.end, "to"))
    )
    return begin, end


def _check_plot(kind: Kind, plot: Path | None, *, is_explained: bool) -> None:
    """Bad use is told before anything is read."""
    from services.reports.plots import PLOTS

    if plot is None:
        return
    if is_explained:
        raise Invalid("--explain lists events, it has no picture", field="plot")
    if kind.name not in PLOTS:
        raise Invalid(f"{kind.name} has no picture; there are those of {', '.join(PLOTS)}", field="plot")
    if not plot.parent.is_dir() or plot.is_dir():
        raise Invalid(f"{plot} is no file in a folder that exists", field="plot")


def _list(*, as_json: bool) -> None:
    from services.reports.catalogue import REPORTS

    listed = {one.name: one.about for one in REPORTS.values()}
    typer.echo(json.dumps(listed) if as_json else "\n".join(f"{key:<24} {about}" for key, about in listed.items()))


def _kind(name: str) -> Kind:
    from services.reports.catalogue import REPORTS

    if name not in REPORTS:
        raise Invalid(f"no report {name!r}; there are {', '.join(REPORTS)}", field="name")
    return REPORTS[name]


def _print(place: Place, kind: Kind, scope: Scope, plot: Path | None, *, as_json: bool) -> None:
    from api.commands.progress import bar
    from api.fields import EXPONENTS
    from api.main.reporting import report as run
    from services.reports.printing import as_json as for_machines
    from services.reports.printing import as_text

    with bar() as progress:
        printed = run(place, kind, scope, progress)
    now = datetime.now(scope.zone)
    if plot is not None:
        from services.reports.plots import PLOTS

        plot.write_text(PLOTS[kind.name](printed, EXPONENTS), encoding="utf-8")
    typer.echo(json.dumps(for_machines(printed, now)) if as_json else as_text(printed, now, EXPONENTS))


def _explain(place: Place, kind: Kind, scope: Scope, cell: str, *, as_json: bool) -> None:
    from api.main.reporting import sources
    from services.reports.asking import asked_cell
    from services.reports.printing import sources_json, sources_text
    from services.reports.run import worth

    named = asked_cell(cell)
    found = sources(place, kind, scope, named)
    made = worth(kind, named, found)
    typer.echo(json.dumps(sources_json(found, made)) if as_json else sources_text(found, made))
