"""What the document says of the calls that we make: OpenAPI's `webhooks`."""

from __future__ import annotations

from typing import Any, Final

_HEADERS: Final = {
    "webhook-id": "Names the message: the same at each try and when it is sent again. Do nothing twice for one id",
    "webhook-timestamp": "Seconds since 1970, of this try",
    "webhook-signature": "One or more `v1,` signatures with a blank between, by the scheme Standard Webhooks",
}
_ANSWERS: Final = {
    "2XX": "Taken: the next event follows",
    "410": "The webhook is disabled at once",
    "default": "Not taken: the same event is sent again later, the ones behind it wait",
}


def webhooks(event: str) -> dict[str, Any]:
    """The section, with a reference to the schema of a CloudEvent."""
    parameters = [
        {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
        for name, text in _HEADERS.items()
    ]
    call = {
        "operationId": "webhook_event",
        "summary": "An event, sent to the address of a webhook",
        "description": "One event a call, in the order of the log, each at least once. Answer within 10 s.",
        "tags": ["webhooks"],
        "security": [],
        "parameters": parameters,
        "requestBody": {
            "required": True,
            "content": {"application/cloudevents+json": {"schema": {"$ref": event}}},
        },
        "responses": {status: {"description": text} for status, text in _ANSWERS.items()},
    }
    return {"event": {"post": call}}
