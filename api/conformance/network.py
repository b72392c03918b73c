"""Checks of the way between: is it there, and does what is sent arrive as it was sent."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from typing import Final

import httpx2

from api.client import Forbidden, Invalid, NotFound, Unauthenticated, UnexpectedAnswer
from api.conformance.world import Failed, World, should

CLOCK_SECONDS: Final = 30.0
PROXY: Final = "Look at the proxy or gateway in between: it must pass headers and bodies on as they are"


def is_there(world: World) -> None:
    """the service answers and is ready"""
    try:
        alive = world.raw.get("/livez")
    except httpx2.TransportError as fault:
        raise Failed(
            f"no connection: {fault or type(fault).__name__}", "Look at address, port, firewall and TLS"
        ) from None
    should(
        alive.status_code == 200, f"/livez answers {alive.status_code}", "Is --url the service itself, without a path?"
    )
    ready = world.raw.get("/readyz")
    should(
        ready.status_code == 200, f"/readyz answers {ready.status_code}: {ready.text[:200]}", "Ask who runs the service"
    )


def clock(world: World) -> None:
    """the clocks agree within 30 seconds"""
    told = world.raw.get("/livez").headers.get("date")
    should(told is not None, "the answer has no header Date", PROXY)
    apart = abs(time.time() - parsedate_to_datetime(str(told)).timestamp())
    remedy = "Signatures and deadlines need the right time: let both machines keep it by NTP"
    should(apart <= CLOCK_SECONDS, f"the clocks are {apart:.0f} s apart", remedy)


def key(world: World) -> None:
    """the keys are known, and have the roles operator and dealer"""
    with _opens("--key", "operator"):
        world.casino.list_webhooks()
    with _opens("--dealer-key, or --key where there is none,", "dealer"), suppress(NotFound, Invalid, UnexpectedAnswer):
        world.dealer.settle_round(world.name("none"))  # whoever may settle hears that there is no such round


@contextmanager
def _opens(option: str, role: str) -> Iterator[None]:
    try:
        yield
    except Unauthenticated as refusal:
        signs = str(refusal.problem.get("check", "")).startswith("signature.")
        whole = "must be the whole key as it was handed out, and of this service"
        remedy = "signs its requests: give --signing-secret for --key, a dealer's key must not sign" if signs else whole
        raise Failed(refusal.detail, f"{option} {remedy}") from None
    except Forbidden as refusal:
        raise Failed(refusal.detail, f"{option} needs the role {role}") from None


def without_key(world: World) -> None:
    """a call without a key is refused with a problem document"""
    answer = httpx2.get(f"{world.raw.base_url}/v1/tables".replace("//v1", "/v1"), timeout=30)
    should(answer.status_code == 401, f"without a key /v1/tables answers {answer.status_code}", PROXY)
    kind = answer.headers.get("content-type")
    should(kind == "application/problem+json", f"an error comes as {kind}", f"{PROXY}, error pages included")


def headers(world: World) -> None:
    """X-Request-Id and Idempotency-Key arrive"""
    sent = world.name("request")
    answer = world.post("/v1/players", {}, world.name("key"), **{"X-Request-Id": sent})
    found = answer.headers.get("x-request-id")
    should(found == sent, f"X-Request-Id came back as {found}", PROXY)
    should(answer.status_code == 422, f"an empty body answers {answer.status_code}: {answer.text[:200]}", PROXY)
    problem = answer.json()
    should(problem.get("field") == "player", f"the problem names {problem.get('field')}", PROXY)


def large_body(world: World) -> None:
    """a bulk call of 1 MiB arrives"""
    item = {"player": "x" * 64, "amount": 1, "currency": "EUR", "transaction_id": "x" * 64}
    body = {"deposits": [{**item, "key": f"{world.run}-{number}"} for number in range(4_900)], "unheard_of": True}
    answer = world.post("/v1/deposits/bulk", body, world.name("bulk"))
    seen = f"a body of 1 MiB answers {answer.status_code}: {answer.text[:120]}"
    should(answer.status_code == 422, seen, "Let proxies pass bodies of 4 MiB, or send fewer items at once")
