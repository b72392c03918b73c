"""`studbook migrate`: bring the schema of a PostgreSQL of your own up to date, as the owner."""

from __future__ import annotations

import json
from typing import Annotated

import typer

EPILOG = "Example: STUDBOOK_OWNER_PASSWORD=... studbook migrate --database-url postgresql://db.example/studbook"


def migrate(
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Apply the missing steps of the schema, each in its own transaction; safe to run twice and from two places."""
    from api.main.auditing import migrate_schema

    steps = migrate_schema(database_url)
    if as_json:
        typer.echo(json.dumps({"applied": steps}))
        return
    for step in steps:
        typer.echo(f"applied: {step}")
    if not steps:
        typer.echo("the schema is up to date")
