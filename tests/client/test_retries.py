"""What the client sends again, what it does not, and what it says in the end."""

from __future__ import annotations

import httpx2
import pytest

from api.client import (
    InsufficientFunds,
    LostAnswer,
    RateLimited,
    Refused,
    Unavailable,
    UnexpectedAnswer,
)
from tests.client.answers import Said, Script, done, problem

PLAYER = {"player": "ann", "currency": "EUR", "position": 2}


def page(status: int) -> httpx2.Response:
    """What a proxy in between says."""
    return httpx2.Response(status, text="<html>Bad Gateway</html>", headers={"Content-Type": "text/html"})


@pytest.mark.parametrize(
    "first",
    [
        httpx2.ConnectError("refused"),
        httpx2.ReadTimeout("slow"),
        httpx2.RemoteProtocolError("cut"),
        problem(503, "UNAVAILABLE", retryable=True),
        problem(429, "RATE_LIMITED", retryable=True),
        problem(408, "REQUEST_TIMEOUT", retryable=True),
        problem(500, "INTERNAL", retryable=True),
        page(502),
        page(504),
    ],
    ids=str,
)
def test_what_may_be_sent_again_is_sent_again_the_same_under_the_same_key(first: Said) -> None:
    script = Script([first, done(PLAYER, 201)])
    with script.client() as casino:
        assert casino.register_player(player="ann", currency="EUR").position == 2
        assert casino.retries == 1
    one, other = script.asked
    assert one.headers["idempotency-key"] == other.headers["idempotency-key"]
    assert (one.content, one.url, one.method) == (other.content, other.url, other.method)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (problem(409, "INSUFFICIENT_FUNDS", retryable=False), InsufficientFunds),
        (problem(409, "A_CODE_OF_NEXT_YEAR", retryable=False), Refused),
        (page(404), UnexpectedAnswer),
        (page(302), UnexpectedAnswer),
        (done({"player": "ann"}, 201), UnexpectedAnswer),
        (httpx2.Response(201, text="<html>logged in</html>"), UnexpectedAnswer),
    ],
)
def test_what_a_retry_would_not_change_is_asked_once(answer: httpx2.Response, fault: type[Exception]) -> None:
    script = Script([answer])
    with script.client() as casino, pytest.raises(fault):
        casino.register_player(player="ann", currency="EUR")
    assert len(script.asked) == 1


def test_a_refusal_tells_all_that_its_problem_says() -> None:
    script = Script([problem(409, "INSUFFICIENT_FUNDS", retryable=False)])
    with script.client() as casino, pytest.raises(InsufficientFunds) as told:
        casino.register_player(player="ann", currency="EUR", idempotency_key="k1")
    refusal = told.value
    assert (refusal.code, refusal.status, refusal.field, refusal.detail) == (
        "INSUFFICIENT_FUNDS", 409, "ante", "because",
    )  # fmt: skip
    assert (refusal.retryable, refusal.request_id, refusal.idempotency_key) == (False, "r1", "k1")
    assert str(refusal) == "POST /v1/players: 409 INSUFFICIENT_FUNDS (ante): because [request r1]"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (httpx2.ConnectError("refused"), LostAnswer),
        (page(502), LostAnswer),
        (problem(503, "UNAVAILABLE", retryable=True), Unavailable),
        (problem(429, "RATE_LIMITED", retryable=True), RateLimited),
    ],
)
def test_after_the_last_attempt_the_fault_holds_the_key_to_ask_again_with(answer: Said, fault: type[Exception]) -> None:
    script = Script([answer])
    with script.client(attempts=3) as casino, pytest.raises(fault) as told:
        casino.register_player(player="ann", currency="EUR")
    assert len(script.asked) == 3
    assert told.value.idempotency_key == script.asked[0].headers["idempotency-key"]


def test_pauses_grow_and_are_never_shorter_than_the_service_asks() -> None:
    busy = problem(503, "UNAVAILABLE", retryable=True)
    script = Script(
        [busy, busy, busy, problem(429, "RATE_LIMITED", retryable=True, **{"Retry-After": "7"}), done(PLAYER)]
    )
    with script.client() as casino:
        casino.register_player(player="ann", currency="EUR")
    for waited, most in zip(script.waited, (0.2, 0.4, 0.8), strict=False):
        assert most / 2 <= waited <= most
    assert script.waited[3:] == [7.0]


def test_a_retry_after_that_is_no_number_or_without_end_does_not_stop_the_client() -> None:
    odd = [problem(503, "UNAVAILABLE", retryable=True, **{"Retry-After": text}) for text in ("soon", "-1", "9" * 9)]
    script = Script([*odd, done(PLAYER)])
    with script.client() as casino:
        casino.register_player(player="ann", currency="EUR")
    assert max(script.waited) == 60.0


def test_two_commands_get_two_keys_and_the_callers_own_is_used() -> None:
    script = Script([done(PLAYER)])
    with script.client() as casino:
        casino.register_player(player="ann", currency="EUR")
        casino.register_player(player="bob", currency="EUR")
        casino.register_player(player="eve", currency="EUR", idempotency_key="mine")
    keys = [one.headers["idempotency-key"] for one in script.asked]
    assert len({*keys}) == 3
    assert keys[2] == "mine"


def test_a_read_waits_for_what_this_client_has_written_unless_told_otherwise() -> None:
    balance = {"player": "ann", "available": 1, "held": 0, "currency": "EUR", "exponent": 2, "position": 2}
    script = Script([done(PLAYER), done(balance)])
    with script.client() as casino:
        casino.register_player(player="ann", currency="EUR")
        casino.get_balance("ann")
        casino.get_balance("ann", min_position=0)
    assert [one.url.query for one in script.asked] == [b"", b"min_position=2", b"min_position=0"]
    script = Script([done(PLAYER), done(balance)])
    with script.client(own_writes=False) as casino:
        casino.register_player(player="ann", currency="EUR")
        casino.get_balance("ann")
    assert script.asked[1].url.query == b""


def test_a_field_that_the_service_adds_later_is_kept_and_no_error() -> None:
    script = Script([done({**PLAYER, "tier": "GOLD"})])
    with script.client() as casino:
        assert casino.register_player(player="ann", currency="EUR").model_extra == {"tier": "GOLD"}


def test_an_id_is_written_into_the_path_whatever_it_holds() -> None:
    script = Script([problem(422, "INVALID", retryable=False)])
    with script.client() as casino, pytest.raises(Refused):
        casino.get_balance("a/b?c=d#e")
    assert script.asked[0].url.raw_path == b"/v1/players/a%2Fb%3Fc%3Dd%23e/balance"


def test_no_attempt_at_all_is_no_client() -> None:
    with pytest.raises(ValueError, match="attempts"):
        Script([done(PLAYER)]).client(attempts=0)
