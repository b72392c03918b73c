"""`studbook check-integration`: passes against a service as it is, and names what is wrong with network or key."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest

from api.auth import ROLES
from api.cli import main
from api.client import Client
from api.conformance.run import CHECKS, results
from api.conformance.world import World
from tests.http.keys import new_key
from tests.service import Service


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(["check-integration", *arguments])
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, out, err


def test_a_service_as_it_is_passes_every_check_and_keeps_no_money(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "--url", service.url, "--key", service.key, "--json")
    told = json.loads(out)
    assert (code, told["ok"], err) == (0, True, "")
    assert [one["check"] for one in told["checks"]] == [(check.__doc__ or "").strip() for check in CHECKS]
    code, out, _ = run(capsys, "--url", service.url, "--key", service.key)
    assert (code, out.count("ok      "), "FAILED" in out) == (0, len(CHECKS), False)


def test_two_keys_with_one_role_each_pass_where_one_of_them_alone_is_told_what_it_needs(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    casino, dealer = (new_key(service, role)["key"] for role in ("operator", "dealer"))
    code, out, _ = run(capsys, "--url", service.url, "--key", casino, "--dealer-key", dealer)
    assert (code, out.count("ok      "), "FAILED" in out) == (0, len(CHECKS), False)
    signs = new_key(service, "operator", "dealer", signed=True)["key"]
    for wrong, told in (
        (("--key", casino), "--dealer-key, or --key where there is none, needs the role dealer"),
        (("--key", dealer), "--key needs the role operator"),
        (("--key", casino, "--dealer-key", casino[:-1]), "--dealer-key, or --key where there is none, must be"),
        (("--key", signs), "--key signs its requests: give --signing-secret"),
    ):
        code, out, _ = run(capsys, "--url", service.url, *wrong)
        assert (code, "        to do:  " + told in out) == (1, True), out


def test_no_service_a_wrong_key_and_a_wrong_address_are_told_in_words(
    service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    code, out, _ = run(capsys, "--url", f"http://127.0.0.1:{port}", "--key", service.key)
    assert code == 1
    assert "seen:   no connection" in out
    code, out, _ = run(capsys, "--url", service.url, "--key", "wrong-key-of-good-length")
    assert code == 1
    assert "and have the roles operator and dealer\n        seen:   the key is unknown or revoked" in out
    code, _, err = run(capsys, "--url", "casino.example", "--key", service.key)
    assert (code, "--url is the address of a service" in err) == (2, True)


@pytest.mark.parametrize(
    "wrong",
    [("--url", "http://[::1"), ("--url", "http://"), ("--url", "http://127.0.0.1:99999"), ("--url", "http://a.example/x"),
     ("--url", "http://u:p@a.example"), ("--key", "sb_é_and_so_on_0123"), ("--key", "sb_x\ny_and_so_on_0123"),
     ("--key", ""), ("--signing-secret", "whsec")],
)  # fmt: skip
def test_bad_input_is_told_in_words_and_calls_nobody(
    wrong: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"--url": "http://127.0.0.1:9", "--key": "sb_0123456789abcdef", wrong[0]: wrong[1]}
    code, out, err = run(capsys, *(part for pair in given.items() for part in pair))
    assert (code, out) == (2, "")
    assert wrong[0] in err
    assert "Traceback" not in err


def test_a_key_that_signs_passes_every_check(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    made = new_key(service, *ROLES, signed=True)
    key = ("--url", service.url, "--key", made["key"])
    code, out, _ = run(capsys, *key, "--signing-secret", made["signing_secret"], "--json")
    assert (code, json.loads(out)["ok"]) == (0, True)
    code, out, _ = run(capsys, *key)
    assert code == 1
    assert "this key signs its requests" in out


Change = Callable[[httpx2.Request, httpx2.Response], httpx2.Response]


@contextmanager
def behind(service: Service, change: Change) -> Iterator[World]:
    """The service behind something that changes requests and answers."""

    class Between(httpx2.HTTPTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = super().handle_request(request)
            answer.read()
            return change(request, answer)

    headers = {"Authorization": f"Bearer {service.key}"}
    between = Between()
    with (
        Client(service.url, service.key, transport=between, attempts=1) as casino,
        httpx2.Client(base_url=service.url, headers=headers, transport=between, timeout=120) as raw,
    ):
        yield World(casino, casino, raw, service.name("run"))


def bare(answer: httpx2.Response, **changes: Any) -> httpx2.Response:
    """The answer with some headers changed; None takes one out."""
    headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
    headers |= changes.pop("headers", {})
    kept = {name: value for name, value in headers.items() if value is not None}
    return httpx2.Response(changes.get("status", answer.status_code), content=answer.content, headers=kept)


def no_replay(_: httpx2.Request, answer: httpx2.Response) -> httpx2.Response:
    return bare(answer, headers={"idempotency-replayed": None})


def wrong_clock(_: httpx2.Request, answer: httpx2.Response) -> httpx2.Response:
    return bare(answer, headers={"date": "Mon, 30 Nov 2020 08:00:00 GMT"})


def no_request_id(_: httpx2.Request, answer: httpx2.Response) -> httpx2.Response:
    return bare(answer, headers={"x-request-id": "the-proxys-own"})


def small_bodies(request: httpx2.Request, answer: httpx2.Response) -> httpx2.Response:
    if len(request.content) > 100_000:
        return httpx2.Response(413, text="<html>Request Entity Too Large</html>")
    return bare(answer)


def own_error_pages(_: httpx2.Request, answer: httpx2.Response) -> httpx2.Response:
    if answer.status_code >= 400:
        return httpx2.Response(answer.status_code, text="<html>oops</html>", headers={"x-request-id": "x"})
    return bare(answer)


@pytest.mark.parametrize(
    ("change", "failed"),
    [
        (wrong_clock, "the clocks agree within 30 seconds"),
        (no_request_id, "X-Request-Id and Idempotency-Key arrive"),
        (own_error_pages, "X-Request-Id and Idempotency-Key arrive"),
        (small_bodies, "a bulk call of 1 MiB arrives"),
        (no_replay, "the same deposit sent again gets the same answer and moves nothing"),
    ],
)
def test_what_a_proxy_in_between_does_is_found_and_named(service: Service, change: Change, failed: str) -> None:
    with behind(service, change) as world:
        *good, last = results(world)
    assert all(one.seen is None for one in good)
    assert (last.check, bool(last.seen), bool(last.remedy)) == (failed, True, True)
