"""Stored events as they stand in a pack."""

from __future__ import annotations

from typing import Final

from domain.chain import RawEvent
from domain.errors import Invalid
from domain.ids import stream_kind, stream_operator
from services.evidence.pack import PackLink

_NUMBERS: Final = 2**63


def own(stream: str) -> bool:
    """Whether a stream belongs to one round alone: its own, or that of a seat."""
    return stream_kind(stream) in {"round", "seat"}


def raw_of(one: PackLink, nth: int) -> RawEvent:
    """The event of a pack's line. Invalid names what is no part of one."""
    try:
        if not all(0 < number < _NUMBERS for number in (one.position, one.version, one.sequence)):
            raise ValueError
        operator = stream_operator(one.stream)
        state, hashed = one.stored.encode(), bytes.fromhex(one.hash)
    except (ValueError, IndexError):
        raise Invalid("it is no stored event", field=f"chain[{nth}]") from None
    return RawEvent(one.position, one.stream, one.version, one.name, state, operator, one.sequence, hashed)
