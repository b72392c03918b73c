"""What a killed projector process runs; imports little, so that it starts fast."""

from __future__ import annotations

from threading import Event

from adapters.projector import Projector


def project(conninfo: str, batch: int) -> None:
    """Run for ever."""
    Projector(conninfo, Event(), batch=batch).run()
