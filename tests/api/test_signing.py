"""Signed requests: each check by its name, the window to the second, and times in UTC whatever their zone."""

from __future__ import annotations

import base64
from datetime import UTC, datetime, timedelta, timezone

import pytest
from standardwebhooks import Webhook

from adapters.token_keys import DerivedSecrets
from api.errors import Unauthenticated, problem
from api.signing import Signatures, request_id
from domain.errors import Unavailable

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SECRETS = DerivedSecrets({"one": bytes(range(32))})
BODY = b'{"amount":100}'
SAID = request_id("POST", "/v1/players/ann/deposits", "key-1")


def headers(at: datetime = NOW, *, said: str = SAID, body: bytes = BODY, key_id: str = "k1") -> dict[bytes, bytes]:
    """As the scheme's own library signs."""
    utc = at.astimezone(UTC)
    made = Webhook(SECRETS.secret("one", key_id)).sign(said, utc, body.decode())
    stamp = str(int(utc.timestamp())).encode()
    return {b"webhook-id": said.encode(), b"webhook-timestamp": stamp, b"webhook-signature": made.encode()}


def check(sent: dict[bytes, bytes], *, said: str = SAID, body: bytes = BODY, service_key: str | None = "one") -> None:
    Signatures(SECRETS, lambda: NOW).check("k1", service_key, sent, said=said, body=body)


def refused(sent: dict[bytes, bytes], which: str, **more: object) -> Unauthenticated:
    with pytest.raises(Unauthenticated) as found:
        check(sent, **more)  # type: ignore[arg-type]  # as `check` takes them
    assert found.value.more == {"check": f"signature.{which}", "server_time": "2026-11-30T12:00:00Z"}
    return found.value


def test_what_the_scheme_s_library_signs_is_let_in_and_one_right_signature_of_several_is_enough() -> None:
    check(headers())
    sent = headers()
    sent[b"webhook-signature"] = b"v1,AAAA v1a,x " + sent[b"webhook-signature"]
    check(sent)


@pytest.mark.parametrize("name", [b"webhook-id", b"webhook-timestamp", b"webhook-signature"])
def test_each_missing_header_is_named(name: bytes) -> None:
    sent = headers()
    del sent[name]
    assert name.decode() in refused(sent, "headers").detail


@pytest.mark.parametrize("off", [-300, 0, 300])
def test_the_window_is_300_seconds_both_ways(off: int) -> None:
    check(headers(NOW + timedelta(seconds=off)))


@pytest.mark.parametrize(
    ("off", "says"), [(-301, "301 s behind"), (301, "301 s ahead of"), (-86_400, "86400 s behind")]
)
def test_beyond_the_window_the_problem_says_by_how_much(off: int, says: str) -> None:
    assert says in refused(headers(NOW + timedelta(seconds=off)), "timestamp").detail


@pytest.mark.parametrize("stamp", [b"", b"now", b"1.5", b"1e9", b"-5", b" 1", b"\xd9\xa1", b"9" * 12, b"1764504000000"])
def test_a_timestamp_that_is_no_whole_number_of_seconds_is_refused(stamp: bytes) -> None:
    sent = headers()
    sent[b"webhook-timestamp"] = stamp
    refused(sent, "timestamp")


def test_a_time_of_another_zone_signs_as_the_same_moment() -> None:
    """The library overwrites a time's zone: whoever passes local time signs another moment, so ours is always UTC."""
    there = NOW.astimezone(timezone(timedelta(hours=2)))
    check(headers(there))
    naive = Webhook(SECRETS.secret("one", "k1")).sign(SAID, there, BODY.decode())
    assert naive.encode() != headers()[b"webhook-signature"]


@pytest.mark.parametrize(
    "other",
    [
        request_id("GET", "/v1/players/ann/deposits", "key-1"),
        request_id("POST", "/v1/players/bob/deposits", "key-1"),
        request_id("POST", "/v1/players/ann/deposits?x=1", "key-1"),
        request_id("POST", "/v1/players/ann/deposits", "key-2"),
        request_id("POST", "/v1/players/ann/deposits", ""),
    ],
)
def test_another_method_path_query_or_idempotency_key_is_refused(other: str) -> None:
    refused(headers(), "id", said=other)
    moved = headers() | {b"webhook-id": other.encode()}  # with an id that fits, the signature no longer does
    refused(moved, "signature", said=other)


@pytest.mark.parametrize("body", [b"", b'{"amount":101}', b'{"amount":100} ', b"\xff\xfe"])
def test_another_body_is_refused(body: bytes) -> None:
    refused(headers(), "signature", body=body)


@pytest.mark.parametrize("signature", [b"", b"v1", b"v1,", b"v1,!!", b",", b"v2,abc", b"\xff", b"v1," + b"A" * 9000])
def test_what_is_no_signature_is_refused_like_a_wrong_one(signature: bytes) -> None:
    refused(headers() | {b"webhook-signature": signature}, "signature")


def test_another_keys_secret_opens_nothing() -> None:
    refused(headers(key_id="k2"), "signature")


def test_a_signature_for_a_key_that_does_not_sign_is_refused_not_ignored() -> None:
    refused(headers(), "key", service_key=None)


def test_a_secret_whose_key_of_the_service_is_gone_is_unavailable_and_never_let_in() -> None:
    with pytest.raises(Unavailable, match="two"):
        check(headers(), service_key="two")


def test_the_problem_names_the_check_and_the_servers_time_and_repeats_nothing() -> None:
    document = problem(refused(headers(NOW - timedelta(seconds=400)), "timestamp"), "r1")
    assert b'"check":"signature.timestamp"' in document
    assert b'"server_time":"2026-11-30T12:00:00Z"' in document
    assert base64.b64encode(b"x") not in document
