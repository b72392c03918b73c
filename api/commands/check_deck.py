"""`studbook check-deck`: is this the deck that the round promised before anybody wagered?"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

EPILOG = "Example: studbook check-deck opened.json --commitment d687136737f1bf05..."
BYTES_MAX = 16 * 1024 * 1024


def check_deck(
    opened: Annotated[Path, typer.Argument(help="The round after its end, a JSON file; - is standard input.")],
    commitment: Annotated[
        str | None, typer.Option(help="The commitment as you noted it when the round opened, instead of the file's.")
    ] = None,
) -> None:
    """Check an opened deck against its commitment and each hand against the deck. No database, no network, no key.

    Reads the answer of GET /v1/rounds/{round}, or the form of docs/for-auditors-shoe.md, and writes one JSON object:
    {"ok", "commitment", "hands", "findings"}. Exit code 1 when something does not fit.
    """
    from services.opened_deck import findings, read_opening

    round_ = read_opening(_bytes(opened), commitment)
    found = findings(round_)
    names = [one.name for one in round_.hands]
    typer.echo(json.dumps({"ok": not found, "commitment": round_.commitment, "hands": names, "findings": found}))
    if found:
        sys.exit(1)


def _bytes(path: Path) -> bytes:
    try:
        if str(path) == "-":
            text = sys.stdin.buffer.read(BYTES_MAX + 1)
        else:
            with path.open("rb") as file:
                text = file.read(BYTES_MAX + 1)
    except OSError as fault:
        raise typer.BadParameter(f"opened: {path} cannot be read: {fault.strerror}") from None
    if len(text) > BYTES_MAX:
        raise typer.BadParameter(f"opened: longer than {BYTES_MAX} bytes")
    return text
