"""Who PostgreSQL runs as: it refuses root, so root hands it to a plain account."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from adapters.embedded.children import Lives, end_group
from adapters.embedded.errors import EmbeddedError
from domain.frozen import dataclass

ACCOUNT: Final = "studbook"
_FALLBACKS: Final = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Account:
    """The account that owns the cluster and runs the server; `switch` when we must change to it."""

    name: str
    uid: int
    gid: int
    switch: bool
    notice: str = ""

    def popen(self) -> dict[str, Any]:
        """Arguments for `subprocess` that start a program as this account, with a plain environment."""
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
        who = {"user": self.uid, "group": self.gid, "extra_groups": []} if self.switch else {}
        return {"env": env, "cwd": "/", "stdin": subprocess.DEVNULL, **who}

    def run(self, command: Sequence[str | Path], seconds: float = 300) -> subprocess.CompletedProcess[str]:
        """Run a program to its end as this account and return its output (standard error within it).

        It has a process group of its own: where we are broken off, its helpers end with it, and write no more.
        """
        with Lives() as lives:
            process = subprocess.Popen(
                [str(part) for part in command],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                pass_fds=(lives.theirs,), **self.popen(),
            )  # fmt: skip
            with process:
                try:
                    output, _ = process.communicate(timeout=seconds)
                except subprocess.TimeoutExpired:
                    raise EmbeddedError(f"embedded database: {command[0]} did not end within {seconds:.0f} s") from None
                finally:
                    if process.returncode is None:
                        end_group(process, lives)
        return subprocess.CompletedProcess(process.args, process.returncode, output)

    def own(self, descriptor: int) -> None:
        """Give an open file that we have just made to this account."""
        if self.switch:
            os.fchown(descriptor, self.uid, self.gid)


def account_for(cluster: Path) -> Account:
    """Ourselves, or as root the owner of the cluster that is there, or the service account (made when missing)."""
    me = os.geteuid()
    owner = cluster.stat().st_uid if cluster.exists() else None
    if me != 0:
        if owner not in (None, me):
            raise EmbeddedError(
                f"embedded database: {cluster} belongs to {_name_of(owner)}: run as that user, or choose a --data-dir"
            )
        return Account(_name_of(me), me, os.getegid(), switch=False)
    if owner == 0:
        raise EmbeddedError(f"embedded database: {cluster} belongs to root, and PostgreSQL refuses to run as root")
    if owner is not None:
        return Account(_name_of(owner), owner, cluster.stat().st_gid, switch=True)
    return _service_account()


def _service_account() -> Account:
    if (found := _look_up(ACCOUNT)) is None:
        reason = _create()
        found = _look_up(ACCOUNT)
    if found is not None:
        return found
    for name in _FALLBACKS:
        if (found := _look_up(name)) is not None:
            notice = f"the account {ACCOUNT} could not be made ({reason}); the database runs as {name}"
            return Account(found.name, found.uid, found.gid, switch=True, notice=notice)
    raise EmbeddedError(f"embedded database: PostgreSQL refuses root: make an account named {ACCOUNT} ({reason})")


def _create() -> str:
    """Make the account; return why not, empty when it is there."""
    program = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if program is None:
        return "there is no useradd"
    command = [program, "--system", "--user-group", "--no-create-home", "--home-dir", "/var/lib/studbook",
               "--shell", "/usr/sbin/nologin", ACCOUNT]  # fmt: skip
    reason = ""
    for _ in range(5):  # another process may hold the lock of the accounts' file, or be quicker
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0 or _look_up(ACCOUNT) is not None:
            return ""
        reason = " ".join(done.stderr.split())
        time.sleep(0.2)
    return reason


def _look_up(name: str) -> Account | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    if entry.pw_uid == 0:
        return None
    return Account(name, entry.pw_uid, entry.pw_gid, switch=True)


def _name_of(uid: int | None) -> str:
    try:
        return pwd.getpwuid(uid).pw_name if uid is not None else "nobody"
    except KeyError:
        return f"user {uid}"
