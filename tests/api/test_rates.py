"""Limits of keys and addresses at the front: the window, its headers, what counts, and what memory it may take."""

from __future__ import annotations

import pytest

from adapters.database.errors import StartRefused
from api import rates
from api.auth import KeyRing, make_key
from api.auth_gate import AuthGate, open_path
from api.dispatcher import Dispatcher
from api.errors import RateLimited
from api.main.limited import rates as told
from api.rates import Rates, Windows, address_of
from tests.api.bad_bodies import GOOD
from tests.api.front import Front, Reply, ask, reads

WAGERS = "/v1/rounds/r1/wagers"


class Time:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


def limited(front: Front, limits: Rates) -> Front:
    """The front with limits."""
    ring = KeyRing(front.store)
    front.app = Dispatcher(AuthGate(reads(), ring, open_path, limits), front.routes(), ring, rates=limits)
    return front


def rate(reply: Reply) -> tuple[str | None, str | None]:
    return reply.headers.get("ratelimit"), reply.headers.get("retry-after")


async def tables(front: Front, key: str | None = None) -> Reply:
    return await ask(front.app, "GET", "/v1/tables", [("authorization", f"Bearer {key or front.key}")])


async def test_a_key_makes_so_many_requests_in_a_window_and_each_answer_tells_what_is_left(time: Time) -> None:
    front = limited(Front(), Rates("3/minute", clock=time))
    time.now += 10
    first = await front.wager(GOOD)
    time.now += 20.5
    second, third, fourth = await tables(front), await front.wager(b"{"), await tables(front)
    assert [one.status for one in (first, second, third, fourth)] == [201, 200, 400, 429]
    assert [rate(one) for one in (first, second, third)] == [
        ('"key";r=2;t=60', None), ('"key";r=1;t=40', None), ('"key";r=0;t=40', None),
    ]  # fmt: skip
    assert {one.headers["ratelimit-policy"] for one in (first, second, third, fourth)} == {'"key";q=3;w=60'}
    assert (rate(fourth), fourth.json["code"], fourth.json["retryable"]) == (
        ('"key";r=0;t=40', "40"),
        "RATE_LIMITED",
        True,
    )
    assert len(front.calls) == 1


async def test_a_limited_command_is_not_carried_out_and_its_key_serves_afterwards(time: Time) -> None:
    front = limited(Front(), Rates("1/second", clock=time))
    assert [(await front.wager(GOOD)).status for _ in range(3)] == [201, 429, 429]
    time.now += 1
    assert (await front.wager(GOOD)).status == 201
    assert len(front.calls) == 2


async def test_keys_have_a_window_each(time: Time) -> None:
    front = limited(Front(), Rates("1/minute", clock=time))
    other = front.store.add(make_key(), ["operator"])
    assert [(await tables(front)).status, (await tables(front)).status] == [200, 429]
    assert (await tables(front, other)).status == 200


async def test_what_needs_no_key_is_not_limited(time: Time) -> None:
    front = limited(Front(), Rates("1/minute", clock=time))
    replies = [await ask(front.app, "GET", "/livez") for _ in range(3)]
    assert [(one.status, rate(one)) for one in replies] == [(200, (None, None))] * 3


async def test_without_a_limit_no_answer_tells_of_one() -> None:
    assert rate(await tables(Front())) == (None, None)


def test_items_count_and_more_than_the_whole_limit_take_all_of_a_window(time: Time) -> None:
    limits, scope = Rates("10/minute", clock=time), {}
    limits.take(scope, "k")
    limits.take_items(scope, "k", 4)
    assert scope[rates.RATE][1] == (b"ratelimit", b'"key";r=6;t=60')
    time.now += 60
    limits.take(scope, "k")
    limits.take_items(scope, "k", 5_000)
    assert scope[rates.RATE][1] == (b"ratelimit", b'"key";r=0;t=60')
    time.now += 60
    limits.take(scope, "k")
    limits.take(scope, "k")
    with pytest.raises(RateLimited, match="10 requests in 60 s, and each item counts"):
        limits.take_items(scope, "k", 5_000)
    assert scope[rates.RATE][1] == (b"ratelimit", b'"key";r=8;t=60')


async def test_an_address_that_guesses_keys_is_no_longer_looked_up(time: Time) -> None:
    front = limited(Front(), Rates(failures="3/minute", clock=time))
    guesses = [await tables(front, make_key().key) for _ in range(5)]
    assert [one.status for one in guesses] == [401, 401, 401, 429, 429]
    assert (len(front.store.asked), guesses[4].headers["retry-after"]) == (3, "60")
    # another, who has not asked yet, sits behind the same address
    assert (await front.wager(GOOD)).status == 429
    time.now += 60
    assert (await front.wager(GOOD)).status == 201


async def test_who_has_been_here_is_not_locked_out_by_another_behind_the_same_address(time: Time) -> None:
    front = limited(Front(), Rates(failures="2/minute", clock=time))
    assert (await front.wager(GOOD)).status == 201
    assert [(await tables(front, make_key().key)).status for _ in range(3)] == [401, 401, 429]
    assert [(await front.wager(GOOD)).status, (await tables(front)).status] == [201, 200]
    wrong = front.key[:-1] + ("0" if front.key[-1] != "0" else "1")
    assert (await tables(front, wrong)).status == 429


async def test_no_key_or_one_that_cannot_be_is_no_guess(time: Time) -> None:
    front = limited(Front(), Rates(failures="1/minute", clock=time))
    for _ in range(3):
        assert [(await ask(front.app, "GET", "/v1/tables")).status, (await tables(front, "short")).status] == [401, 401]


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("10.0.0.7", 1), "10.0.0.7"), (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"), (None, "unknown"),
        (("::ffff:10.0.0.7", 1), "10.0.0.7"), (("unix", 1), "unknown"),
    ],
)  # fmt: skip
def test_an_address_is_what_one_customer_has(client: tuple[str, int] | None, counted: str) -> None:
    assert address_of({"type": "http", "client": client}) == counted


def test_windows_are_bounded_and_the_oldest_goes_first(time: Time) -> None:
    windows = Windows(time, most=3)
    for name in "abcad":
        windows.incr(name, 60)
    assert (len(windows), [windows.get(name) for name in "abcd"]) == (3, [0, 1, 1, 1])
    time.now += 60
    assert (windows.get("b"), windows.incr("b", 60)) == (0, 1)
    windows.incr("e", 60)
    assert [windows.get(name) for name in "bde"] == [1, 0, 1]


@pytest.mark.parametrize("wrong", ["many", "0/minute", "-1/minute", "5", "5/minute;6/hour", "1.5/second"])
def test_a_limit_that_is_none_is_refused_by_name(wrong: str) -> None:
    for name in ("STUDBOOK_RATE_LIMIT", "STUDBOOK_FAILED_LOGINS"):
        with pytest.raises(StartRefused, match=f"{name}: write it like"):
            told({name: wrong})


def test_keys_are_not_limited_unless_told_and_guesses_are() -> None:
    assert told({}).requests is None
    limits = told({"STUDBOOK_RATE_LIMIT": "50/second", "STUDBOOK_FAILED_LOGINS": "off"})
    assert limits.requests is not None
    assert (limits.requests.amount, limits.requests.get_expiry()) == (50, 1)
