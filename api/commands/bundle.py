"""`studbook export bundle`: the whole log in one file, byte for byte, for `studbook import`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from domain.errors import Invalid

if TYPE_CHECKING:
    from api.main.place import Place

BUNDLE: Final = "bundle"
ABOUT: Final = "the whole log of all operators, byte for byte, with the answers that keys have served"


def write(place: Place, output: str, narrowed: bool, *, as_json: bool) -> None:
    """Write it. `narrowed`: something was asked for that would leave a part out. Raises Invalid."""
    from api.commands.progress import bar
    from api.main.moving import export_bundle

    if narrowed:
        raise Invalid("a bundle is the whole log: it takes --output and no choice of events", field="kind")
    if output == "-":
        raise Invalid("a bundle needs a file: give --output FILE", field="output")
    with bar() as progress:
        made = export_bundle(place.database_url, place.data_dir, Path(output), progress)
    if as_json:
        typer.echo(json.dumps(asdict(made)))
    else:
        typer.echo(
            f"{output}: {made.events} events, {made.records} answers, head {made.hash[:16]}, sha256 {made.sha256}"
        )
