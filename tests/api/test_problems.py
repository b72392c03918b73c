"""Problem documents: one status for every refusal, one shape, small, and without anything the caller sent."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from fastapi import FastAPI, HTTPException
from hypothesis import given
from hypothesis import strategies as st

import adapters
import api
import domain
import services
from api import errors
from api.errors import STATUS, TITLES, InvalidFields, problem, problem_headers, safe_path, status_of
from api.problems import install
from domain.errors import Conflict, Invalid, NotFound, Refusal
from tests.api.front import Reply, ask, assert_problem


def below(cls: type[Refusal]) -> Iterator[type[Refusal]]:
    for child in cls.__subclasses__():
        yield child
        yield from below(child)


def ours() -> set[type[Refusal]]:
    """Every refusal that a module of the four packages defines."""
    for package in (domain, services, adapters, api):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    return {cls for cls in below(Refusal) if cls.__module__.split(".")[0] in {"domain", "services", "adapters", "api"}}


def test_every_refusal_of_domain_and_api_has_a_status_of_its_own_and_its_code_a_title() -> None:
    assert {cls for cls in ours() if cls.__module__.startswith(("domain.", "api."))} == set(STATUS)
    assert {cls.code for cls in STATUS} == set(TITLES)


def test_every_other_refusal_is_a_kind_of_one_in_the_table_under_the_same_code() -> None:
    strangers = {
        cls for cls in ours() - set(STATUS) if not any(cls.code == kin.code for kin in STATUS if kin in cls.__mro__)
    }
    assert strangers == set()


def test_a_code_that_clients_build_on_exists_for_each_in_the_contract() -> None:
    contract = """INSUFFICIENT_FUNDS BELOW_MINIMUM ABOVE_MAXIMUM BETTING_CLOSED WRONG_PHASE SEAT_TAKEN ALREADY_SEATED
    DUPLICATE_CARD IDEMPOTENCY_MISMATCH ALREADY_VOIDED NOT_FOUND FORBIDDEN UNAUTHENTICATED INVALID TOO_LARGE
    RATE_LIMITED UNAVAILABLE LIMIT_REACHED TABLE_LIMIT CURRENCY_MISMATCH"""
    assert set(contract.split()) <= set(TITLES)


def test_a_refusal_unknown_to_the_table_counts_as_its_parent() -> None:
    class Rare(Conflict):
        pass

    assert status_of(Rare("x")) == 409


def test_retryable_is_exactly_what_may_be_sent_again_unchanged() -> None:
    assert {cls.code for cls in STATUS if cls.retryable} == {
        "REQUEST_TIMEOUT",
        "RATE_LIMITED",
        "INTERNAL",
        "UNAVAILABLE",
    }


@pytest.mark.parametrize(
    ("refusal", "header"),
    [
        (errors.Unauthenticated("x"), (b"www-authenticate", b'Bearer realm="studbook"')),
        (errors.RateLimited("x"), (b"retry-after", b"1")),
        (errors.TooLarge("x"), (b"connection", b"close")),
    ],
)
def test_what_a_status_asks_for_comes_with_it(refusal: Refusal, header: tuple[bytes, bytes]) -> None:
    assert header in problem_headers(refusal)


@given(st.text(), st.text(), st.lists(st.tuples(st.text(max_size=400), st.text(max_size=900)), min_size=1, max_size=30))
def test_F17_a_problem_is_under_2_KiB_whatever_its_texts(detail: str, field: str, found: list[tuple[str, str]]) -> None:
    assert len(problem(Invalid(detail * 50, field=field * 50), "r" * 64)) < 2048
    assert len(problem(InvalidFields(found), "r" * 64)) < 2048


@pytest.mark.parametrize("text", ["\ud800" * 1000, "\x01" * 1000, "\U0001f0cf" * 1000, '"' * 1000])
def test_F17_the_costliest_characters_stay_under_2_KiB(text: str) -> None:
    assert len(problem(InvalidFields([(text, text)] * 10), "r" * 64)) < 2048


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (["wagers", 3, "ante"], "wagers[3].ante"),
        (["<script>"], "?"),
        (["x" * 41], "?"),
        (["a\nb", "c"], "?.c"),
        (list("abcdefgh"), "a.b.c.d.e.?"),
        ([], ""),
    ],
)
def test_a_path_shows_harmless_names_only(parts: list[object], shown: str) -> None:
    assert safe_path(parts) == shown


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (NotFound("no such round"), 404, "NOT_FOUND"),
        (HTTPException(401), 401, "UNAUTHENTICATED"),
        (HTTPException(403), 403, "FORBIDDEN"),
        (HTTPException(404), 404, "NOT_FOUND"),
        (HTTPException(413), 413, "TOO_LARGE"),
        (HTTPException(418), 400, "INVALID"),
        (HTTPException(502), 500, "INTERNAL"),
    ],
)
async def test_whatever_a_read_raises_is_a_problem(raised: Exception, status: int, code: str) -> None:
    app = FastAPI()
    install(app)

    @app.get("/x")
    async def x() -> None:
        raise raised

    reply = await ask(app, "GET", "/x")
    assert (reply.status, reply.json["code"]) == (status, code)
    assert reply.headers["content-type"] == "application/problem+json"


async def test_the_page_that_types_point_at_has_a_paragraph_for_each_code() -> None:
    app = FastAPI()
    install(app)
    reply = await ask(app, "GET", "/docs/problems")
    assert reply.status == 200
    for code in TITLES:
        assert f'<h2 id="{code}">' in reply.body.decode()


def test_assert_problem_can_fail() -> None:
    with pytest.raises(AssertionError):
        assert_problem(Reply(200, {}, b'{"code":"INVALID"}'), 400, "INVALID")
