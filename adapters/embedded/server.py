"""Making a cluster and bringing its server up: `initdb`, `postgres`, and a real log-in as the proof."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import psycopg
from psycopg.conninfo import make_conninfo

from adapters.embedded.account import Account
from adapters.embedded.children import ServerProcess, end_child, reap, remember
from adapters.embedded.errors import EmbeddedError, explained, file_faults
from adapters.embedded.filelock import FileLock
from adapters.embedded.folders import make_folders, new_private_file
from adapters.embedded.postmaster import Postmaster, find_postmaster
from adapters.embedded.secrets_file import SUPERUSER
from domain.frozen import dataclass

START_SECONDS: Final = 300.0
_UNSEEN_SECONDS: Final = 20.0
_ATTEMPTS: Final = 5
_SOCKET_BYTES: Final = 103  # macOS; Linux takes 107
_LOG_BYTES: Final = 10_000_000
_AGAIN: Final = ("already exists", "still in use", "could not bind", "could not create any")

SETTINGS: Final[Mapping[str, str]] = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "password_encryption": "scram-sha-256",
    "shared_buffers": "128MB",
    "max_connections": "200",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    "log_checkpoints": "off",
    "log_min_error_statement": "panic",  # statements stay out of the log
    "unix_socket_permissions": "0700",
}


@dataclass(frozen=True, slots=True)
class Server:
    """What it takes to run the server of one data folder."""

    data_dir: Path
    account: Account
    programs: Path
    settings: Mapping[str, str]

    @property
    def cluster(self) -> Path:
        """PostgreSQL's own folder."""
        return self.data_dir / "cluster"

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.data_dir / "postgres.log"

    def initialise(self, superuser_password: str) -> None:
        """Make the cluster when it is missing: under another name first, so that a killed attempt leaves none."""
        if self.cluster.exists():
            return
        with file_faults(self.data_dir):
            for left in self.data_dir.glob(".initdb-*"):
                shutil.rmtree(left, ignore_errors=True)
            work = self.data_dir / f".initdb-{secrets.token_hex(4)}"
            make_folders(work, self.account)
            with os.fdopen(new_private_file(work / "password", self.account), "w", encoding="utf-8") as file:
                file.write(superuser_password)
            try:
                self._initdb(work)
                (work / "cluster").rename(self.cluster)
            finally:
                shutil.rmtree(work, ignore_errors=True)  # broken off too: none of its processes is left to write

    def _initdb(self, work: Path) -> None:
        done = self.account.run([
            self.programs / "initdb", "--auth=scram-sha-256", f"--pwfile={work / 'password'}",
            f"--username={SUPERUSER}", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8", "--data-checksums", "--no-instructions", "-D", work / "cluster",
        ])  # fmt: skip
        if done.returncode != 0:
            raise explained(done.stdout, self.data_dir)

    def bring_up(self, password: str) -> Postmaster:
        """The server that is there, or a new one; never a second. Raises EmbeddedError in one line.

        Every process of a server holds `server.lock`, so nobody starts one while any of another is left, whatever
        the pid file says, and whether or not its processes can be seen from here.
        """
        unseen, attempts = time.monotonic() + _UNSEEN_SECONDS, 0
        while True:
            if find_postmaster(self.cluster) is not None and (found := self._answering(password)) is not None:
                return found
            with FileLock(self.data_dir / "server.lock", self.account) as lock:
                if lock.try_alone():
                    attempts += 1
                    output = self._launch(lock, password)
                    if isinstance(output, Postmaster):
                        return output
                    if attempts == _ATTEMPTS or not any(word in output for word in _AGAIN):
                        raise explained(output, self.data_dir, self.log)
            if time.monotonic() > unseen:
                raise EmbeddedError(
                    f"embedded database: a server that cannot be reached from here is using {self.data_dir}: stop it"
                )
            time.sleep(0.05)

    def _answering(self, password: str) -> Postmaster | None:
        """The server once a real log-in succeeds (recovery after a crash takes its time); None when it ends first."""
        deadline = time.monotonic() + START_SECONDS
        while (server := find_postmaster(self.cluster)) is not None:
            if server.host and self._log_in(server, password):
                return server
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"embedded database: the server (process {server.pid}) does not answer: see {self.log}"
                )
            time.sleep(0.01)
        return None

    def _log_in(self, server: Postmaster, password: str) -> bool:
        try:
            with psycopg.connect(superuser_conninfo(server, password), autocommit=True) as conn:
                row = conn.execute("SHOW data_directory").fetchone()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise EmbeddedError(f"embedded database: the passwords beside {self.cluster} are not its") from None
            return False
        if row is None or not Path(row[0]).samefile(self.cluster):
            raise EmbeddedError(f"embedded database: another server answers at {server.host}")
        return True

    def _launch(self, lock: FileLock, password: str) -> Postmaster | str:
        """Start the server, which inherits the lock; return it once it answers, or what it said when it ended."""
        for left in (self.cluster / "postmaster.pid", *(self.data_dir / "socket").glob(".s.PGSQL.*.lock")):
            left.unlink(missing_ok=True)  # nobody holds the lock, so they name a dead server, or who has its number now
        descriptor = self._open_log()
        try:
            begin = os.fstat(descriptor).st_size
            process = ServerProcess(
                [str(self.programs / "postgres"), "-D", str(self.cluster), *self._options()],
                stdout=descriptor, stderr=descriptor, start_new_session=True, pass_fds=[lock.descriptor],
                **self.account.popen(),
            )  # fmt: skip
        finally:
            os.close(descriptor)
        remember(process)
        try:
            while process.poll() is None:
                if find_postmaster(self.cluster) is not None and (ready := self._answering(password)) is not None:
                    return ready
                time.sleep(0.005)
        except BaseException:
            end_child(process)
            raise
        reap()
        with self.log.open("rb") as file:
            file.seek(begin)
            return file.read().decode(errors="replace")

    def _open_log(self) -> int:
        if self.log.exists() and self.log.stat().st_size > _LOG_BYTES:
            self.log.replace(self.log.with_suffix(".log.1"))
        return new_private_file(self.log, self.account)

    def _options(self) -> list[str]:
        """A Unix socket in the data folder; a port on 127.0.0.1 where its path would be too long or ambiguous."""
        sockets = self.data_dir / "socket"
        listen = {"listen_addresses": "", "unix_socket_directories": f'"{sockets}"', "port": "5432"}
        if len(os.fsencode(sockets / ".s.PGSQL.5432.lock")) > _SOCKET_BYTES or set(str(sockets)) & set(',"\\'):
            listen = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "port": str(_free_port())}
        else:
            make_folders(sockets, self.account)
        merged = {**SETTINGS, **listen, **self.settings}
        return [word for name, value in merged.items() for word in ("-c", f"{name}={value}")]


def superuser_conninfo(server: Postmaster, password: str, dbname: str = "postgres") -> str:
    """The superuser's connection string: for making logins and databases, and for tests."""
    return make_conninfo(
        host=server.host, port=server.port, user=SUPERUSER, password=password, dbname=dbname, connect_timeout=10
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
