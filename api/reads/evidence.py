"""Evidence of a round in one signed document, and the keys that sign it (R26)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from api.encoding import encoded
from api.reads.common import Anyone, Auditors, Evidence, Id, Plain, Readers
from api.reads.replays import SeatsQuery
from domain.errors import Unavailable
from domain.views.model import time_text
from services.evidence.making import NO_KEY, Around, pack_of, signed
from services.evidence.pack import Pack, PackMade, PackPart
from services.queries import Reads, Turn
from services.queries.evidence import EvidencePage, evidence_page


class PublicKey(BaseModel):
    """An Ed25519 public key as a JWK (RFC 7517, RFC 8037); `kid` is its thumbprint (RFC 7638)."""

    kty: str = Field(examples=["OKP"])
    crv: str = Field(examples=["Ed25519"])
    x: str
    kid: str


class PublicKeys(BaseModel):
    """A JWK set: the key in use first, then those that signed before."""

    keys: list[PublicKey]


def router(readers: Readers) -> APIRouter:
    """The reads of this resource."""
    made = APIRouter(prefix="/v1", tags=["audit"])
    reads, evidence = readers.reads, readers.evidence

    @made.get(
        "/rounds/{round}/evidence",
        operation_id="get_round_evidence",
        response_model=Pack,
        summary="The evidence of a round: one signed document that is checked without us",
    )
    async def of_round(who: Auditors, round: Id, query: Annotated[SeatsQuery, Query()]) -> Response:
        if not evidence.signers:
            raise Unavailable(NO_KEY)
        turn = Turn(query.limit, query.cursor)
        found = await evidence_page(reads, evidence.hashes, who.operator, round, turn, min_position=query.min_position)
        return await asyncio.to_thread(lambda: _answer(reads, evidence, who.subject, found))

    @made.get(
        "/evidence/keys",
        operation_id="get_evidence_keys",
        response_model=PublicKeys,
        summary="The public keys that evidence packs are signed with",
    )
    async def keys(_who: Anyone, _query: Annotated[Plain, Query()]) -> Response:
        return _json({"keys": [dict(one.public) for one in evidence.signers]})

    return made


def _answer(reads: Reads, evidence: Evidence, subject: str, found: EvidencePage) -> Response:
    """Worked out in a thread: wagers that this process takes do not wait for it."""
    page = found.page
    made = PackMade(time_text(reads.clock.now()), subject, evidence.software_version, page.position)
    part = PackPart(page.story.players, page.is_first, page.next)
    around = Around(made, part, reads.exponent(page.story.opened.terms.currency))
    return _json(signed(pack_of(page.story, found.links, around), evidence.signers[0]))


def _json(value: Mapping[str, Any]) -> Response:
    return Response(encoded(value), media_type="application/json")
