"""Where the database is and who logs in: a URL that names host and database, and one login for each role.

STUDBOOK_DATABASE_URL        postgresql://db.example/studbook  (or `--database-url`)
STUDBOOK_OWNER_PASSWORD      only `studbook migrate` needs it
STUDBOOK_WRITER_PASSWORD     appends events
STUDBOOK_PROJECTOR_PASSWORD  reads all events, writes the read models
STUDBOOK_REQUEST_PASSWORD    reads for one operator at a time, under row-level security
STUDBOOK_BACKUP_PASSWORD     reads everything, changes nothing
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Final

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from adapters.database.errors import StartRefused
from domain.frozen import dataclass

SCHEMA: Final = "studbook"
"""The schema that holds every table; it is the search path of every login."""

QUICK_PLANS: Final = {"max_parallel_workers_per_gather": "0", "jit": "off"}
"""Settings of every session that looks up a few rows: the planner overestimates a range of names, and on a log of some
hundred thousand events it would start processes of its own (25 ms) or compile the query for a look-up of 0.1 ms."""


class Role(StrEnum):
    """What a connection may do; each role is a login of its own."""

    OWNER = "owner"
    WRITER = "writer"
    PROJECTOR = "projector"
    REQUEST = "request"
    BACKUP = "backup"

    @property
    def login(self) -> str:
        """The login's name in the database."""
        return f"studbook_{self.value}"

    @property
    def password_variable(self) -> str:
        """The environment variable that holds the login's password."""
        return f"STUDBOOK_{self.name}_PASSWORD"


CHAIN_ROLE: Final = "studbook_chain"
"""A role without login: it owns the one function that gives a request hashes of the chain. The owner's login is a
member of it, so that a migration can hand the function over; no login of the service is."""


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """A database and the passwords of its logins (a missing one is left to libpq: `.pgpass`, certificates)."""

    url: str
    passwords: Mapping[Role, str] = field(repr=False)

    def conninfo(self, role: Role | str, application_name: str = "") -> str:
        """The connection string of a role. It holds the password: never show it."""
        wanted = Role(role)
        extra = {"user": wanted.login, "options": f"-c search_path={SCHEMA}"}
        if wanted in self.passwords:
            extra["password"] = self.passwords[wanted]
        extra["application_name"] = application_name or f"studbook {wanted.value}"
        return make_conninfo(self.url, **extra)


def database_settings(url: str, environ: Mapping[str, str]) -> DatabaseSettings:
    """Settings of `--database-url` and the passwords in the environment. Raises StartRefused in one line."""
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError as error:
        raise StartRefused(f"database URL: {one_line(error)}") from None
    if not parts.get("dbname"):
        raise StartRefused("database URL: it names no database, such as postgresql://db.example/studbook")
    for name in ("user", "password", "options"):
        if parts.get(name):
            raise StartRefused(
                f"database URL: leave out the {name}; the logins are studbook_writer and so on, "
                "and their passwords come from STUDBOOK_WRITER_PASSWORD and so on"
            )
    found = {role: environ[role.password_variable] for role in Role if environ.get(role.password_variable)}
    return DatabaseSettings(url, found)


def one_line(error: BaseException) -> str:
    """The error's text in one line, for a person."""
    return " ".join(str(error).split())
