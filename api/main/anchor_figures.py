"""How far the anchors are, looked up in their folder when `/metrics` is asked: no process has to be asked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from adapters.anchors.folder import Folder
from adapters.anchors.reading import reached
from adapters.steady import STEADY
from api import metrics


def anchor_figures(folder: Folder | None) -> Callable[[int], None]:
    """What brings the gauges up to date, when the log is at a position. Where there is no folder they stay 0."""
    began = STEADY.seconds()

    def tell(position: int) -> None:
        metrics.ANCHORED.set(folder is not None)
        if folder is None:
            return
        try:
            last = reached(folder.anchors)
        except FileNotFoundError:
            last = None
        except (OSError, ValueError):
            return  # the folder is somebody else's, who looks after it
        behind = position - (last.position if last is not None else 0)
        since = began if last is None else datetime.fromisoformat(last.at).astimezone(UTC).timestamp()
        metrics.LOG_DIFFERS.set(folder.differs.exists())
        metrics.UNANCHORED.set(max(behind, 0))
        metrics.ANCHOR_AGE.set(max(STEADY.seconds() - since, 0.0) if behind > 0 else 0.0)

    return tell
