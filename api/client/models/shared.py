"""Shared: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ..answer import Answer


class Balance(Answer):
    """A player's money after the command."""

    available: int
    held: int
    currency: str
    exponent: int


class CloudEvent(Answer):
    """An event as CloudEvents 1.0 has it; `sequence` is its position, `data` the event's own fields with `meta`."""

    specversion: Literal["1.0"] | str
    id: str
    source: str
    type: str
    subject: str
    time: datetime
    datacontenttype: Literal["application/json"] | str
    sequence: str
    data: dict[str, Any]


class WagerLine(Answer):
    """One accepted wager."""

    wager: str
    kind: str
    stake: int


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
    key: str | None


class WagerAnswer(Answer):
    """A wager. `payout` is None until it is settled; `reason` says why it was rejected."""

    wager: str
    kind: str
    stake: int
    status: str
    payout: int | None
    reason: str | None


class Limits(Answer):
    """Least and most that the spots of a table take, in minor units; None: no such limit."""

    ante_min: int
    ante_max: int
    side_min: int
    side_max: int
    total_max: int | None


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
