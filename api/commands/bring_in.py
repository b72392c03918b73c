"""`studbook import BUNDLE`: an exported bundle into an empty store."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from api.commands.plain import plain

EPILOG = "Example: studbook import log.bundle.gz --data-dir ./new"


def bring_in(
    bundle: Annotated[Path, typer.Argument(help="A file that `studbook export bundle` wrote.")],
    data_dir: Annotated[
        Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")
    ] = None,
    database_url: Annotated[
        str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")] = False,
) -> None:
    """Load a bundle into an empty store, all or nothing; the hashes are those of the old store, and the log goes on.

    Exit code 1, and nothing loaded, when the bundle's chain does not hold.
    """
    from api.commands.progress import bar
    from api.main.moving import import_bundle

    with bar() as progress:
        manifest, fault = import_bundle(database_url, data_dir, bundle, progress)
    if fault is not None:
        made = {"ok": False, "position": fault.position, "reason": plain(fault.reason)}
        typer.echo(json.dumps(made) if as_json else f"not loaded: position {fault.position}: {plain(fault.reason)}")
        sys.exit(1)
    told = {
        "ok": True, "events": manifest.events, "records": manifest.records, "operators": manifest.operators,
        "skips": manifest.skips, "position": manifest.position, "head_hash": manifest.hash,
    }  # fmt: skip
    text = (
        f"{manifest.events} events and {manifest.records} answers of {manifest.operators} operators, "
        f"head {manifest.hash[:16]}"
    )
    typer.echo(json.dumps(told) if as_json else text)
