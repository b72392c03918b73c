"""Checking an evidence pack: its form, and what the checks of a pack need of adapters. No database, no network."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

import orjson
from pydantic import TypeAdapter, ValidationError

from adapters.event_store.rounds import UnreadableStory, named
from adapters.signing import PublicKey
from api.fields import exponent_of
from api.main.signed import read_signed
from domain.anchors import KIND as ANCHOR
from domain.errors import Invalid, Refusal
from services.evidence.checking import Means, PackChecked, check_pack
from services.evidence.pack import SIGNED_AS, Pack
from services.ports_reads import NamedEvent

_PACK: Final = TypeAdapter(Pack)


def check_document(document: Mapping[str, Any], trusted: Collection[PublicKey] | None) -> PackChecked:
    """Every check of a pack. Invalid names the first field that has not the form of one."""
    try:
        said = _PACK.validator.validate_json(orjson.dumps(document), strict=True, extra="forbid")
    except (ValidationError, TypeError) as fault:  # TypeError: a number or text that is none of JSON
        raise _malformed(fault) from None
    read, read_anchor = read_signed(trusted, SIGNED_AS), read_signed(trusted, ANCHOR)
    means = Means(read, read_signed(trusted), read_anchor, _decoded, exponent_of)
    return check_pack(said, document, means)


def _malformed(fault: ValidationError | TypeError) -> Refusal:
    if isinstance(fault, TypeError):
        return Invalid("it holds what JSON has no form for", field="schema")
    first = fault.errors(include_url=False, include_input=False, include_context=False)[0]
    return Invalid(first["msg"], field=".".join(map(str, first["loc"])) or "schema")


def _decoded(position: int, stream: str, version: int, name: str, state: bytes) -> NamedEvent:
    try:
        return named((position, stream, version, name, state))
    except (UnreadableStory, ValueError, LookupError) as fault:
        raise Invalid(" ".join(str(fault).split()), field="chain") from None
