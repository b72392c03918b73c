"""`studbook export`, on the projector's login: it reads all events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from adapters.clock import SystemClock
from adapters.export_files import (
    ExtraMissing,
    SheetFull,
    SqlRefused,
    hash_of,
    query,
    write_parquet,
    write_text,
    write_xlsx,
)
from adapters.projector import FactReader
from api.fields import EXPONENTS
from api.main.environment import software_version
from api.main.faults import told
from api.main.known import require_asked
from api.main.reporting import Place, Progress, reading
from domain.errors import Invalid
from services.exports.kinds import Format
from services.exports.making import Book, Making, Order
from services.ports import Told

Manifest = dict[str, Any]


@told()
def export(place: Place, order: Order, path: Path, progress: Progress) -> Manifest:
    """Write the file, read now from the log; its manifest. Raises Invalid, Conflict for a log that does not balance."""
    with reading(place, "studbook export") as (conn, head):
        require_asked(conn, order.scope)
        log = FactReader().told(conn, order.scope.operator)
        try:
            return make(order, log, path, lambda at: progress("events", at, head))
        except OSError as fault:
            raise Invalid(f"{path}: {fault.strerror}", field="output") from None


def make(order: Order, log: Iterable[Told], path: Path, progress: Callable[[int], None]) -> Manifest:
    """Write the file: whole, or it is not there. Raises Invalid, Conflict, OSError."""
    now = SystemClock().now()
    making = Making(order, EXPONENTS, now, progress)
    part = path.with_name(f"{path.name}.part")
    try:
        _write(making, log, part, now)
        sha256, size = hash_of(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return making.manifest(sha256=sha256, size=size, software=software_version())


def _write(making: Making, log: Iterable[Told], path: Path, now: datetime) -> None:
    content = making.content(log)
    if not isinstance(content, Book):
        write_text(path, content)
        return
    try:
        if making.order.form is Format.PARQUET:
            write_parquet(path, content.grids[0])
        else:
            write_xlsx(path, content.head, content.grids, making.totals.shown, now)
    except SheetFull as fault:
        raise Invalid(f"{fault}; ask for a shorter time, or for {Format.CSV}", field="format") from None
    except ExtraMissing as fault:
        raise Invalid(str(fault), field="format") from None


def ask(statement: str, files: Sequence[Path]) -> tuple[list[str], list[Sequence[Any]]]:
    """The columns and rows of a statement over exported files. Raises Invalid."""
    try:
        return query(statement, files)
    except (ExtraMissing, SqlRefused) as fault:
        raise Invalid(str(fault)) from None
