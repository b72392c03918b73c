"""A projector in a process of its own that kills itself (SIGKILL) at an exact point; imports little."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from enum import StrEnum
from threading import Event
from typing import Any
from unittest.mock import patch

from adapters.projector import Projector, batches
from adapters.projector.storage import store


class Point(StrEnum):
    """Where it dies."""

    BEFORE_WRITE = "before write"
    AFTER_WRITE = "after write"
    AFTER_COMMIT = "after commit"


def project(conninfo: str, batch: int, point: Point, after: int) -> None:
    """Follow the log; of the batches before the last `after` are stored whole, then it dies at the point."""
    left = [after]

    def dies(then: Callable[..., Any], when: Point) -> Callable[..., Any]:
        def step(*values: Any, **named: Any) -> Any:
            if when is Point.AFTER_WRITE:
                found = then(*values, **named)
            if point is when:
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left[0] -= 1
            return found if when is Point.AFTER_WRITE else then(*values, **named)

        return step

    with (
        patch.object(batches, "store", dies(dies(store, Point.AFTER_WRITE), Point.BEFORE_WRITE)),
        patch.object(Projector, "_note", dies(Projector._note, Point.AFTER_COMMIT)),
    ):
        Projector(conninfo, Event(), batch=batch).run()
