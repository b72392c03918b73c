"""`studbook fairness`: does the shuffle look fair, and would the same checks see it if it were not?"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from api.main.fairness import Fairness, Finding

EPILOG = "Example: studbook fairness --count 1000000 --plot fairness.svg"
COUNT = 1_000_000
COUNT_LEAST, COUNT_MOST = 1_000, 10_000_000


def fairness(
    count: Annotated[int, typer.Option(help="How many decks to shuffle.", min=COUNT_LEAST, max=COUNT_MOST)] = COUNT,
    processes: Annotated[int, typer.Option(help="How many processes shuffle.", min=1, max=64)] = 2,
    decks: Annotated[
        Path | None, typer.Option(help="Shuffle nothing: check these decks, one JSON array or opened round a line.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw position x card into this SVG file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Shuffle decks as the service does, and count: exit code 1 when the counts are outside their limits.

    Each card at each place, hands by category, next card, runs, seats against the dealer, decks that come twice; each
    at 1 %, the limits worked out for the number of decks. What fails is counted once more on fresh decks, and fails
    when it fails twice. The same checks must refuse three shuffles with known faults: swap-with-any, a byte's
    remainder, a seed of 16 bits. Needs no database.
    """
    from api.commands.progress import bar
    from api.commands.stoppable import stoppable
    from api.main.fairness import Fairness, fairness, judged_once

    if plot is not None:
        _prepare(plot)
    began = time.monotonic()
    if decks is not None:
        found = Fairness(judged_once(_read(decks)), {})
    else:
        with stoppable(), bar() as progress:
            found = fairness(count, processes, progress)
    if plot is not None:
        _draw(found.ours, plot)
    seconds = round(time.monotonic() - began, 3)
    typer.echo(json.dumps(_as_json(found, seconds)) if as_json else _as_text(found, seconds))
    if not found.holds:
        sys.exit(1)


def _read(path: Path) -> bytes:
    """The sample in a file of decks. Bad use where it is none, or too small to say anything."""
    from api.fairness.reading import sample_of
    from domain.errors import Invalid
    from domain.fairness.tally import SIZE
    from domain.fairness.verdict import LEAST_DECKS

    try:
        with path.open(encoding="utf-8") as file:
            sample = sample_of(file)
    except UnicodeDecodeError:
        raise Invalid("--decks: not UTF-8", field="decks") from None
    except OSError as fault:
        raise typer.BadParameter(f"--decks: {path} cannot be read: {fault.strerror}") from None
    if len(sample) < LEAST_DECKS * SIZE:
        raise typer.BadParameter(f"--decks: {len(sample) // SIZE} decks; at least {LEAST_DECKS} are needed")
    return sample


def _prepare(plot: Path) -> None:
    try:
        plot.open("ab").close()
    except OSError as fault:
        raise typer.BadParameter(f"--plot: {plot} cannot be written: {fault.strerror}") from None


def _draw(ours: Finding, plot: Path) -> None:
    from api.fairness.picture import heat_map

    plot.write_text(heat_map(ours.first.positions(), ours.first.decks), encoding="utf-8")


def _as_json(found: Fairness, seconds: float) -> dict[str, object]:
    from api.fairness.report import check_object
    from api.main.fairness import TEETH_DECKS

    ours = found.ours
    return {
        "ok": found.holds,
        "count": ours.first.decks,
        "checks": [check_object(one) for one in ours.checks],
        "repeated": [check_object(one) for one in ours.again],
        "failed": list(ours.failed),
        "teeth": [
            {"shuffle": name, "count": TEETH_DECKS, "refused": bool(failed), "failed": list(failed)}
            for name, failed in found.teeth.items()
        ],
        "seconds": seconds,
    }


def _as_text(found: Fairness, seconds: float) -> str:
    from api.fairness.report import check_lines, teeth_lines
    from api.main.fairness import TEETH_DECKS

    ours = found.ours
    lines = list(check_lines(ours.checks, f"{ours.first.decks:,} decks in {seconds:.1f} s"))
    if ours.again:
        lines += check_lines(ours.again, "once more, on fresh decks, since a check failed; twice is a failure")
    if found.teeth:
        lines += teeth_lines(found.teeth, TEETH_DECKS)
    return "\n".join([*lines, "fair" if found.holds else "NOT FAIR: " + _why(found)])


def _why(found: Fairness) -> str:
    idle = [f"{name} was not refused" for name, failed in found.teeth.items() if not failed]
    return ", ".join([*found.ours.failed, *idle])
