"""The projector's process."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType

from adapters.database.connections import connect
from adapters.database.errors import DatabaseUnreachable
from adapters.database.safety import check_safe
from adapters.database.settings import DatabaseSettings, Role
from adapters.projector import run_projector
from api.logs.setup import configure
from api.main.environment import environment, started_by
from api.main.faults import told
from api.main.garbage import settle_for_good
from api.main.leaving import end_after_parent


@told()
def project() -> None:
    """Run the projector until SIGTERM or SIGINT, or until the process that started it is gone."""
    configure("project")
    stop = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, ask)
    signal.signal(signal.SIGINT, ask)
    threading.Thread(target=end_after_parent, args=(started_by(), stop), daemon=True).start()
    settings = environment().settings
    _check(settings)
    settle_for_good()
    run_projector(settings, stop)


def _check(settings: DatabaseSettings) -> None:
    """Refuse a database that could lose or show rows; one that is away is waited for."""
    try:
        conn = connect(settings.conninfo(Role.PROJECTOR))
    except DatabaseUnreachable:
        return
    with conn:
        check_safe(conn, os.environ)
