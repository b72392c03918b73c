"""Bodies about what needs two persons."""

from __future__ import annotations

from typing import Literal

from api.fields import Body, Reason


class ApprovalBody(Body):
    """Whether what is proposed shall happen; empty: it shall. REJECT needs a `reason`."""

    decision: Literal["APPROVE", "REJECT"] = "APPROVE"
    reason: Reason | None = None
