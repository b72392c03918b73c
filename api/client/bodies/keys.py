"""Keys: bodies. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class KeyBody(TypedDict):
    """A new key for a subject: a person or a system of the operator's, recorded as the actor of what it does.
    `signed`: its requests must carry a signature.
    """

    subject: str
    roles: list[Literal["admin", "auditor", "dealer", "finance", "operator"]]
    label: NotRequired[str | None]
    signed: NotRequired[bool]
