"""What every read shares: parameters, roles, and answers encoded once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

import orjson
from fastapi import Depends
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from api.auth import ROLES, Principal, requires
from api.fields import ClientId
from services.ports import Vault
from services.queries import LIMIT_DEFAULT, LIMIT_MAX, Reads, Turn

POSITION_MAX: Final = 2**63 - 1

MinPosition = Annotated[int | None, Field(default=None, ge=0, le=POSITION_MAX)]
"""Wait until the answer holds this position, at most 5 s, then 503."""


@dataclass(frozen=True, slots=True)
class Readers:
    """What reads read from; the vault opens a player's own cards only."""

    reads: Reads
    vault: Vault


class Plain(BaseModel):
    """No parameter but `min_position`."""

    model_config = ConfigDict(extra="forbid")

    min_position: int | None = Field(default=None, ge=0, le=POSITION_MAX)


class Paged(Plain):
    """A page: how many items, and the cursor that the page before gave as `next`."""

    limit: int = Field(default=LIMIT_DEFAULT, ge=1, le=LIMIT_MAX)
    cursor: str | None = Field(default=None, max_length=1024)

    def turn(self) -> Turn:
        """As queries want it."""
        return Turn(self.limit, self.cursor)


Anyone = Annotated[Principal, Depends(requires(*ROLES))]
"""Every key of the operator may read this."""

Players = Annotated[Principal, Depends(requires("operator", "admin"))]
"""The casino's own systems: they show a player what is the player's."""

Books = Annotated[Principal, Depends(requires("finance", "auditor", "admin"))]
"""Finance and auditors."""

Auditors = Annotated[Principal, Depends(requires("auditor", "admin"))]
"""Auditors."""

Id = ClientId


def answer(value: Any) -> Response:
    """The value as JSON; dataclasses are written as they are."""
    return Response(orjson.dumps(value), media_type="application/json")
