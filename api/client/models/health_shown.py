"""Health, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal

from ..answer import Answer


class Reached(Answer):
    """How far a read model is."""

    position: int
    lag: int
    stopped: str | None
    skipped: int


class Readiness(Answer):
    """What `/readyz` tells."""

    status: Literal["ok", "unavailable"] | str
    faults: list[str]
    position: int
    waiting: int
    broken_streams: int
    models: dict[str, Reached]
