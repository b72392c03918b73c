"""`studbook access`: who came to the door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.commands.keys import named_id

if TYPE_CHECKING:
    from domain.access import AccessLine

EPILOG = "Example: studbook access --operator north --limit 20"


def access(
    operator: Annotated[
        str | None, typer.Option(help="Whose doors; none: failed logins that name no operator.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many lines.")] = 50,
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """List failed logins, denials, use and changes of keys, newest first."""
    from api.main.key_work import ByHand, access_lines
    from api.main.place import Place

    wanted = None if operator is None else named_id(operator, "operator")
    found = access_lines(ByHand(Place(database_url, data_dir), ""), wanted, limit)
    if as_json:
        typer.echo(json.dumps({"lines": [_shown(one) for one in found]}))
        return
    for one in found:
        typer.echo("  ".join(str(value) for value in _shown(one).values() if value not in (None, "")))
    if not found:
        typer.echo("nothing is noted")


def _shown(line: AccessLine) -> dict[str, Any]:
    from domain.views.model import time_text

    v = line.visit
    return {
        "at": time_text(line.at),
        "kind": v.kind,
        "times": line.times,
        "subject": v.subject,
        "key_id": v.key_id,
        "address": v.address,
        "method": v.method,
        "route": v.route,
        "status": v.status,
        "request_id": line.request_id,
        "detail": v.detail,
    }
