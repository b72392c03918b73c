"""The processes of `studbook serve`: database, projector, deliverer, API."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from types import FrameType
from typing import Any, Final
from urllib.request import urlopen

import uvicorn

from adapters.database.connections import connect
from adapters.database.errors import StartRefused
from adapters.database.safety import check_safe
from adapters.database.settings import DatabaseSettings, Role
from adapters.vault_keys import vault_from_environment
from api.logs import redaction
from api.logs.setup import configure
from api.main.anchor_settings import check_anchor_settings, unanchored
from api.main.children import STOP_SECONDS, Child, end_all
from api.main.clock_check import check_clock
from api.main.database import open_database
from api.main.delivering import own_environment
from api.main.environment import SERVE_PID, environment, webhook_networks
from api.main.faults import told
from api.main.keeping import STOP_SECONDS as KEEPER_SECONDS
from api.main.keeping import Keeper
from api.main.leaving import ANSWER_SECONDS, LEAVING
from api.main.limited import rates
from api.main.place import Place
from api.main.protocol import Protocol
from api.main.stopping import SIGNALS, Server, Supervisor
from api.main.workers import WORKERS_DIR

log = logging.getLogger("studbook.serve")

APP: Final = "api.main.application:create_app"
PROJECT: Final = "project"
DELIVER: Final = "deliver"
ANCHOR: Final = "anchor"
EXPORTS: Final = "make-exports"
"""The commands of the processes beside the API; nobody waits for any but the projector."""

READY_SECONDS: Final = 60.0
SERVED_ROLES: Final = (Role.WRITER, Role.PROJECTOR, Role.REQUEST)


@dataclass(frozen=True, slots=True)
class Options:
    """What `studbook serve` was told."""

    host: str
    port: int
    workers: int
    data_dir: Path | None
    database_url: str | None
    projector: bool = True
    """Whether it starts projector, deliverer and what anchors the log too."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What there is to tell once the service answers; `key` is None where the keys are the operators' own."""

    url: str
    key: str | None
    data_dir: Path | None
    warnings: tuple[str, ...]


@told()
def serve(options: Options, say: Callable[[Ready], None]) -> None:
    """Run until told to stop; `say` is called once when the service answers. Raises StartRefused in one line."""
    configure("serve")
    with ExitStack() as stack:
        listener = stack.enter_context(_listen(options))
        stack.callback(_deaf)
        LEAVING.at_last = stack.close
        threading.Thread(target=LEAVING.enforce, daemon=True).start()
        for number in SIGNALS:
            signal.signal(number, _leave)
        key, folder = _database(options, stack)
        redaction.learn()  # an embedded database has made its passwords
        env = environment()
        vault_from_environment(env.embedded_dir)
        delivers = options.projector and env.webhook_vault() is not None
        rates()
        is_anchored = options.projector and check_anchor_settings()
        os.environ[SERVE_PID] = str(os.getpid())
        warnings = _check(env.settings)
        webhook_networks()
        children = _children(options, is_anchored=is_anchored, delivers=delivers)
        stack.callback(lambda: end_all(children, LEAVING.left(STOP_SECONDS)))
        waited = children[: options.projector]
        for one in waited:
            one.start()
        ready = Ready(f"http://{_shown(options.host)}:{listener.getsockname()[1]}", key, folder, warnings)
        threading.Thread(target=_when_ready, args=(ready, say, children[len(waited) :]), daemon=True).start()
        _run(options, listener)
        LEAVING.not_needed()
        log.info("stopped")


def _children(options: Options, *, is_anchored: bool, delivers: bool) -> list[Child]:
    """The processes beside the API, the projector first; what makes exports is always one, others may run elsewhere."""
    environs = {DELIVER: own_environment(os.environ)}
    parts = [*([DELIVER] if delivers else []), *([ANCHOR] if is_anchored else []), EXPORTS]
    if options.projector:
        parts.insert(0, PROJECT)
    return [Child([sys.executable, "-m", "api.cli", part], environs.get(part, os.environ)) for part in parts]


