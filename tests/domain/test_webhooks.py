"""Webhooks without clock and network: when a failed call is made again, and where calls may go."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network

import pytest

from domain.webhooks import (
    GIVEN_UP,
    JITTER,
    RETRY_AFTER_MOST,
    TRIES_LEAST,
    WAITS,
    failed,
    may_be_called,
    message_id,
    takes,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    ["127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.100.100.200",
     "0.0.0.0", "224.0.0.1", "255.255.255.255", "240.0.0.1", "168.63.129.16", "192.0.2.1", "::1", "::",
     "fe80::1", "fd00:ec2::254",
     "fec0::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::",
     "2002:7f00:1::1", "::ffff:169.254.169.254"],
)  # fmt: skip
def test_no_call_goes_to_what_is_not_one_public_machine(text: str) -> None:
    assert not may_be_called(ip_address(text), ())


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "1.1.1.1", "203.0.114.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_a_public_address_may_be_called(text: str) -> None:
    assert may_be_called(ip_address(text), ())


def test_networks_that_the_installation_allows_may_be_called_and_no_others() -> None:
    allowed = (ip_network("10.1.0.0/16"), ip_network("fd00:1::/32"))
    assert may_be_called(ip_address("10.1.2.3"), allowed)
    assert may_be_called(ip_address("fd00:1::7"), allowed)
    assert may_be_called(ip_address("::ffff:10.1.2.3"), allowed)
    assert not may_be_called(ip_address("10.2.0.1"), allowed)
    assert not may_be_called(ip_address("127.0.0.1"), allowed)


def test_waits_grow_and_the_last_try_is_three_days_after_the_first_failure() -> None:
    at, failures, since = NOW, 0, None
    tries, waits = 0, []
    while True:
        found = failed(at, failures, since, status=500, retry_after=None, chance=0.5)
        failures, since = found.failures, found.since
        tries += 1
        if found.disabled is not None:
            break
        assert found.next_at is not None
        waits.append(found.next_at - at)
        at = found.next_at
    assert waits[: len(WAITS)] == list(WAITS)
    assert at - NOW == GIVEN_UP
    assert (found.next_at, found.disabled) == (None, "no delivery succeeded for 3 days")
    assert 10 < tries < 30


def test_days_in_which_nobody_called_an_endpoint_do_not_disable_it() -> None:
    # given an endpoint that had failed twice when the deliverer was stopped, for a week
    at, since = NOW + timedelta(days=7), NOW
    # when the first call after that fails
    found = failed(at, 2, since, status=500, retry_after=None, chance=0.5)
    # then it is called again, in the wait of a third failure, and not at once
    assert (found.disabled, found.next_at) == (None, at + WAITS[2])
    # and disabled when it has had its tries
    while found.disabled is None:
        assert found.next_at is not None
        at = found.next_at
        found = failed(at, found.failures, since, status=500, retry_after=None, chance=0.5)
    assert found.failures == TRIES_LEAST


def test_a_wait_is_shorter_or_longer_by_chance() -> None:
    low, high = (failed(NOW, 3, NOW, status=None, retry_after=None, chance=one).next_at for one in (0.0, 1.0))
    assert low is not None
    assert high is not None
    assert (low - NOW, high - NOW) == (WAITS[3] * (1 - JITTER), WAITS[3] * (1 + JITTER))


def test_retry_after_is_heeded_up_to_an_hour() -> None:
    def wait(seconds: int) -> timedelta:
        found = failed(NOW, 0, None, status=503, retry_after=seconds, chance=0.5)
        assert found.next_at is not None
        return found.next_at - NOW

    assert wait(60) == timedelta(seconds=60)
    assert wait(0) == WAITS[0]
    assert wait(10**6) == RETRY_AFTER_MOST


def test_410_ends_an_endpoint_at_its_first_failure() -> None:
    found = failed(NOW, 0, None, status=410, retry_after=60, chance=0.5)
    assert (found.failures, found.next_at, found.disabled) == (1, None, "the endpoint answered 410 Gone")


def test_types_are_chosen_by_their_beginning_and_ids_are_those_of_positions() -> None:
    assert takes(["studbook."], "studbook.round.opened.v1")
    assert takes(["studbook.seat.", "studbook.round.opened"], "studbook.round.opened.v1")
    assert not takes(["studbook.seat."], "studbook.round.opened.v1")
    assert message_id(7) == "msg_7"
