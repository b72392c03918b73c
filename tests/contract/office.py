"""The back office of that evening: keys, the log of their use, webhooks. Calls that the document lacks are left out."""

from __future__ import annotations

from tests.contract.record import Recorder


def play(call: Recorder) -> None:
    """Every scene whose calls are there."""
    for path, scene in (("/v1/keys", keys), ("/v1/webhooks", webhooks)):
        if call.contract.operation_at("POST", path) is not None:
            scene(call)


def keys(call: Recorder) -> None:
    """A key is made, doubled and ended."""
    wish = {"subject": "back-office", "roles": ["operator"], "label": "main site"}
    made = call("POST", "/v1/keys", wish)
    call("POST", "/v1/keys", {**wish, "roles": ["king"]})
    path = f"/v1/keys/{made['key_id']}"
    call("POST", f"{path}/rotate")
    call("POST", f"{path}/rotate")
    call("POST", f"{path}/revoke")
    call("GET", "/v1/keys", limit=2)
    call("GET", "/v1/access-log", limit=2)


def webhooks(call: Recorder) -> None:
    """An address that events are sent to."""
    wish = {"webhook": "back-office", "url": "https://casino.example/events", "types": ["studbook.round."]}
    call("POST", "/v1/webhooks", wish)
    call("POST", "/v1/webhooks", {**wish, "url": "http://casino.example/events"})
    path = "/v1/webhooks/back-office"
    call("PATCH", path, {"types": ["studbook.round.", "studbook.wallet."]})
    call("GET", "/v1/webhooks")
    call("GET", path)
    for what in ("ping", "rotate"):
        call("POST", f"{path}/{what}")
    call("POST", f"{path}/replay", {"after": 0})
    call("GET", f"{path}/deliveries")
    call("DELETE", path)
