"""The embedded database as others use it: start, settings per role, stop."""

from __future__ import annotations

import atexit
import os
from collections.abc import Mapping
from contextlib import suppress
from math import inf
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import psycopg
from psycopg.conninfo import make_conninfo

from adapters.database.roles import create_database, create_roles
from adapters.database.settings import DatabaseSettings, Role, one_line
from adapters.embedded.account import account_for
from adapters.embedded.binaries import program_folder
from adapters.embedded.children import reap
from adapters.embedded.errors import EmbeddedError, file_faults
from adapters.embedded.filelock import FileLock
from adapters.embedded.folders import make_folders
from adapters.embedded.postmaster import Postmaster, find_postmaster, stop_postmaster
from adapters.embedded.secrets_file import SUPERUSER, passwords_of
from adapters.embedded.server import Server, superuser_conninfo

DATABASE: Final = "studbook"
_LOCK_SECONDS: Final = 90.0


class Cluster:
    """A running server on a data folder. Several processes may hold one; the last to let go stops it.

    Each handle holds a share of `users.lock`; the kernel takes it back from a killed process, so a server whose
    starter died is found again by the next, and stopped by the last.
    """

    def __init__(self, server: Server, gate: FileLock, users: FileLock) -> None:
        self._server = server
        self._passwords: Mapping[str, str] = {}
        self._gate = gate
        self._users = users
        self._process = os.getpid()
        self._open = True
        self._postmaster: Postmaster

    @staticmethod
    def is_in(data_dir: Path) -> bool:
        """Whether a cluster lies in the data folder; where that cannot be seen, `start` says why."""
        try:
            return (data_dir.expanduser() / "cluster").exists()
        except OSError:
            return True

    @classmethod
    def start(cls, data_dir: Path | str, settings: Mapping[str, str] | None = None) -> Self:
        """Start the server of the data folder, or join the one that runs there. Raises EmbeddedError in one line.

        `settings` are server settings above ours, for tests; they count only for the process that starts it.
        """
        folder = Path(data_dir).expanduser().absolute().resolve()
        with file_faults(folder):
            account = account_for(folder / "cluster")
            make_folders(folder, account)
            server = Server(folder, account, program_folder(account), settings or {})
            gate = FileLock(folder / "start.lock", account)
            users = FileLock(folder / "users.lock", account)
            gate.wait(_LOCK_SECONDS)
            handle = cls(server, gate, users)
            try:
                handle._bring_up()
            except BaseException:
                handle._leave()
                raise
            gate.release()
        atexit.register(handle._stop_at_exit)
        return handle

    def _bring_up(self) -> None:
        """Under the gate: cluster, server, logins, database."""
        self._users.share()
        path, exists = self.data_dir / "passwords.json", self._server.cluster.exists()
        self._passwords = passwords_of(path, self._server.account, cluster_exists=exists)
        self._server.initialise(self._passwords[SUPERUSER])
        self._postmaster = self._server.bring_up(self._passwords[SUPERUSER])
        try:
            with psycopg.connect(self.superuser(), autocommit=True) as conn:
                create_roles(conn, {role: self._passwords[role.value] for role in Role})
                create_database(conn, DATABASE)
        except psycopg.Error as error:
            raise EmbeddedError(f"embedded database: {one_line(error)} (see {self._server.log})") from error

    def ensure_running(self) -> None:
        """Bring the server back when it has died (SIGKILL, out of memory); nothing when it runs."""
        with file_faults(self.data_dir):
            self._gate.wait(_LOCK_SECONDS)
            try:
                self._bring_up()
            finally:
                self._gate.release()

    def stop(self, within: float = inf) -> None:
        """Let go; stop the server if nobody else holds it. Everything committed is on disk. May be called twice.

        It comes back `within` so many seconds, where a server that hangs may still be ending: see `stop_postmaster`.
        """
        if not self._open or os.getpid() != self._process:
            return
        self._open = False
        atexit.unregister(self._stop_at_exit)
        try:
            self._gate.wait(min(_LOCK_SECONDS, within))
        except EmbeddedError:
            self._users.close()
            self._gate.close()
            if within < _LOCK_SECONDS:
                return  # somebody starts or stops it just now
            raise
        self._leave(within)

    def _stop_at_exit(self) -> None:
        with suppress(EmbeddedError):  # the next start finds the server again
            self.stop()

    def _leave(self, within: float = inf) -> None:
        """Under the gate: the last to leave stops the server."""
        try:
            running = find_postmaster(self._server.cluster)
            if self._users.try_alone() and running is not None:
                stop_postmaster(running.pid, self._server.cluster, within)
            reap()
        finally:
            self._users.close()
            self._gate.close()

    @property
    def is_running(self) -> bool:
        """Whether there is a live server on it, whoever started it."""
        return find_postmaster(self._server.cluster) is not None

    @property
    def data_dir(self) -> Path:
        """The folder that holds the cluster, the passwords and the log."""
        return self._server.data_dir

    @property
    def log(self) -> Path:
        """The server's log."""
        return self._server.log

    @property
    def notice(self) -> str:
        """What the person who started us should know; empty as a rule."""
        return self._server.account.notice

    @property
    def host(self) -> str:
        """The folder of the Unix socket, or 127.0.0.1."""
        return self._postmaster.host

    @property
    def port(self) -> int:
        """The port (of the socket's name, or on 127.0.0.1)."""
        return self._postmaster.port

    @property
    def pid(self) -> int:
        """The server's process number."""
        return self._postmaster.pid

    @property
    def programs(self) -> Path:
        """The folder of `psql`, `pg_dump` and the rest."""
        return self._server.programs

    def password(self, role: Role | str) -> str:
        """A role's password, or that of `postgres`."""
        return self._passwords[role]

    def settings(self, dbname: str = DATABASE) -> DatabaseSettings:
        """Settings for a database of this cluster."""
        url = make_conninfo(host=self.host, port=self.port, dbname=dbname)
        return DatabaseSettings(url, {role: self._passwords[role.value] for role in Role})

    def cluster_dsn(self, role: Role | str, dbname: str = DATABASE) -> str:
        """The connection string of a role; it holds the password."""
        return self.settings(dbname).conninfo(role)

    def superuser(self, dbname: str = "postgres") -> str:
        """The superuser's connection string: never for the service."""
        return superuser_conninfo(self._postmaster, self._passwords[SUPERUSER], dbname)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
