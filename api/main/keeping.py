"""The embedded database is started again when it ends, such as on a full disk: nobody else would do it (F10)."""

from __future__ import annotations

import logging
import threading
from typing import Final

from adapters.embedded import Cluster

LOOK_SECONDS: Final = 1.0
"""Between two looks, and between two attempts to start it."""

STOP_SECONDS: Final = 2.0
"""How long an attempt under way is waited for when the service stops."""

log = logging.getLogger("studbook.serve")


class Keeper:
    """Looks whether the server of a cluster is there, in a thread of its own, until `stop`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._keep, daemon=True, name="studbook-keeper")

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self, within: float = STOP_SECONDS) -> None:
        """Look no more; before the cluster is let go."""
        self._stopping.set()
        self._thread.join(within)

    def _keep(self) -> None:
        said = ""
        while not self._stopping.wait(LOOK_SECONDS):
            if self._cluster.is_running:
                continue
            if not said:
                log.error("the embedded database has ended; it is started again (%s says why)", self._cluster.log)
            try:
                self._cluster.ensure_running()
            except Exception as fault:  # whatever it is, the next attempt may succeed
                if str(fault) != said and not self._stopping.is_set():
                    log.error("the embedded database does not start: %s", fault)
                said = str(fault)
            else:
                said = ""
                log.warning("the embedded database runs again")
