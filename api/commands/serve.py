"""`studbook serve`: API, projector and timers, on an embedded database when no DSN is given."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from api.main.serving import Ready

EPILOG = "Example: studbook serve --port 8000"

CALLS = """\
studbook serves at {url}
key:  {key}
docs: {url}/docs
data: {data}, kept for the next start

For the examples of the documentation, in a second terminal:

{activate}export URL={url} KEY={key} STUDBOOK_DATA_DIR={folder}

Three calls to paste:

curl -s {url}/v1/players -H 'Authorization: Bearer {key}' -H 'Idempotency-Key: first-player' \\
  -d '{{"player": "alice", "currency": "EUR"}}'

curl -s {url}/v1/players/alice/deposits -H 'Authorization: Bearer {key}' -H 'Idempotency-Key: first-deposit' \\
  -d '{{"amount": 10000, "currency": "EUR", "transaction_id": "first-deposit"}}'

curl -s '{url}/v1/players/alice/balance?min_position=4' -H 'Authorization: Bearer {key}'

Stop with Ctrl-C.
"""

PLAIN = """\
studbook serves at {url}
docs: {url}/docs
"""


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.", envvar="STUDBOOK_HOST")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for a free one.", envvar="STUDBOOK_PORT")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Serving processes.", envvar="STUDBOOK_WORKERS")] = 1,
    data_dir: Annotated[
        Path | None,
        typer.Option(
            help="Where the embedded database lives; else ~/.local/share/studbook, as root /var/lib/studbook/data.",
            envvar="STUDBOOK_DATA_DIR",
        ),
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    projector: Annotated[
        bool,
        typer.Option(
            help="Start `studbook project`, `deliver` and `anchor` too, or not where they run by themselves.",
            envvar="STUDBOOK_START_PROJECTOR",
        ),
    ] = True,
    anchor_dir: Annotated[
        Path | None, typer.Option(help="The folder of anchors, outside of the database.", envvar="STUDBOOK_ANCHOR_DIR")
    ] = None,
    anchor_url: Annotated[
        str | None, typer.Option(help="Where anchors are sent as well (https).", envvar="STUDBOOK_ANCHOR_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line when ready.")] = False,
) -> None:
    """Serve the REST API; without --database-url on a PostgreSQL of its own."""
    from api.main.serving import Options
    from api.main.serving import serve as run

    for name, given in (("STUDBOOK_ANCHOR_DIR", anchor_dir), ("STUDBOOK_ANCHOR_URL", anchor_url)):
        if given is not None:
            os.environ[name] = str(given)
    run(Options(host, port, workers, data_dir, database_url, projector), lambda ready: _say(ready, as_json))


def _say(ready: Ready, as_json: bool) -> None:
    for warning in ready.warnings:
        typer.echo(f"studbook: warning: {warning}", err=True)
    if as_json:
        folder = None if ready.data_dir is None else str(ready.data_dir)
        typer.echo(json.dumps({"url": ready.url, "key": ready.key, "data_dir": folder}))
        return
    script = Path(sys.prefix) / "bin" / "activate"
    activate = f". {script}\n" if script.is_file() else ""
    folder = quote(str(ready.data_dir and ready.data_dir.absolute()))
    calls = CALLS.format(url=ready.url, key=ready.key, data=ready.data_dir, folder=folder, activate=activate)
    typer.echo(PLAIN.format(url=ready.url) if ready.key is None else calls)
