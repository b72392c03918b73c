"""Webhooks, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import WebhookAnswer


class DeliveryAnswer(Answer):
    """One try. `position` is null for a ping, `status` where no answer came; `detail` says what went wrong."""

    delivery: int
    message: str
    position: int | None
    type: str
    attempt: int
    at: str
    milliseconds: int
    status: int | None
    delivered: bool
    detail: str


class DeliveryPage(Answer):
    """Tries, newest first."""

    items: list[DeliveryAnswer]
    next: str | None


class WebhookList(Answer):
    """Every webhook of the operator."""

    items: list[WebhookAnswer]
    next: None = None
