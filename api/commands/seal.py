"""`studbook seal`: a gaming day, sealed; and proofs that one round was in it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from domain.errors import Invalid

if TYPE_CHECKING:
    from api.main.sealing import DaySealer

EPILOG = "Example: studbook seal --operator demo --day 2026-11-29"


def seal(
    operator: Annotated[str, typer.Option(help="Whose day.")],
    day: Annotated[str | None, typer.Option(help="The gaming day, such as 2026-11-29.")] = None,
    proof: Annotated[str | None, typer.Option(help="A round whose day is sealed: print its proof.")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    anchor_dir: Annotated[
        Path | None, typer.Option(help="The folder of anchors; seals lie in it.", envvar="STUDBOOK_ANCHOR_DIR")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The seal itself on standard output.")] = False,
) -> None:
    """Seal a gaming day of the zone STUDBOOK_ZONE, or prove with its seal that a round was in it.

    A day that is sealed is held against its seal: exit code 1 when the log does not hold it any more. A proof is one
    JSON object, which `studbook verify FILE` checks without a database; it shows no other round.
    """
    from api.commands.progress import bar
    from api.main.sealing import DayDiffers, with_sealer

    if (day is None) == (proof is None):
        raise Invalid("give either --day or --proof", field="day")
    if anchor_dir is not None:
        os.environ["STUDBOOK_ANCHOR_DIR"] = str(anchor_dir)
    with bar() as progress:
        work = _work(day, proof, as_json, lambda done: progress("rounds", done, 0))
        try:
            text = with_sealer(database_url, data_dir, operator, work)
        except DayDiffers as fault:
            typer.echo(json.dumps({"ok": False, "reason": str(fault)}) if as_json else f"FAILED  {fault}")
            sys.exit(1)
    typer.echo(text)


def _work(
    day: str | None, proof: str | None, as_json: bool, progress: Callable[[int], None]
) -> Callable[[DaySealer], str]:
    """What is asked of the sealer, as text."""
    if proof is not None:
        return lambda sealer: json.dumps(sealer.prove(proof, progress), ensure_ascii=False)
    wanted = _day(day)
    return lambda sealer: _sealed(sealer, wanted, as_json, progress)


def _sealed(sealer: DaySealer, day: date, as_json: bool, progress: Callable[[int], None]) -> str:
    from api.main.sealing import now

    found = sealer.seal(day, now(), progress)
    note = "the log begins after this day: its seal says that it had no events" if found.is_before_the_log else ""
    if as_json:
        if note:
            typer.echo(note, err=True)
        return json.dumps(found.seal, ensure_ascii=False)
    what = "sealed" if found.is_new else "was sealed before, and is what its seal says"
    lines = [f"{day} of {found.seal['operator']}: {found.seal['rounds']} rounds, {what}", str(found.path), note]
    return "\n".join(line for line in lines if line)


def _day(text: str | None) -> date:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        raise Invalid("it must be a day such as 2026-11-29", field="day") from None
