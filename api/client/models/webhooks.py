"""Webhooks: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer
from .shared import WebhookAnswer


class SendAnswer(Answer):
    """What will be sent: `message` is the `webhook-id` that it comes under, `position` where in the log it begins."""

    webhook: str
    position: int
    message: str | None


class WebhookSecretAnswer(Answer):
    """A webhook and, once, the secret that it signs with; null where it was made before."""

    webhook: str
    position: int
    secret: str | None
    settings: WebhookAnswer
