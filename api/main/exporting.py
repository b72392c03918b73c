"""`studbook export`, on the projector's login: it reads all events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from psycopg import Connection

from adapters.clock import SystemClock
from adapters.event_store.rounds import RoundLog
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
from api.main.place import Place
from api.main.reporting import Progress, reading
from domain.errors import Invalid
from services.exports.kinds import Format
from services.exports.making import Book, Making, Order
from services.ports import Told

Manifest = dict[str, Any]

_LAST: Final = """
    SELECT notification_id FROM stored_events WHERE operator = %s AND notification_id <= %s
    ORDER BY notification_id DESC LIMIT 1"""


@told()
def export(place: Place, order: Order, path: Path, progress: Progress) -> Manifest:
    """Write the file, read now from the log; its manifest. Raises Invalid, Conflict for a log that does not balance."""
    with reading(place, "studbook export") as (conn, head):
        require_asked(conn, order.scope)
        try:
            return make(order, told_for(conn, order), path, lambda at: progress("events", at, head))
        except OSError as fault:
            raise Invalid(f"{path}: {fault.strerror}", field="output") from None


class TakenUp(NamedTuple):
    """The operator's events that an order needs, and where its last one before them is."""

    position: int
    events: Iterable[Told]


def told_for(conn: Connection, order: Order) -> TakenUp:
    """All events, or where nothing is told of those before its time, from the first position of that time on."""
    operator, begin = order.scope.operator, order.scope.begin
    if begin is None or not order.is_of_within:
        return TakenUp(0, FactReader().told(conn, operator))
    after = RoundLog(conn).before(begin)
    row = conn.execute(_LAST, [operator, after]).fetchone()
    return TakenUp(0 if row is None else row[0], FactReader().told(conn, operator, after))


def make(order: Order, log: TakenUp, path: Path, progress: Callable[[int], None]) -> Manifest:
    """Write the file: whole, or it is not there. Raises Invalid, Conflict, OSError."""
    now = SystemClock().now()
    making = Making(order, EXPONENTS, now, progress, log.position)
    part = path.with_name(f"{path.name}.part")
    try:
        _write(making, log.events, part, now)
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
