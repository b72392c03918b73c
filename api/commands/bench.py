"""`studbook bench`: a durable wager over HTTP, measured beside an empty endpoint, pgbench and the library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from api.bench.run import Wanted

EPILOG = "Example: studbook bench --quick --only http_wagers_per_s,http_noop_per_s"

PAGE = Path("docs/performance.md")
PLOT = Path("docs/performance/bench.svg")


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Small and short: a first look, never a result.")] = False,
    only: Annotated[str | None, typer.Option(help="Only these figures: keys with commas between.")] = None,
    repeats: Annotated[int | None, typer.Option(help="How often each is measured.", min=1, max=99)] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the ratios into this SVG file.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the JSON object into this file too.")] = None,
    page: Annotated[
        Path | None, typer.Option(help="Measure nothing: put this JSON file's figures into docs/performance.md.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Measure the service and its peers on a PostgreSQL of its own, and judge the ratios by their bars.

    Everything runs on this machine and is removed at the end. Each pair is measured in alternation, and what counts
    is the median of the repeats (3). The run fails, with exit code 1, when the ledger does not hold exactly the
    wagers that were answered 201, when `studbook verify` finds anything, or when the client is the limit. With all
    figures it takes up to twelve minutes on two cores; nothing else should run beside it.
    """
    from api.bench.faults import BenchFailed

    try:
        if page is not None:
            _write_page(page)
            return
        _prepare(save, plot)
        result = _measured(_wanted(quick, only, repeats))
    except BenchFailed as fault:
        typer.echo(f"studbook: bench: {' '.join(str(fault).split())}", err=True)
        raise typer.Exit(1) from None
    if save is not None:
        save.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if plot is not None:
        _draw(result, plot)
    _say(result, as_json)


def _prepare(save: Path | None, plot: Path | None) -> None:
    """Nobody learns after twelve minutes that the figures cannot be kept."""
    for name, path in (("--save", save), ("--plot", plot)):
        if path is None:
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("ab").close()
        except OSError as fault:
            raise typer.BadParameter(f"{name}: {path} cannot be written: {fault.strerror}") from None


def _wanted(quick: bool, only: str | None, repeats: int | None) -> Wanted:
    """Bad use is told before anything starts."""
    from api.bench.figures import KEYS, unknown
    from api.bench.run import Wanted
    from api.bench.sizes import FULL, QUICK

    names = frozenset(one.strip() for one in (only or "").split(",") if one.strip())
    if strange := unknown(names):
        raise typer.BadParameter(f"--only: no figure is named {strange[0]}; there are: {', '.join(KEYS)}")
    return Wanted(QUICK if quick else FULL, repeats or (1 if quick else 3), names)


def _measured(wanted: Wanted) -> dict[str, Any]:
    from api.bench.report import report
    from api.bench.run import run
    from api.commands.progress import bar
    from api.commands.stoppable import stoppable

    with stoppable(), bar() as tell:
        return report(wanted, run(wanted, tell))


def _write_page(source: Path) -> None:
    from api.bench.page import write

    try:
        result = json.loads(source.read_text(encoding="utf-8"))
    except ValueError:
        raise typer.BadParameter(f"--page: {source} is no JSON") from None
    write(result, source, PAGE)
    _draw(result, PLOT)


def _draw(result: Mapping[str, Any], path: Path) -> None:
    from api.bench.plot import plot

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(plot(result), encoding="utf-8")


def _say(result: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(result))
        return
    from api.bench.render import show
    from api.commands.console import Screen

    show(result, Screen())
