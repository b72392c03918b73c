"""Bodies about keys."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from api.fields import Body, ClientId, Label

RoleName = Literal["admin", "auditor", "dealer", "finance", "operator"]
"""What a key may do; docs/roles.md lists it."""


class KeyBody(Body):
    """A new key for a subject: a person or a system of the operator's, recorded as the actor of what it does.

    `signed`: its requests must carry a signature.
    """

    subject: ClientId
    roles: Annotated[list[RoleName], Field(min_length=1, max_length=5)]
    label: Label | None = None
    signed: bool = False
