"""Service: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class OneDeviceBody(TypedDict):
    """Whether a player's newest session is the only one at all tables, and not only at its own."""

    one_device: bool
    reason: str


class ServiceBody(TypedDict):
    """What is taken out of service or put back; no `id` with scope ALL."""

    scope: Literal["ALL", "RULESET", "TABLE", "PLAYER", "JACKPOT"]
    id: NotRequired[str | None]
    reason: str
