"""The anchors in a pack: whose they are, that the round lies between them, and whether they hold hashes of its chain.

An anchor says that the log had a hash at a position when it was noted. By itself it says nothing of what lies between
two such positions: that takes the log, held against the anchors by `studbook verify`. Where an anchor's position is
that of an event of the round, or of the one before it, its hash must be the one that stands in the pack.
"""

from __future__ import annotations

from domain.anchors import Noted, digest, from_payload, own_hashes
from domain.errors import Invalid
from services.evidence import pack as p
from services.sealing import Read


def check_anchors(said: p.Pack, read: Read) -> int | None:
    """How many hashes of the chain the anchors hold; None when there is no anchor. Invalid for what does not hold."""
    if said.anchors is None or (said.anchors.before is None and said.anchors.after is None):
        return None
    if not said.chain:
        raise Invalid("it has no events", field="chain")
    before = _noted(said.anchors.before, read, "anchors.before")
    after = _noted(said.anchors.after, read, "anchors.after")
    if before is not None and before.position >= said.chain[0].position:
        raise Invalid("it is not from before the round", field="anchors.before")
    if after is not None and after.position < said.chain[-1].position:
        raise Invalid("it is not from after the round", field="anchors.after")
    if before is not None and after is not None:
        _in_row(before, after, said.anchors.before)
    return sum(_held(said, one) for one in (before, after) if one is not None)


def _noted(one: p.PackAnchor | None, read: Read, field: str) -> Noted | None:
    if one is None:
        return None
    try:
        return from_payload(read(one.signed, one.key))
    except Invalid as fault:
        raise Invalid(fault.detail, field=f"{field}.{fault.field}") from None
    except ValueError as fault:
        raise Invalid(str(fault), field=field) from None


def _in_row(before: Noted, after: Noted, signed: p.PackAnchor | None) -> None:
    """Of two that follow one another the later names the one before."""
    is_next = after.number == before.number + 1
    if after.number <= before.number or after.position <= before.position:
        raise Invalid("it does not come after the one before", field="anchors.after")
    if is_next and signed is not None and after.previous != digest(signed.signed):
        raise Invalid("it names another anchor before it", field="anchors.after")


def _held(said: p.Pack, noted: Noted) -> int:
    """How many of the chain's hashes it holds. Invalid where it holds another one."""
    try:
        known = own_hashes(noted)
    except ValueError as fault:
        raise Invalid(str(fault), field="anchors") from None
    count = 0
    for nth, one in enumerate(said.chain):
        for position, hashed, name in (
            (one.position, one.hash, "hash"), (one.position - 1, one.previous, "previous"),
        ):  # fmt: skip
            if known.get(position, hashed) != hashed:
                raise Invalid(f"an anchor has another hash at position {position}", field=f"chain[{nth}].{name}")
            count += position in known and (name == "hash" or _stands_alone(said, nth))
    return count


def _stands_alone(said: p.Pack, nth: int) -> bool:
    """Whether the event before is not in the pack, so that its hash stands only here."""
    return nth == 0 or said.chain[nth - 1].position != said.chain[nth].position - 1
