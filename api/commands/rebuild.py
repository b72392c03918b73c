"""`studbook rebuild`: fold read models anew from the events, while the service runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from domain.errors import Invalid

EPILOG = "Example: studbook rebuild balances"


def rebuild(
    models: Annotated[list[str] | None, typer.Argument(help="Read models by name; all when none is named.")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Fold read models anew beside the live ones, and put them in their place when they have caught up."""
    from api.commands.progress import bar
    from api.main.auditing import rebuild_models
    from domain.views import MODELS

    for name in models or ():
        if name not in MODELS:
            raise Invalid(f"no read model of that name; there are: {', '.join(MODELS)}", field="models")
    with bar() as progress:
        made = rebuild_models(database_url, data_dir, models or (), progress)
    if as_json:
        typer.echo(json.dumps({"rebuilt": {one.model: one.position for one in made}}))
        return
    for one in made:
        typer.echo(f"{one.model}: rebuilt, live from position {one.position}")
