"""Everything that FastAPI itself answers in error, as problem documents too, and the page their `type` points at."""

from __future__ import annotations

from html import escape
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from api import errors, scope
from api.remedies import remedy
from api.validation import refusal_of
from domain.errors import Forbidden, NotFound, Refusal

REQUEST_ID: Final = scope.REQUEST_ID
"""The scope's key of the request id; the dispatcher sets it on every request."""

ALLOW: Final = "studbook.allow"
"""The scope's key of the methods that the command table has for this path, set when it passes a request on."""


def install(app: FastAPI) -> None:
    """Make `app` answer 404, 405, 422, 500 and every Refusal as problem documents; serve /docs/problems."""
    app.add_exception_handler(Refusal, _on_refusal)
    app.add_exception_handler(RequestValidationError, _on_validation)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_bug)
    app.add_api_route("/docs/problems", _page, methods=["GET"], include_in_schema=False)


def _answer(request: Request, refusal: Refusal, *more: errors.Header) -> Response:
    response = Response(
        errors.problem(refusal, request.scope.get(REQUEST_ID, "")), status_code=errors.status_of(refusal)
    )
    for name, value in (*errors.problem_headers(refusal), *more):
        response.headers[name.decode()] = value.decode()
    return response


async def _on_refusal(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, Refusal)
    return _answer(request, fault)


async def _on_validation(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, RequestValidationError)
    return _answer(request, refusal_of(fault.errors(), skip=1))


async def _on_http(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    known: set[str] = set(request.scope.get(ALLOW, ()))
    match fault.status_code:
        case 404 if not known:
            return _answer(request, NotFound("no such path"))
        case 404 | 405:
            listed = (fault.headers or {}).get("Allow", "")
            allow = ", ".join(sorted(known | {m.strip() for m in listed.split(",") if m.strip()}))
            refusal = errors.MethodNotAllowed(f"this path takes {allow}")
            return _answer(request, refusal, (b"allow", allow.encode()))
        case 401:
            return _answer(request, errors.Unauthenticated("a valid key is needed"))
        case 403:
            return _answer(request, Forbidden("not allowed with this key"))
        case 413:
            return _answer(request, errors.TooLarge("the body is too large"))
        case status if status < 500:
            return _answer(request, errors.BadRequest("the request cannot be read"))
        case _:
            return _answer(request, errors.internal_error())


async def _on_bug(request: Request, _: Exception) -> Response:
    """A bug. It is raised again after this answer, and the dispatcher logs it."""
    return _answer(request, errors.internal_error())


async def _page() -> HTMLResponse:
    """What each code means, with its status and whether the same request may be sent again."""
    rows: dict[str, str] = {}
    for cls, status in errors.STATUS.items():
        again = "The same request may be sent again." if cls.retryable else "Sending it again does not help."
        meaning = escape((cls.__doc__ or "").splitlines()[0])
        title = escape(errors.TITLES[cls.code])
        advice = escape(remedy(cls.code, retryable=cls.retryable))
        rows[cls.code] = rows.get(cls.code, f'<h2 id="{cls.code}">{cls.code}</h2><p>{title}. {advice}</p>') + (
            f"<p>{status}: {meaning} {again}</p>"
        )
    body = "".join(rows.values())
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Problems</title><h1>Problems</h1>{body}</html>'
    )
