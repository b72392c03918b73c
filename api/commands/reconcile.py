"""`studbook reconcile`: is every pool's day explained, three ways? Does the cashier's statement match?"""

from __future__ import annotations

import json
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import typer

from domain.errors import Invalid
from domain.ids import checked_id

if TYPE_CHECKING:
    from api.main.place import Place
    from services.reconcile.asked import Question
    from services.reconcile.run import Run

EPILOG: Final = "Example: studbook reconcile --day 2026-11-29 --operator demo --statement cashier.csv --json"
DAYS_MAX: Final = 366


def reconcile(
    day: Annotated[str | None, typer.Option(help="One gaming day; today without --from.")] = None,
    first: Annotated[str | None, typer.Option("--from", help="The first of several gaming days.")] = None,
    last: Annotated[str | None, typer.Option("--to", help="The last of them; included.")] = None,
    operator: Annotated[str, typer.Option(help="Whose pools.")] = "demo",
    pool: Annotated[str | None, typer.Option(help="One pool alone.")] = None,
    statement: Annotated[Path | None, typer.Option(help="The operator's CSV of deposits and withdrawals.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the day of one pool into this SVG file.")] = None,
    sheet: Annotated[Path | None, typer.Option(help="Write the body of POST /v1/reconciliations here.")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Hold every pool's gaming day against events, ledger and read model; exit code 1 while a break is open. It changes
    nothing, may run beside `serve`, and may be run again at any time.
    """
    from api.main.place import Place

    question = _question(day, first, last, checked_id(operator, "operator"), pool)
    files = _Files(statement, plot, sheet)
    if not _run(Place(database_url, data_dir), question, files, as_json=as_json):
        sys.exit(1)


class _Files(NamedTuple):
    """What is read beside the database, and what is written beside standard output."""

    statement: Path | None
    plot: Path | None
    sheet: Path | None


def _run(place: Place, question: Question, files: _Files, *, as_json: bool) -> bool:
    """Whether nothing is open."""
    from api.commands.progress import bar
    from api.fields import EXPONENTS
    from api.main.reconciling import run
    from services.reconcile import printing
    from services.reconcile.matching import match_statement
    from services.reconcile.standing import standing
    from services.reconcile.statement import read_statement

    statement = None if files.statement is None else read_statement(_bytes(files.statement), EXPONENTS)
    with bar() as progress:
        found, heads = run(place, question, progress)
    _known_pool(found)
    matching = None if statement is None else match_statement(question, found.cashier, statement, EXPONENTS)
    breaks = (*found.asked_breaks, *(() if matching is None else matching.breaks))
    stand = standing(question, found.book, breaks)
    if files.plot is not None:
        _draw(files.plot, found)
    if files.sheet is not None:
        _write_sheet(files.sheet, found, printing.sheet(found, stand, heads))
    shown = printing.as_json(found, stand, heads, matching)
    typer.echo(json.dumps(shown) if as_json else printing.as_text(found, stand, matching, EXPONENTS))
    return bool(shown["ok"])


def _question(day: str | None, first: str | None, last: str | None, operator: str, pool: str | None) -> Question:
    from api.main.reporting import zone
    from services.calendar import gaming_day
    from services.reconcile.asked import Question

    now = datetime.now(UTC)
    today = gaming_day(now, zone())
    if day is not None and (first is not None or last is not None):
        raise Invalid("give either --day, or --from and --to", field="day")
    if last is not None and first is None:
        raise Invalid("--to needs --from", field="from")
    begin = _date(day, "day") or _date(first, "from") or today
    end = _date(last, "to") or (begin if first is None else today)
    if end < begin:
        raise Invalid("--to lies before --from", field="to")
    if end - begin > timedelta(days=DAYS_MAX):
        raise Invalid(f"at most {DAYS_MAX} days", field="to")
    if end > today:
        raise Invalid("that day has not begun", field="to" if last is not None else "day")
    return Question(operator, zone(), begin, end, None if pool is None else checked_id(pool, "pool"), now)


def _date(text: str | None, field: str) -> date | None:
    if text is None:
        return None
    try:
        if len(text) == len("2026-11-29"):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise Invalid("a gaming day, such as 2026-11-29", field=field)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise Invalid(f"{path}: {fault.strerror or fault}", field="statement") from None


def _known_pool(found: Run) -> None:
    pool = found.question.pool
    if pool is not None and not found.asked_days:
        raise Invalid(f"{found.question.operator} has no pool {pool} by then", field="pool")


def _draw(path: Path, found: Run) -> None:
    from api.fields import EXPONENTS
    from services.reconcile.waterfall import waterfall

    if len(found.asked_days) != 1:
        raise Invalid("a picture is of one pool's day: give --pool and --day", field="plot")
    (day,) = found.asked_days
    path.write_text(waterfall(day, EXPONENTS.get(day.currency, 0)), "utf-8")


def _write_sheet(path: Path, found: Run, made: dict[str, Any]) -> None:
    from services.reconcile.printing import BREAKS_MAX, POOLS_MAX

    question = found.question
    if question.first != question.last or question.pool is not None:
        raise Invalid("a sheet is of all pools on one day: give --day alone", field="sheet")
    breaks, pools = (len(made[name]) for name in ("breaks", "pools"))
    if breaks > BREAKS_MAX or pools > POOLS_MAX:
        text = f"{breaks} breaks and {pools} pools: a sheet has at most {BREAKS_MAX} and {POOLS_MAX}"
        raise Invalid(text, field="sheet")
    path.write_text(json.dumps(made, indent=1) + "\n", "utf-8")
