"""Evidence packs of the recorded evening, signed with a key of the tests, and checking them."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from adapters.codec import CODEC
from adapters.signing import Signer
from api.main.pack_check import check_document
from domain.chain import GENESIS, RawEvent, link
from domain.ids import stream_operator
from services.evidence.checking import PackChecked
from services.evidence.form import digest
from services.evidence.making import Around, Linked, in_order, pack_of, signed
from services.evidence.pack import PACK, SIGNED_AS, PackMade, PackPart
from services.ports import Recorded
from tests.support.evening import evening
from tests.support.replayed import stories_of

SIGNER = Signer(hashlib.sha256(b"a key of the tests").digest())
OTHER = Signer(hashlib.sha256(b"another key of the tests").digest())
Document = dict[str, Any]


def chained(events: Sequence[Recorded]) -> list[Linked]:
    """A log in memory with the bytes and hashes that a store would give it."""
    found, previous, counts = [], GENESIS, {}
    for one in events:
        operator = stream_operator(one.stream)
        counts[operator] = sequence = counts.get(operator, 0) + 1
        name, state = CODEC.encode(one.event, one.meta, one.entry, one.recorded_at)
        hashed = link(
            previous, stream=one.stream, version=one.version, name=name, position=one.position, sequence=sequence,
            state=state,
        )  # fmt: skip
        raw = RawEvent(one.position, one.stream, one.version, name, state, operator, sequence, hashed)
        found.append(Linked(raw, previous))
        previous = hashed
    return found


def packs_of(events: Sequence[Recorded], signer: Signer = SIGNER) -> dict[str, Document]:
    """The pack of every round of a log."""
    links = {one.raw.position: one for one in chained(events)}
    found = {}
    for story in stories_of(events):
        own = [links[position] for position in story.positions]
        before = {one.raw.position - 1: one.previous for one in own}
        made = PackMade("2026-11-30T13:00:00.000000Z", "auditor", "0.1.0", len(links))
        around = Around(made, PackPart(story.players, True, None), 2)
        whole = in_order(story, [one.raw for one in own], before.get)
        found[story.round] = signed(pack_of(story, whole, around), signer)
    return found


@cache
def _evening_packs() -> dict[str, str]:
    packs = packs_of(evening().events)
    return {name: json.dumps(packs[round_id]) for name, round_id in evening().rounds.items()}


def pack(name: str) -> Document:
    """The pack of a round of the evening."""
    found: Document = json.loads(_evening_packs()[name])
    return found


def signed_again(document: Document, signer: Signer = SIGNER) -> Document:
    """The document with a signature over what it says now."""
    made = {**copy.deepcopy(document), "key": signer.public}
    said = {"type": PACK, "operator": made.get("operator"), "round": made.get("round"), "sha256": digest(made)}
    return {**made, "signature": signer.sign(said, SIGNED_AS)}


def checked(document: Document, trusted: Sequence[Signer] | None = (SIGNER,)) -> PackChecked:
    """All checks; Invalid where it has not the form of a pack."""
    return check_document(document, None if trusted is None else [one.public for one in trusted])


def failed(document: Document) -> dict[str, str]:
    """What does not hold, by the check."""
    return {one.name: one.reason for one in checked(document).checks if one.reason is not None}


Path = tuple[str | int, ...]


def leaves(value: Any, at: Path = ()) -> Iterator[Path]:
    """The places of all values that are no objects and lists; of those that are empty too."""
    if isinstance(value, dict | list) and value:
        for name, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(one, (*at, name))
    else:
        yield at


def changed(document: Document, at: Path) -> Document:
    """A copy in which the value at a place is another one of its kind."""
    made = copy.deepcopy(document)
    place: Any = made
    for name in at[:-1]:
        place = place[name]
    place[at[-1]] = _other(place[at[-1]])
    return made


def _other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if value.isdigit():
            return str(int(value) + 1)
        case str():
            return ("b" if value[:1] == "a" else "a") + value[1:]
        case None:
            return "x"
        case _:
            return [*value, "x"] if isinstance(value, list) else {**value, "x": 1}
