"""`studbook skip`: let a stopped read model pass over one event, with a record of who decided that and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from domain.errors import Invalid

EPILOG = 'Example: studbook skip histories 1042 --by ops-lee --reason "ticket 77"'
REASON_MAX = 500


def skip(
    model: Annotated[str | None, typer.Argument(help="The stopped read model; nothing: list what was skipped.")] = None,
    position: Annotated[int | None, typer.Argument(min=1, help="The event that it stands before.")] = None,
    by: Annotated[str | None, typer.Option(help="Who decides this.")] = None,
    reason: Annotated[str | None, typer.Option(help="Why the event can never be taken.")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Let a read model that is stopped before an event pass over it. The record is kept for ever."""
    from api.main.auditing import skip_event

    if model is None:
        _list(database_url, data_dir, as_json=as_json)
        return
    decided_by, why = _said(by, "by", 64), _said(reason, "reason", REASON_MAX)
    if position is None:
        raise Invalid("name the position of the event, as /readyz tells it", field="position")
    _check(model)
    fault = skip_event(database_url, data_dir, model, position, decided_by=decided_by, reason=why)
    done = {"model": model, "position": position, "by": decided_by, "reason": why, "fault": fault}
    typer.echo(json.dumps({"skipped": done}) if as_json else f"{model}: passes over {fault}")


def _list(database_url: str | None, data_dir: Path | None, *, as_json: bool) -> None:
    from api.main.auditing import recorded_skips
    from domain.views.model import time_text

    found = [
        {
            "model": one.model,
            "position": one.position,
            "by": one.decided_by,
            "reason": one.reason,
            "fault": one.fault,
            "at": time_text(one.at),
        }
        for one in recorded_skips(database_url, data_dir)
    ]
    if as_json:
        typer.echo(json.dumps({"skips": found}))
        return
    for line in found:
        typer.echo("{at}  {model} {position}  by {by}: {reason}  ({fault})".format_map(line))
    if not found:
        typer.echo("no event was ever skipped")


def _said(text: str | None, name: str, most: int) -> str:
    found = (text or "").strip()
    if not 0 < len(found) <= most or not found.isprintable():
        raise Invalid(f"--{name} takes 1 to {most} printable characters", field=name)
    return found


def _check(model: str) -> None:
    from domain.views import MODELS

    if model not in MODELS:
        raise Invalid(f"no read model of that name; there are: {', '.join(MODELS)}", field="model")
