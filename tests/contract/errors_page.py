"""Writes docs/errors.md from the table of refusals."""

from __future__ import annotations

from api.errors import STATUS, TITLES
from api.remedies import remedy
from tests.house.tree import ROOT

PAGE = ROOT / "docs" / "errors.md"

HEAD = """\
# Errors

Written from the code by `python -m tests.contract.write`. Every error is `application/problem+json` (RFC 9457): its
`type` is `/docs/problems#CODE` of the service that sent it, which says what stands here. Build on `code`, show
`detail` to people, quote `request_id` to us. `field` names the culprit, and where several are wrong `errors` lists up
to ten. With `retryable` the same request under the same `Idempotency-Key` may be sent again, and should be: its effect
happens once. A refusal has no effect and burns no key.

```json
{"type": "/docs/problems#INSUFFICIENT_FUNDS", "title": "Available money does not cover it", "status": 409,
 "code": "INSUFFICIENT_FUNDS", "detail": "the balance does not cover the stakes and the reserve for the call",
 "retryable": false, "request_id": "0196f3c2-8f5e-7c1a-9c55-1d2b6a7e9f10", "field": "ante"}
```
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for code in sorted(TITLES):
        kinds = [(status, cls) for cls, status in STATUS.items() if cls.code == code]
        retryable = any(cls.retryable for _, cls in kinds)
        meanings = dict.fromkeys((status, (cls.__doc__ or "").splitlines()[0]) for status, cls in kinds)
        parts.append(f"## {code}\n")
        parts.append(f"{TITLES[code]}. Send it again: **{'yes' if retryable else 'no'}**.\n")
        parts += [f"- {status}: {meaning}" for status, meaning in meanings]
        parts.append(f"\n{remedy(code, retryable=retryable)}\n")
    return "\n".join(parts)
