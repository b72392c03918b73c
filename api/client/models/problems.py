"""Problems: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from ..answer import Answer


class FieldError(Answer):
    """One of several fields that are wrong."""

    field: str
    detail: str


class ItemProblem(Answer):
    """Why an item of a bulk call was not carried out; `key` is null where it is malformed."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    retryable: bool
    request_id: str
    field: str | None = None
    errors: list[FieldError] | None = None
    check: str | None = None
    server_time: str | None = None
    key: str | None


class Problem(Answer):
    """What every refusal looks like (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    retryable: bool
    request_id: str
    field: str | None = None
    errors: list[FieldError] | None = None
    check: str | None = None
    server_time: str | None = None
