"""The process that anchors the log."""

from __future__ import annotations

import os
import threading

from adapters.anchors.following import Follower
from adapters.anchors.sink import Sink
from adapters.clock import SystemClock
from adapters.database.errors import StartRefused
from adapters.database.settings import Role
from api.logs.setup import configure
from api.main.anchor_settings import check_anchor_settings, prepare_folder
from api.main.environment import ANCHOR_DIR, ANCHOR_URL, anchor_folder, environment
from api.main.faults import told
from api.main.garbage import settle_down
from api.main.leaving import stop_when_told
from domain.views.model import time_text


@told()
def anchor() -> None:
    """Anchor the log until SIGTERM or SIGINT, or until the process that started it is gone."""
    configure("anchor")
    stop = stop_when_told()
    conninfo = environment().settings.conninfo(Role.PROJECTOR, "studbook anchors")
    if (folder := anchor_folder()) is None:
        raise StartRefused(f"no anchor folder: give --anchor-dir or set {ANCHOR_DIR}")
    signer = prepare_folder(folder)
    check_anchor_settings()
    sink = Sink(folder, url) if (url := os.environ.get(ANCHOR_URL)) else None
    settle_down()
    if sink is not None:
        threading.Thread(target=sink.run, args=(stop,), daemon=True).start()
    Follower(conninfo, folder, signer, _now, sink).run(stop)


def _now() -> str:
    return time_text(SystemClock().now())
