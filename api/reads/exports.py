"""Exports as they are made, and their files."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from api.auth import Principal
from api.door import address_of
from api.problems import REQUEST_ID
from api.reads.common import Books, Id, IfNoneMatch, Readers, answer
from services.exports.desk import ExportAnswer
from services.exports.kinds import MEDIA, Format
from services.keys import Caller

FILE: Final = "/v1/exports/{export}/file"

_FILE: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The file",
        "content": {
            kind: {
                "schema": {"type": "object"} if kind == MEDIA[Format.JSON] else {"type": "string", "format": "binary"}
            }
            for kind in ("application/octet-stream", *(one.partition(";")[0] for one in MEDIA.values()))
        },
        "headers": {
            "ETag": {"description": "Its SHA-256", "schema": {"type": "string"}},
            "Content-Disposition": {"description": "Its name", "schema": {"type": "string"}},
        },
    },
    304: {"description": "It is the file that you have"},
}


class Nothing(BaseModel):
    """No parameters."""

    model_config = ConfigDict(extra="forbid")


def caller(who: Principal, request: Request, route: str) -> Caller:
    """Who asks, for the desk and the access log."""
    scope = request.scope
    return Caller(
        who.operator, who.subject, who.key_id, who.roles, address_of(scope), scope.get(REQUEST_ID), route
    )  # fmt: skip


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["exports"])
    desk = readers.exports

    @made.get(
        "/exports/{export}", operation_id="get_export", response_model=ExportAnswer, summary="How far an export is"
    )
    async def one(who: Books, export: Id, request: Request, _: Annotated[Nothing, Query()]) -> Response:
        return answer(await desk.read(caller(who, request, "/v1/exports/{export}"), export))

    @made.get(
        "/exports/{export}/file",
        operation_id="get_export_file",
        response_class=Response,
        responses=_FILE,
        summary="The file of an export that is done",
    )
    async def file(
        who: Books, export: Id, request: Request, _: Annotated[Nothing, Query()], if_none_match: IfNoneMatch = None
    ) -> Response:
        found = await desk.file(caller(who, request, FILE), export)
        headers = {
            "etag": f'"{found.sha256}"',
            "cache-control": "private, no-cache",
            "content-disposition": f'attachment; filename="{found.name}"',
        }
        if {one.strip() for one in (if_none_match or "").split(",")} & {f'"{found.sha256}"', "*"}:
            return Response(status_code=304, headers=headers)
        headers |= {"content-length": str(found.size), "x-content-type-options": "nosniff"}
        media = MEDIA[Format(found.format)]
        return StreamingResponse(found.chunks, media_type=media, headers=headers)

    return made
