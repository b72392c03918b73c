"""The exporter's process. It runs with low priority: those who bet come first."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Final

from psycopg import Connection

from adapters.database.settings import Role
from adapters.exporter import Exporter, Failed
from adapters.exporter.loop import Made
from api.logs.setup import configure
from api.main.environment import environment, operators_zone, started_by
from api.main.faults import told
from api.main.garbage import settle_down
from api.main.leaving import end_after_parent
from domain.errors import Refusal
from domain.exports import Export

NICE: Final = 10


@told()
def make_exports() -> None:
    """Make exports until SIGTERM or SIGINT, or until the process that started it is gone."""
    configure("make-exports")
    stop = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    threading.Thread(target=end_after_parent, args=(started_by(), stop), daemon=True).start()
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
