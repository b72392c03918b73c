"""Webhooks are believed when the service signed them, and lately."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from standardwebhooks.webhooks import Webhook

from api.client import BadSignature
from api.client.webhooks import verified

SECRET = "whsec_" + "c2VjcmV0LW9mLXRoZS1zdWl0ZS0wMTIzNDU2Nzg5"
OTHER = "whsec_" + "YW5vdGhlci1zZWNyZXQtb2YtdGhlLXN1aXRlLTAxMjM0"
EVENT = {
    "specversion": "1.0", "id": "e1", "source": "/studbook/demo", "type": "studbook.wallet.deposited.v1",
    "subject": "wallet/ann", "time": "2026-11-30T08:00:00Z", "datacontenttype": "application/json", "sequence": "4",
    "data": {"amount_minor": 100},
}  # fmt: skip
BODY = json.dumps(EVENT).encode()


def headers(body: bytes = BODY, at: datetime | None = None, secret: str = SECRET) -> dict[str, str]:
    """As the service signs: always with a time in UTC, because the library takes any other zone for UTC."""
    moment = (at or datetime.now(UTC)).astimezone(UTC)
    signature = Webhook(secret).sign("msg_1", moment, body.decode())
    stamp = str(int(moment.timestamp()))
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": stamp, "Webhook-Signature": signature}


def test_a_signed_webhook_is_its_event() -> None:
    event = verified(BODY, headers(), SECRET)
    assert (event.id, event.sequence, event.data) == ("e1", "4", {"amount_minor": 100})


def test_one_of_several_signatures_is_enough_while_a_secret_is_changed() -> None:
    both = headers()
    both["Webhook-Signature"] = headers(secret=OTHER)["Webhook-Signature"] + " " + both["Webhook-Signature"]
    assert verified(BODY, both, SECRET).id == "e1"
    assert verified(BODY, both, OTHER).id == "e1"


@pytest.mark.parametrize("missing", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
def test_a_header_that_is_missing_is_named(missing: str) -> None:
    left = {name: value for name, value in headers().items() if name != missing}
    with pytest.raises(BadSignature, match=missing.lower()):
        verified(BODY, left, SECRET)


@pytest.mark.parametrize(
    ("body", "changed", "secret"),
    [
        (BODY.replace(b"100", b"101"), {}, SECRET),
        (BODY, {"Webhook-Id": "msg_2"}, SECRET),
        (BODY, {"Webhook-Signature": "v1,AAAA"}, SECRET),
        (BODY, {"Webhook-Signature": "nonsense"}, SECRET),
        (BODY, {"Webhook-Timestamp": "yesterday"}, SECRET),
        (BODY, {"Webhook-Timestamp": "nan"}, SECRET),
        (BODY, {}, OTHER),
        (BODY, {}, "whsec_"),
        (b"\xff\xfe", {}, SECRET),
    ],
)
def test_what_was_changed_on_the_way_is_not_believed(body: bytes, changed: dict[str, str], secret: str) -> None:
    with pytest.raises(BadSignature):
        verified(body, {**headers(), **changed}, secret)


@pytest.mark.parametrize("minutes", [-6, 6])
def test_more_than_five_minutes_away_is_too_old_or_too_new(minutes: int) -> None:
    with pytest.raises(BadSignature, match="too"):
        verified(BODY, headers(at=datetime.now(UTC) + timedelta(minutes=minutes)), SECRET)


def test_the_same_moment_in_another_zone_is_signed_alike_when_it_is_given_in_utc() -> None:
    at = datetime.now(timezone(timedelta(hours=2)))
    assert verified(BODY, headers(at=at), SECRET).id == "e1"
    naive = Webhook(SECRET).sign("msg_1", at, BODY.decode())
    assert naive != headers(at=at)["Webhook-Signature"], "the library converts by now: drop astimezone"


@pytest.mark.parametrize("body", [b"[]", b'{"id": "e1"}'])
def test_a_signed_body_that_is_no_event_is_not_believed(body: bytes) -> None:
    with pytest.raises(BadSignature, match="no event"):
        verified(body, headers(body), SECRET)
