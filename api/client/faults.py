"""What a call may end with instead of its answer.

StudbookError
├── LostAnswer          no answer after all attempts: `idempotency_key` asks again, with the same call
├── UnexpectedAnswer    an answer that is none of ours: a proxy's page, another service's JSON
├── BadSignature        a webhook that the service did not sign, or one that is too old
└── Refused             a problem document of the service; one class for each code (refusals.py)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class StudbookError(Exception):
    """Whatever a call can fail with."""


class LostAnswer(StudbookError):
    """No answer came, however often it was asked for. The call may have been carried out, or may yet be.

    Make the same call again with `idempotency_key=fault.idempotency_key` (None for a read): its effect happens once.
    """

    def __init__(self, call: str, idempotency_key: str | None, cause: str) -> None:
        self.call = call
        self.idempotency_key = idempotency_key
        super().__init__(f"{call}: no answer: {cause}")


class UnexpectedAnswer(StudbookError):
    """What came back is no answer of this service; `status` is that of HTTP."""

    def __init__(self, call: str, status: int, why: str, idempotency_key: str | None = None) -> None:
        self.call = call
        self.status = status
        self.idempotency_key = idempotency_key
        super().__init__(f"{call}: {status}: {why}")


class BadSignature(StudbookError):
    """A webhook's signature or time is wrong: answer it 400 and believe nothing of it."""


class Refused(StudbookError):
    """A problem document: build on `code` or on the class, show `detail` to people, quote `request_id` to us.

    `field` names the culprit in what was sent, `errors` lists (field, detail) where there are several. `problem` is
    the whole document. With `retryable` the same call under `idempotency_key` may be made again.
    """

    def __init__(self, call: str, problem: Mapping[str, Any], idempotency_key: str | None) -> None:
        self.call = call
        self.problem = problem
        self.idempotency_key = idempotency_key
        self.code = str(problem["code"])
        self.status = int(problem["status"])
        self.detail = str(problem.get("detail", ""))
        self.retryable = bool(problem.get("retryable", False))
        self.request_id = str(problem.get("request_id", ""))
        self.field: str | None = problem.get("field")
        self.errors = tuple((one["field"], one["detail"]) for one in problem.get("errors") or ())
        named = f" ({self.field})" if self.field else ""
        super().__init__(f"{call}: {self.status} {self.code}{named}: {self.detail} [request {self.request_id}]")
