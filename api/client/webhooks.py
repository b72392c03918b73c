"""Webhooks that the service sends: whether it was the service that sent them, and what they say.

The scheme is Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` sign the body's bytes with
the endpoint's secret. Hand in the bytes as they came: a body that was parsed and written anew has another signature.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError
from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook, WebhookVerificationError

from .faults import BadSignature
from .models import CloudEvent

NEEDED: Final = ("webhook-id", "webhook-timestamp", "webhook-signature")


def verified(body: bytes, headers: Mapping[str, str], secret: str) -> CloudEvent:
    """The event of a webhook. BadSignature when it was not signed with `secret`, or more than 5 minutes away.

    Deliveries repeat: keep the event's `id`, and do nothing for one that you have.
    """
    known = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in NEEDED if not known.get(name)]
    if missing:
        raise BadSignature(f"the header {missing[0]} is missing")
    try:
        Webhook(secret).verify(body, {name: known[name] for name in NEEDED})
    except WebhookVerificationError as fault:
        raise BadSignature(str(fault)) from None
    except (ValueError, EmptyWebhookSecretError):
        raise BadSignature("the body is no JSON, or the secret is none of ours (whsec_...)") from None
    try:
        return CloudEvent.model_validate_json(body)
    except ValidationError:
        raise BadSignature("the signature is right, and the body is no event of ours") from None
