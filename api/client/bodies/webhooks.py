"""Webhooks: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class ReplayBody(TypedDict):
    """`after`: everything past this position. `position`: the one event there. One of both."""

    after: NotRequired[int | None]
    position: NotRequired[int | None]


class WebhookBody(TypedDict):
    """A new webhook. `after`: for events past this position; from now on when it is left out."""

    webhook: str
    url: str
    types: NotRequired[list[str]]
    active: NotRequired[bool]
    after: NotRequired[int | None]


class WebhookChangeBody(TypedDict):
    """What is to change; `active` true enables a webhook that was disabled, and the next try is made at once."""

    url: NotRequired[str | None]
    types: NotRequired[list[str] | None]
    active: NotRequired[bool | None]
