"""From pydantic's findings to ours: which field, and what it must be, never what it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final

from pydantic_core import ErrorDetails, ValidationError

from api.errors import ERRORS_MAX, BadRequest, InvalidFields, safe_path
from domain.errors import Refusal

OWN_ERROR: Final = "studbook"
"""The error type of field checks of ours (`api/fields.py`); its message is shown as it stands."""

_MESSAGES: Final[Mapping[str, str | Callable[[Mapping[str, Any]], str]]] = {
    "missing": "is required",
    "extra_forbidden": "is not a known field",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "int_parsing": "must be an integer",
    "int_parsing_size": "is out of range",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "string_type": "must be a string",
    "list_type": "must be an array",
    "tuple_type": "must be an array",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "dataclass_type": "must be an object",
    "model_attributes_type": "must be an object",
    "none_required": "must be null",
    "string_pattern_mismatch": "does not have the required form",
    "uuid_parsing": "must be a UUID",
    "uuid_type": "must be a UUID",
    "datetime_parsing": "must be a time such as 2026-01-31T18:00:00Z",
    "datetime_from_date_parsing": "must be a time such as 2026-01-31T18:00:00Z",
    "timezone_aware": "must be a time with its zone, such as 2026-01-31T18:00:00Z",
    "date_from_datetime_parsing": "must be a date such as 2026-01-31",
    "date_parsing": "must be a date such as 2026-01-31",
    "union_tag_invalid": "has an unknown kind",
    "union_tag_not_found": "lacks its kind",
    "greater_than": lambda c: f"must be above {c['gt']}",
    "greater_than_equal": lambda c: f"must be at least {c['ge']}",
    "less_than": lambda c: f"must be below {c['lt']}",
    "less_than_equal": lambda c: f"must be at most {c['le']}",
    "string_too_short": lambda c: f"must have at least {c['min_length']} characters",
    "string_too_long": lambda c: f"must have at most {c['max_length']} characters",
    "too_short": lambda c: f"must have at least {c['min_length']} items",
    "too_long": lambda c: f"must have at most {c['max_length']} items",
    "literal_error": lambda c: f"must be {c['expected']}",
    "enum": lambda c: f"must be {c['expected']}",
}
"""What to say of each kind of finding; limits and choices come from the schema, not from the input."""


def refusal_of(findings: ValidationError | Iterable[Mapping[str, Any]], *, skip: int = 0) -> Refusal:
    """The refusal for a body or query that does not fit its schema: each field and what it must be.

    `skip` leading parts of each location are left out (FastAPI puts `query` or `path` first).
    BadRequest when the text was no JSON at all.
    """
    details: Iterable[Mapping[str, Any]]
    if isinstance(findings, ValidationError):
        details = findings.errors(include_url=False, include_input=False)
    else:
        details = findings
    told = islice((d for d in details if d["type"] != "json_invalid"), ERRORS_MAX)
    errors = [(safe_path(d["loc"][skip:]), _message(d)) for d in told]
    return InvalidFields(errors) if errors else BadRequest("the body is not valid JSON")


def _message(detail: ErrorDetails | Mapping[str, Any]) -> str:
    if detail["type"] == OWN_ERROR:
        return str(detail["msg"])
    message = _MESSAGES.get(detail["type"], "is not valid")
    if isinstance(message, str):
        return message
    return message(detail.get("ctx") or {})
