"""What every refusal looks like to the document of the contract."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict

_LEFT_OUT: Final = {"field", "errors", "check", "server_time"}
"""Members that a problem has only where there is something to say."""


class FieldError(BaseModel):
    """One of several fields that are wrong."""

    field: str
    detail: str


class Problem(BaseModel):
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


def _as_they_come(schema: dict[str, Any]) -> None:
    schema["required"] = [name for name in schema["required"] if name not in _LEFT_OUT]


class ItemProblem(Problem):
    """Why an item of a bulk call was not carried out; `key` is null where it is malformed."""

    model_config = ConfigDict(json_schema_extra=_as_they_come)

    key: str | None
