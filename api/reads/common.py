"""What every read shares: parameters, roles, and answers encoded once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Annotated, Any, Final

from fastapi import Depends, Header
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError
from starlette.requests import HTTPConnection
from starlette.responses import Response

from api.auth import ROLES, Principal, requires
from api.encoding import encoded
from api.errors import safe_path
from api.fields import ClientId
from api.streams import Streams
from api.validation import OWN_ERROR
from domain.errors import Invalid
from services.evidence.making import Outside, Signs
from services.exports.desk import ExportDesk
from services.following import Following
from services.ports import Vault
from services.queries import LIMIT_DEFAULT, LIMIT_MAX, Reads, Turn
from services.webhooks import Webhooks

POSITION_MAX: Final = 2**63 - 1

MOMENT: Final = "2026-11-29T12:00:00Z"
"""How a time is written."""

_WHOLE: Final = re.compile(r"-?[0-9]{1,19}", re.ASCII)
_MOMENT: Final = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII
)  # fmt: skip


def moment(text: str) -> datetime | None:
    """A time of RFC 3339 with its zone, in UTC; None for anything else, and for one beyond the years 1 to 9999."""
    if not _MOMENT.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _whole(value: object) -> object:
    """Digits only: pydantic by itself takes "1_0", "5.0" and blanks for whole numbers."""
    if isinstance(value, str) and not _WHOLE.fullmatch(value):
        raise PydanticCustomError(OWN_ERROR, "must be an integer")
    return value


def _moment(value: object) -> object:
    """A time and no number: pydantic by itself takes seconds since 1970 for one."""
    found = moment(value) if isinstance(value, str) else None
    if found is None:
        raise PydanticCustomError(OWN_ERROR, f"must be a time with its zone, such as {MOMENT}")
    return found


Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number in a query."""

Moment = Annotated[datetime, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A time in a query."""

MinPosition = Annotated[Whole, Field(ge=0, le=POSITION_MAX)]
"""Wait until the answer holds this position, at most 5 s, then 503."""


async def no_parameter_twice(connection: HTTPConnection) -> None:
    """Invalid where a query names a parameter twice: one of the two would be passed over in silence (bug row 21)."""
    for name, times in Counter(name for name, _ in connection.query_params.multi_items()).items():
        if times > 1:
            raise Invalid("is given more than once", field=safe_path([name]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What packs are made with: who signs (the first one), the software's version, and what lies outside the database
    (None: nothing is known of it here).
    """

    signers: Sequence[Signs]
    software_version: str
    outside: Outside | None


@dataclass(frozen=True, slots=True)
class Readers:
    """What reads read from; the vault opens a player's own cards only."""

    reads: Reads
    vault: Vault
    following: Following
    streams: Streams
    webhooks: Webhooks
    evidence: Evidence
    exports: ExportDesk


class Plain(BaseModel):
    """No parameter but `min_position`."""

    model_config = ConfigDict(extra="forbid")

    min_position: MinPosition | None = None


class Paged(Plain):
    """A page: how many items, and the cursor that the page before gave as `next`."""

    limit: Annotated[Whole, Field(ge=1, le=LIMIT_MAX)] = LIMIT_DEFAULT
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

Admins = Annotated[Principal, Depends(requires("admin"))]
"""Who makes and ends keys."""

Id = ClientId


def answer(value: Any) -> Response:
    """The value as JSON; dataclasses are written as they are."""
    return Response(encoded(value), media_type="application/json")


IfNoneMatch = Annotated[
    str | None, Header(alias="If-None-Match", max_length=1024, description="The ETag of the answer that you have.")
]

TAGGED: Final[dict[int | str, dict[str, Any]]] = {
    200: {"headers": {"ETag": {"description": "Tells this state from others", "schema": {"type": "string"}}}},
    304: {"description": "Nothing but `position` differs from what you have"},
}
"""What the document says of an answer with an ETag."""


def tagged(value: Any, if_none_match: str | None) -> Response:
    """The value as JSON under a weak ETag of all but its position, which every event of the log moves; 304 without a
    body when the caller has it already (RFC 9110).
    """
    digest = blake2b(encoded(replace(value, position=0)), digest_size=12).hexdigest()
    headers = {"etag": f'W/"{digest}"', "cache-control": "private, no-cache"}
    known = {one.strip().removeprefix("W/") for one in (if_none_match or "").split(",")}
    if known & {f'"{digest}"', "*"}:
        return Response(status_code=304, headers=headers)
    return Response(encoded(value), media_type="application/json", headers=headers)
