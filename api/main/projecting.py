"""The projector's process."""

from __future__ import annotations

import os

from adapters.database.connections import connect
from adapters.database.errors import DatabaseUnreachable
from adapters.database.safety import check_safe
from adapters.database.settings import DatabaseSettings, Role
from adapters.projector import run_projector
from api.logs.setup import configure
from api.main.environment import environment
from api.main.faults import told
from api.main.garbage import settle_for_good
from api.main.leaving import stop_when_told


@told()
def project() -> None:
    """Run the projector until SIGTERM or SIGINT, or until the process that started it is gone."""
    configure("project")
    stop = stop_when_told()
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
