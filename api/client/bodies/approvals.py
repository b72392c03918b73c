"""Approvals: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class ApprovalBody(TypedDict):
    """Whether what is proposed shall happen; empty: it shall. REJECT needs a `reason`."""

    decision: NotRequired[Literal["APPROVE", "REJECT"]]
    reason: NotRequired[str | None]
