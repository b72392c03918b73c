"""The exporter's process. It runs with low priority: those who bet come first."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from psycopg import Connection

from adapters.database.settings import Role
from adapters.exporter import Exporter, Failed
from adapters.exporter.loop import Made
from api.logs.setup import configure
from api.main.environment import environment, operators_zone
from api.main.faults import told
from api.main.garbage import settle_down
from api.main.leaving import stop_when_told
from domain.errors import Refusal
from domain.exports import Export

NICE: Final = 10


@told()
def make_exports() -> None:
    """Make exports until SIGTERM or SIGINT, or until the process that started it is gone."""
    configure("make-exports")
    stop = stop_when_told()
    os.nice(max(0, NICE - os.nice(0)))
    operators_zone()
    conninfo = environment().settings.conninfo(Role.PROJECTOR, "studbook exporter")
    settle_down()
    Exporter(conninfo, work).run(stop)


def work(conn: Connection, one: Export, path: Path, progress: Callable[[int], None]) -> Made:
    """Write one export, as it was wished for. Raises Failed."""
    from api.main.exporting import make, told_for  # noqa: PLC0415  # heavy: loaded with the first export
    from services.exports.asking import order_of, wish_of  # noqa: PLC0415  # loaded with it

    try:
        order = order_of(one.operator, operators_zone(), wish_of(json.loads(one.wish)), one.asked_at)
        made = make(order, told_for(conn, order), path, progress)
    except Refusal as fault:
        raise Failed(fault.detail) from fault
    return Made(json.dumps(made), made["bytes"], made["position"])
