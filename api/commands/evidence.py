"""`studbook evidence`: the evidence of a round in one signed document that is checked without us."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from domain.errors import Invalid
from domain.ids import checked_id

if TYPE_CHECKING:
    from api.main.evidence import Packs
    from api.main.place import Place

EPILOG = "Example: studbook evidence 01976b2c-... --output pack.json"

FORMATS = ("json", "phh")


Round = Annotated[str | None, typer.Argument(metavar="[ROUND]", help="Id or game number of a round.")]
Output = Annotated[Path | None, typer.Option(help="Write there instead of to standard output.")]
Form = Annotated[str, typer.Option("--format", help="json, or phh: a view that is like a PHH file.")]
Operator = Annotated[str | None, typer.Option(help="Of this operator, where several have one.")]
Keys = Annotated[bool, typer.Option("--public-keys", help="Print the public keys (JWK set) instead.")]
DataDir = Annotated[Path | None, typer.Option(help="Where the embedded database lives.", envvar="STUDBOOK_DATA_DIR")]
DatabaseUrl = Annotated[str | None, typer.Option(help="A PostgreSQL of your own.", envvar="STUDBOOK_DATABASE_URL")]
AnchorDir = Annotated[
    Path | None, typer.Option(help="The folder of anchors; seals lie in it.", envvar="STUDBOOK_ANCHOR_DIR")
]


def evidence(
    round_: Round = None,
    output: Output = None,
    form: Form = "json",
    operator: Operator = None,
    public_keys: Keys = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    anchor_dir: AnchorDir = None,
) -> None:
    """Write the evidence pack of a round whose cards are open, signed; `studbook verify FILE` checks it anywhere.

    A round of more than 100 seats has several packs, one line each on standard output, or NAME.json, NAME-2.json and so
    on; each holds the round itself and its own seats. May run beside `serve`.
    """
    from api.main.place import Place

    if form not in FORMATS:
        raise Invalid(f"it is one of {', '.join(FORMATS)}", field="format")
    if (round_ is None) != public_keys:
        raise Invalid("name a round, or ask for --public-keys", field="ROUND")
    if anchor_dir is not None:
        os.environ["STUDBOOK_ANCHOR_DIR"] = str(anchor_dir)
    place = Place(database_url, data_dir)
    if round_ is None:
        _write_keys(place, output)
    else:
        _write_packs(place, round_, None if operator is None else checked_id(operator, "operator"), form, output)


def _write_keys(place: Place, output: Path | None) -> None:
    import orjson

    from api.main.evidence import public_keys

    _write(orjson.dumps(public_keys(place)), output, 1)


def _write_packs(place: Place, name: str, operator: str | None, form: str, output: Path | None) -> None:
    from api.main.evidence import with_packs

    def work(packs: Packs) -> None:
        for nth, pack in enumerate(packs.of(name, operator), start=1):
            _write(_text(pack, form), output, nth)

    with_packs(place, work, lambda text: typer.echo(text, err=True))


def _text(pack: Mapping[str, Any], form: str) -> bytes:
    import orjson

    if form == "phh":
        from services.evidence.phh import phh

        return phh(pack).encode()
    return orjson.dumps(pack)


def _write(text: bytes, output: Path | None, nth: int) -> None:
    """To standard output, or to a file; the second and further ones have their number in the name."""
    if output is None:
        sys.stdout.buffer.write(text.rstrip() + b"\n")
        return
    path = output if nth == 1 else output.with_name(f"{output.stem}-{nth}{output.suffix}")
    try:
        path.write_bytes(text.rstrip() + b"\n")
    except OSError as fault:
        raise Invalid(f"{path}: {fault.strerror}", field="output") from None
