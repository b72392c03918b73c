"""Service: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer


class OneDeviceAnswer(Answer):
    """Whether a player is at tables by one device alone now (C29)."""

    one_device: bool
    position: int


class ServiceAnswer(Answer):
    """What is out of service now, or back in it."""

    scope: str
    id: str
    disabled: bool
    position: int
