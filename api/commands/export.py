"""`studbook export`: reports, the journal and the events as files, with their hash and control totals."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

import typer

from api.commands import bundle
from domain.errors import Conflict, Invalid
from domain.ids import checked_id

if TYPE_CHECKING:
    from api.main.place import Place
    from services.exports.making import Order

EPILOG: Final = "Example: studbook export trial-balance --format csv --from 2026-11-29 --to 2026-11-30 --output day.csv"
STANDARD_OUTPUT: Final = "-"
BINARY: Final = frozenset({"xlsx", "parquet"})


KindName = Annotated[str | None, typer.Argument(help="What to export; without it everything is listed.")]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="csv, xlsx, ndjson, json, parquet, hledger; else the first it has."),
]
Begin = Annotated[str | None, typer.Option("--from", help="From this time on, or this gaming day.")]
End = Annotated[str | None, typer.Option("--to", help="Up to this time, or this gaming day; not included.")]
ClockName = Annotated[Literal["recorded", "effective"], typer.Option(help="By which of an event's times.")]
TableName = Annotated[str | None, typer.Option(help="Which table of a report, where a file holds one.")]
Account = Annotated[str | None, typer.Option(help="Of one account, such as av/ann or REV/.")]
Player = Annotated[str | None, typer.Option(help="Of one player.")]
Round = Annotated[str | None, typer.Option("--round", help="Of one round.")]
Threshold = Annotated[str | None, typer.Option(help="From this number on; amounts in minor units.")]
Folder = Annotated[Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")]
Url = Annotated[str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")]


def export(
    kind: KindName = None,
    form: FormatName = None,
    operator: Annotated[str, typer.Option(help="Whose events.")] = "demo",
    begin: Begin = None,
    end: End = None,
    currency: Annotated[str | None, typer.Option(help="Of one currency, such as EUR.")] = None,
    clock: ClockName = "recorded",
    table: TableName = None,
    account: Account = None,
    player: Player = None,
    round_id: Round = None,
    threshold: Threshold = None,
    output: Annotated[str, typer.Option(help="The file, or - for standard output.")] = STANDARD_OUTPUT,
    data_dir: Folder = None,
    database_url: Url = None,
    as_json: Annotated[bool, typer.Option("--json", help="The manifest on standard output.")] = False,
) -> None:
    """Write a file worked out from the events, and FILE.manifest.json with its hash and totals. May run beside `serve`.

    Exit code 1 where the log does not balance: then there is no file.
    """
    if kind is None:
        _list(as_json=as_json)
        return
    from api.main.place import Place

    given = {"account": account, "player": player, "round": round_id, "threshold": threshold}
    if kind == bundle.BUNDLE:
        chosen = (begin, end, currency, table, *given.values())
        bundle.write(Place(database_url, data_dir), output, any(one is not None for one in chosen), as_json=as_json)
        return
    order = _order(Asked(kind, form or _first_form(kind), operator, (begin, end), currency, clock, table, given))
    _check_output(order, output, as_json=as_json)
    try:
        _export(Place(database_url, data_dir), order, output, as_json=as_json)
    except Conflict as fault:
        typer.echo(f"studbook: {fault.detail}", err=True)
        sys.exit(1)


def _first_form(kind: str) -> str:
    """CSV where there is one."""
    from services.exports.kinds import exportables

    found = exportables().get(kind)
    return "csv" if found is None else found.formats[0].value


class Asked(NamedTuple):
    """What was written on the command line."""

    kind: str
    form: str
    operator: str
    times: tuple[str | None, str | None]
    currency: str | None
    clock: str
    table: str | None
    given: dict[str, str | None]


def _order(asked: Asked) -> Order:
    """The same as an order. Raises Invalid that names the field."""
    from api.fields import known_currency
    from api.main.reporting import zone
    from services.exports.asking import Wish, order_of
    from services.reports.asking import asked_time
    from services.reports.scope import Clock

    begin, end = (
        None if text is None else asked_time(text, field, zone())
        for text, field in zip(asked.times, ("from", "to"), strict=True)
    )
    given = {name: text for name, text in asked.given.items() if text is not None}
    currency = known_currency(asked.currency)
    wish = Wish(asked.kind, asked.form, begin, end, currency, Clock(asked.clock), asked.table, given)
    return order_of(checked_id(asked.operator, "operator"), zone(), wish, datetime.now(UTC))


def _list(*, as_json: bool) -> None:
    from services.exports.kinds import exportables

    found = exportables().values()
    if as_json:
        listed = {one.name: {"about": one.about, "formats": list(one.formats)} for one in found}
        typer.echo(json.dumps(listed | {bundle.BUNDLE: {"about": bundle.ABOUT, "formats": [bundle.BUNDLE]}}))
    else:
        typer.echo("\n".join(f"{one.name:<24} {one.about} ({', '.join(one.formats)})" for one in found))
        typer.echo(f"{bundle.BUNDLE:<24} {bundle.ABOUT}")


def _check_output(order: Order, output: str, *, as_json: bool) -> None:
    """What cannot be, before anything is read."""
    if output != STANDARD_OUTPUT:
        if not Path(output).absolute().parent.is_dir() or Path(output).is_dir():
            raise Invalid(f"{output}: no file can be written there", field="output")
    elif as_json:
        raise Invalid("with --json the file needs a name: give --output FILE", field="output")
    elif order.form in BINARY and sys.stdout.isatty():
        raise Invalid(f"{order.form} is nothing for a terminal: give --output FILE", field="output")


def _export(place: Place, order: Order, output: str, *, as_json: bool) -> None:
    from api.commands.progress import bar
    from api.main.exporting import export as run

    with tempfile.TemporaryDirectory(prefix="studbook-") as folder:
        path = Path(folder) / "export" if output == STANDARD_OUTPUT else Path(output)
        with bar() as progress:
            manifest = run(place, order, path, progress)
        if output == STANDARD_OUTPUT:
            with path.open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            typer.echo(_told(manifest), err=True)
            return
    manifest["file"] = path.name
    text = json.dumps(manifest, indent=2, ensure_ascii=False)
    path.with_name(f"{path.name}.manifest.json").write_text(f"{text}\n", encoding="utf-8")
    typer.echo(text if as_json else _told(manifest))


def _told(manifest: dict[str, Any]) -> str:
    rows = ", ".join(f"{name} {one['rows']} rows" for name, one in manifest["totals"].items()) or "No activity"
    return f"{manifest['kind']}: {rows}; {manifest['bytes']} bytes, sha256 {manifest['sha256']}"
