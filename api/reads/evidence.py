"""Evidence of a round in one signed document, and the keys that sign it (R26)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

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
from services.queries.evidence import EvidencePage, ended_at, evidence_page, round_until
from services.sealing import DayRound


class PublicKey(BaseModel):
    """An Ed25519 public key as a JWK (RFC 7517, RFC 8037); `kid` is its thumbprint (RFC 7638)."""

    kty: str = Field(examples=["OKP"])
    crv: str = Field(examples=["Ed25519"])
    x: str
    kid: str


class PublicKeys(BaseModel):
    """A JWK set: of packs the key in use first, then those of before; then those of anchors and sealed days."""

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
        found = await evidence_page(reads, who.operator, round, turn, min_position=query.min_position)
        return _json(await made_pack(reads, evidence, who.subject, found))

    @made.get(
        "/evidence/keys",
        operation_id="get_evidence_keys",
        response_model=PublicKeys,
        summary="The public keys that evidence packs, anchors and sealed days are signed with",
    )
    async def keys(_who: Anyone, _query: Annotated[Plain, Query()]) -> Response:
        own = [one.public for one in evidence.signers]
        others = [] if evidence.outside is None else await asyncio.to_thread(evidence.outside.keys)
        return _json({"keys": [dict(one) for one in {one["kid"]: one for one in (*own, *others)}.values()]})

    return made


async def made_pack(reads: Reads, evidence: Evidence, subject: str, found: EvidencePage) -> dict[str, Any]:
    """The signed pack, with what is known outside the database. Worked out in a thread: wagers that this process takes
    do not wait for it.
    """
    story = found.page.story
    ended = None if evidence.outside is None else ended_at(story)
    own = None
    if evidence.outside is not None and ended is not None:
        until = await asyncio.to_thread(evidence.outside.sealed_until, story.operator, ended)
        own = None if until is None else await round_until(reads, story.operator, story.round, until)
    return await asyncio.to_thread(lambda: _signed(reads, evidence, subject, found, _Ended(ended, own)))


class _Ended(NamedTuple):
    """When the round ended, and its part in the day that is sealed."""

    at: datetime | None
    own: DayRound | None


def _signed(reads: Reads, evidence: Evidence, subject: str, found: EvidencePage, ended: _Ended) -> dict[str, Any]:
    page, outside = found.page, evidence.outside
    story, positions = page.story, page.story.positions
    anchors = None if outside is None else outside.anchors(positions[0], positions[-1])
    proof = None
    if outside is not None and ended.at is not None and ended.own is not None:
        proof = outside.day_proof(story.operator, ended.at, ended.own)
    made = PackMade(time_text(reads.clock.now()), subject, evidence.software_version, page.position)
    part = PackPart(story.players, page.is_first, page.next)
    around = Around(made, part, reads.exponent(story.opened.terms.currency), proof, anchors)
    return signed(pack_of(story, found.links, around), evidence.signers[0])


def _json(value: Mapping[str, Any]) -> Response:
    return Response(encoded(value), media_type="application/json")
