"""Exports over a log in memory."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from api.main.exporting import TakenUp, make
from domain.ids import stream_operator
from services.exports.kinds import exportable
from services.exports.making import Order
from services.ports import Recorded
from tests.support.reported import scope_of, told_of


def exported(
    kind: str, form: str, events: Sequence[Recorded], path: Path, *, table: str | None = None, **choices: Any
) -> dict[str, Any]:
    """Write an export of one operator's log; its manifest."""
    what = exportable(kind)
    format_ = what.format(form)
    scope = scope_of(stream_operator(events[0].stream), **choices)
    return make(
        Order(what, format_, scope, what.table(format_, table)), TakenUp(0, told_of(events)), path, lambda _: None
    )


def csv_rows(text: str) -> list[dict[str, str]]:
    """What a reader of RFC 4180 sees."""
    return list(csv.DictReader(io.StringIO(text, newline="")))