def _leave(_number: int, _frame: FrameType | None) -> None:
    """Before the server runs a signal ends the start. A second does not break off how that is put away."""
    if LEAVING.told():
        raise SystemExit(0)


def _deaf() -> None:
    """All is put away: a signal that comes while the interpreter ends would only spoil the exit code."""
    if LEAVING.is_told and threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def _database(options: Options, stack: ExitStack) -> tuple[str | None, Path | None]:
    """The first key and the folder of an embedded database, which is started again when it ends."""
    opened = open_database(Place(options.database_url, options.data_dir), stack)
    if opened is None:
        return None, None
    keeper = Keeper(opened.cluster)
    keeper.start()
    stack.callback(lambda: keeper.stop(LEAVING.left(KEEPER_SECONDS)))
    return opened.key, opened.cluster.data_dir


def _check(settings: DatabaseSettings) -> tuple[str, ...]:
    """Refuse a database that could lose or show rows; what only deserves a warning is returned."""
    warnings: list[str] = []
    for role in SERVED_ROLES:
        with connect(settings.conninfo(role)) as conn:
            warnings += check_safe(conn, os.environ)
            if role is Role.PROJECTOR:
                check_clock(conn)
    return tuple(dict.fromkeys(warnings))


def _listen(options: Options) -> socket.socket:
    """The listening socket, taken before anything else is started."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
    except OSError as fault:
        listener.close()
        raise StartRefused(
            f"--host {options.host} --port {options.port}: {fault.strerror}; choose another --port (STUDBOOK_PORT),"
            " or 0 for a free one"
        ) from None
    listener.listen(2048)
    listener.set_inheritable(True)
    return listener


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def server_config(app: Any, *, workers: int, factory: bool = False) -> uvicorn.Config:
    """The server's flags: those of `serve`, and of the empty endpoint that `studbook bench` measures beside it."""
    return uvicorn.Config(
        app,
        factory=factory,
        workers=workers,
        http=Protocol,
        ws="none",
        log_config=None,  # api.logs has a handler for all
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # nothing here asks who stands in front
        server_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=ANSWER_SECONDS,
        lifespan="on",
    )


def _run(options: Options, listener: socket.socket) -> None:
    config = server_config(APP, workers=options.workers, factory=True)
    os.environ.pop(WORKERS_DIR, None)
    if options.workers > 1:
        with tempfile.TemporaryDirectory(prefix="studbook-") as folder:
            os.environ[WORKERS_DIR] = folder
            Supervisor(config, sockets=[listener]).run()
        has_started = LEAVING.is_told  # it ends by itself only when one of its processes cannot start
    else:
        server = Server(config)
        server.heed()
        with suppress(SystemExit):  # which the server raises where its start failed
            server.run(sockets=[listener])
        has_started = server.started
    if not has_started:
        raise StartRefused("the service did not start; the reason stands above")


def _when_ready(ready: Ready, say: Callable[[Ready], None], later: Sequence[Child]) -> None:
    """Say so; only then what nobody waits for begins. A start that takes long is told, and waited for all the same."""
    is_said = False
    try:
        is_said = _say_when_ready(ready, say, time.monotonic() + READY_SECONDS)
        if not is_said:
            log.warning("not ready after %.0f s: %s/readyz says why", READY_SECONDS, ready.url)
    finally:
        for child in later:
            child.start()
    if not is_said:
        _say_when_ready(ready, say, inf)


def _say_when_ready(ready: Ready, say: Callable[[Ready], None], until: float) -> bool:
    """Whether it was ready in time, and was said to be."""
    while time.monotonic() < until:
        try:
            with urlopen(f"{ready.url}/readyz", timeout=3) as answer:
                if answer.status == 200:
                    log.info("serving at %s", ready.url)
                    if (warning := unanchored()) is not None:
                        log.warning("%s", warning)
                    say(ready)
                    return True
        except OSError:
            time.sleep(0.05)
    return False
