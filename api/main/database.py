"""The database that a command works on: the embedded one, started for it, or a PostgreSQL of one's own.

Every command that asks the log comes through here, so it imports nothing of the server.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

from adapters.database.connections import connect
from adapters.database.migrations import migrate, schema_state
from adapters.database.settings import DatabaseSettings, Role
from adapters.embedded import Cluster, default_data_dir
from api.main.bootstrap import demo_key
from api.main.environment import DATABASE_URL, EMBEDDED_DIR, environment
from api.main.leaving import DATABASE_SECONDS, LEAVING
from api.main.place import Place
from domain.errors import Invalid

BOOTSTRAP_KEY: Final = "STUDBOOK_BOOTSTRAP_KEY"


class Opened(NamedTuple):
    """An embedded database that runs, and the key of its first operator; None where that has been revoked."""

    cluster: Cluster
    key: str | None


def prepare(place: Place, stack: ExitStack, *, may_make: bool = False) -> None:
    """Start the embedded database, or take the one of `--database-url`, for a command that is not `serve`.

    Where there is none yet, Invalid: a check of a database that was made for it would find nothing wrong. A command
    that fills a new one `may_make` it.
    """
    folder = place.data_dir or default_data_dir(os.environ)
    if not (may_make or place.database_url or os.environ.get(DATABASE_URL) or Cluster.is_in(folder)):
        raise Invalid(f"no database lies in {folder}: `studbook serve` makes one", field="data-dir")
    open_database(place, stack)


def open_database(place: Place, stack: ExitStack) -> Opened | None:
    """Tell this process and its children where the database is; an embedded one is started, migrated, and stopped with
    `stack`. None is a PostgreSQL of one's own.
    """
    url = place.database_url or os.environ.get(DATABASE_URL)
    if url:
        os.environ[DATABASE_URL] = url
        os.environ.pop(EMBEDDED_DIR, None)
        with connect(environment().settings.conninfo(Role.WRITER)) as conn:
            schema_state(conn)
        return None
    cluster = Cluster.start(place.data_dir or default_data_dir(os.environ))
    stack.callback(lambda: cluster.stop(max(LEAVING.left(inf), DATABASE_SECONDS)))
    settings = cluster.settings()
    os.environ.update(child_environment(settings, cluster.data_dir))
    migrate(settings.conninfo(Role.OWNER))
    return Opened(cluster, demo_key(settings, cluster.data_dir, os.environ.get(BOOTSTRAP_KEY)))


def child_environment(settings: DatabaseSettings, folder: Path) -> Mapping[str, str]:
    """What tells a process where an embedded database is, and the passwords of its logins."""
    passwords = {role.password_variable: password for role, password in settings.passwords.items()}
    return {DATABASE_URL: settings.url, EMBEDDED_DIR: str(folder), **passwords}
