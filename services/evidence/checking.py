"""An evidence pack checked by itself: no database, no network, nothing that whoever made it could have left out.

What the pack says is worked out again from the stored events in it; only then are those held against their hashes,
the cards against what was promised, the payouts against the second settlement, and the whole against the sealed day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any, Final

from domain.chain import link
from domain.errors import Invalid, Refusal
from domain.frozen import dataclass
from domain.ids import round_stream, seat_prefix, stream_kind, stream_operator
from domain.rules import ruleset_hash
from domain.seals import HASH_BYTES
from domain.variants import ruleset
from services.evidence import pack as p
from services.evidence.anchored import check_anchors
from services.evidence.form import differing, digest, plain
from services.evidence.making import Around, Linked, pack_of
from services.evidence.stored import own, raw_of
from services.ports_reads import NamedEvent
from services.replay.sheet import Difference
from services.replay.story import RoundStory, story_of
from services.sealing import Read, check_proof

CHECKS: Final[Mapping[str, str]] = {
    "signature": "the signature is over this pack, by the key that stands in it",
    "hashes": "each event's hash follows from its stored bytes and the hash before it",
    "streams": "no event of the round and its seats is left out, none is of another round",
    "record": "everything that the pack says follows from its events",
    "ruleset": "the rule set of that name has this hash",
    "cards": "the cards are those committed to, scanned and dealt",
    "settlement": "every payout is that of the second settlement",
    "meter": "contributions, prizes and meter moves are those of the second settlement",
    "postings": "the postings of every entry sum to zero",
    "day": "the sealed day holds this round with these events",
    "anchors": "signed anchors from before and after the round hold no other hash at its positions",
}
"""What is checked, in this order."""

_BESIDE: Final = ("day_proof", "anchors", "key", "signature")
_NAMED_MOST: Final = 5
_OF_METER: Final = frozenset({"POOL", "CONTRIBUTION", "PROGRESSIVE"})


@dataclass(frozen=True, slots=True)
class Check:
    """A check with what does not hold; `reason` None: it holds. `done` False: there was nothing to check."""

    name: str
    reason: str | None = None
    done: bool = True


@dataclass(frozen=True, slots=True)
class PackChecked:
    """What was checked of a pack. `key` names the public key that signed it."""

    operator: str
    round: str
    players: int
    events: int
    compared: int
    key: str
    checks: tuple[Check, ...]
    anchored: int = 0
    """How many of its hashes the anchors in it hold."""

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return all(one.reason is None for one in self.checks)


@dataclass(frozen=True, slots=True)
class Means:
    """How signatures of packs, of seals and of anchors are read, stored events decoded, decimals of a currency known.

    Each raises a Refusal for what it cannot do.
    """

    read: Read
    read_seal: Read
    read_anchor: Read
    decode: Callable[[int, str, int, str, bytes], NamedEvent]
    exponent: Callable[[str], int]


def check_pack(said: p.Pack, document: Mapping[str, Any], means: Means) -> PackChecked:
    """Every check. `document` is the JSON that `said` was read from: the signature is over that."""
    found, unread = None, ""
    try:
        found = _again(said, means)
    except Refusal as fault:
        unread = f"it cannot be worked out again: {fault.detail}"
    checks = []
    for name in CHECKS:
        try:
            if name in _FROM_EVENTS and found is None:
                raise Invalid(unread)
            is_done = _CHECKS[name](said, found, document, means) is not False
            checks.append(Check(name, None, is_done))
        except Refusal as fault:
            checks.append(Check(name, f"{fault.field}: {fault.detail}" if fault.field else fault.detail))
    key = str(said.key.get("kid"))
    made = (said.operator, said.round, len(said.part.players), len(said.chain), said.compared, key, tuple(checks))
    hold = checks[-1].reason is None
    return PackChecked(*made, (check_anchors(said, means.read_anchor) or 0) if hold else 0)


@dataclass(frozen=True, slots=True)
class _Found:
    """What follows from the events."""

    story: RoundStory
    pack: p.Pack


def _again(said: p.Pack, means: Means) -> _Found:
    raws = [raw_of(one, nth) for nth, one in enumerate(said.chain)]
    events = [means.decode(one.position, one.stream, one.version, one.name, one.state) for one in raws]
    story = story_of(said.operator, said.round, events, said.pool_terms)
    links = [Linked(raw, _hash(one.previous, "previous")) for raw, one in zip(raws, said.chain, strict=True)]
    part = replace(said.part, players=story.players)
    try:
        made = pack_of(story, links, Around(said.made, part, means.exponent(story.opened.terms.currency)))
    except Exception as fault:  # whatever events that are none of ours do to a replay is a finding about them
        raise Invalid(f"its events make no round ({type(fault).__name__})", field="chain") from None
    return _Found(story, replace(made, **{name: getattr(said, name) for name in _BESIDE}))


def _hash(text: str, field: str) -> bytes:
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if len(found) != HASH_BYTES or found.hex() != text:
        raise Invalid("it is no hash", field=field)
    return found


def _signature(said: p.Pack, _: object, document: Mapping[str, Any], means: Means) -> None:
    signed = means.read(said.signature, said.key)
    expected = {"type": p.PACK, "operator": said.operator, "round": said.round, "sha256": digest(document)}
    if signed != expected:
        raise Invalid("the pack is not what was signed", field="signature")


def _hashes(said: p.Pack, *_: object) -> None:
    for nth, one in enumerate(said.chain):
        raw, previous = raw_of(one, nth), _hash(one.previous, f"chain[{nth}].previous")
        made = link(
            previous,
            stream=raw.stream,
            version=raw.version,
            name=raw.name,
            position=raw.position,
            sequence=raw.sequence,
            state=raw.state,
        )
        if made.hex() != one.hash:
            raise Invalid(f"position {one.position}: its hash is another one", field=f"chain[{nth}].hash")
    for nth, (before, after) in enumerate(pairwise(said.chain), start=1):
        is_next = after.position == before.position + 1
        if is_next and (after.previous, after.sequence) != (before.hash, before.sequence + 1):
            raise Invalid(f"position {after.position}: it does not follow the one before", field=f"chain[{nth}]")


def _streams(said: p.Pack, found: _Found, *_: object) -> None:
    positions = tuple(one.position for one in said.chain)
    if positions != found.story.positions:
        raise Invalid("it holds what is not of this round, or not in order", field="chain")
    stream, seats = round_stream(said.operator, said.round), seat_prefix(said.operator, said.round)
    versions: Counter[str] = Counter()
    for nth, one in enumerate(said.chain):
        if stream_operator(one.stream) != said.operator:
            raise Invalid(f"position {one.position} is another operator's", field=f"chain[{nth}].stream")
        if own(one.stream) and one.stream != stream and not one.stream.startswith(seats):
            raise Invalid(f"position {one.position} is another round's", field=f"chain[{nth}].stream")
        if own(one.stream):
            versions[one.stream] += 1
            if one.version != versions[one.stream]:
                raise Invalid(f"version {versions[one.stream]} of {one.stream} is missing", field=f"chain[{nth}]")
        elif stream_kind(one.stream) not in {"wallet", "jackpot", "table"}:
            raise Invalid(f"{one.stream} is no stream that a round has events in", field=f"chain[{nth}].stream")


def _record(said: p.Pack, found: _Found, *_: object) -> None:
    places = list(islice(differing(plain(said), plain(found.pack)), _NAMED_MOST + 1))
    if places:
        more = " and more" if len(places) > _NAMED_MOST else ""
        raise Invalid(f"{', '.join(places[:_NAMED_MOST])}{more}: the events say something else")


def _ruleset(said: p.Pack, *_: object) -> None:
    if ruleset_hash(ruleset(said.ruleset)) != said.ruleset_hash:
        raise Invalid(f"{said.ruleset} as it is published here has another hash", field="ruleset_hash")


def _differs(found: _Found, is_meant: Callable[[Difference], bool]) -> None:
    for one in found.pack.differences:
        if is_meant(one):
            whose = f" of {one.player}" if one.player else ""
            raise Invalid(
                f"position {one.position}: {one.kind} {one.what}{whose} is {one.recorded!r}, not {one.expected!r}"
            )


def _cards(_: p.Pack, found: _Found, *__: object) -> None:
    _differs(found, lambda one: one.kind == "CARDS")


def _settlement(_: p.Pack, found: _Found, *__: object) -> None:
    _differs(found, lambda one: one.kind != "CARDS" and one.kind not in _OF_METER)
    if not found.pack.equal and not found.pack.differences:
        raise Invalid(f"{found.pack.differences_count} values differ")


def _meter(said: p.Pack, found: _Found, *_: object) -> bool:
    _differs(found, lambda one: one.kind in _OF_METER)
    return said.jackpot is not None


def _postings(said: p.Pack, *_: object) -> None:
    sums: Counter[tuple[str, int, str]] = Counter()
    for nth, one in enumerate(said.postings):
        try:
            sums[one.command, one.entry, one.currency] += int(one.amount_micro)
        except ValueError:
            raise Invalid("it is no number", field=f"postings[{nth}].amount_micro") from None
    for (command, entry, currency), total in sums.items():
        if total:
            raise Invalid(f"entry {entry} of command {command} is out of balance by {total} micro-units of {currency}")


def _day(said: p.Pack, _: object, __: object, means: Means) -> bool:
    if said.day_proof is None:
        return False
    checked = check_proof(said.day_proof, means.read_seal)
    inclusion, seal = said.day_proof["inclusion"], said.day_proof["seal"]
    if (checked.operator, checked.round) != (said.operator, said.round):
        raise Invalid("it is of another round", field="day_proof.inclusion")
    proved = {one["position"]: one["hash"] for one in inclusion["events"]}
    held = {one.position: one.hash for one in _own_until(said, int(seal["position"]))}
    is_whole = said.part.first and said.part.next is None
    if any(proved.get(position) != one for position, one in held.items()) or (is_whole and held != proved):
        raise Invalid("it is over other events", field="day_proof.inclusion.events")
    return True


def _anchors(said: p.Pack, _: object, __: object, means: Means) -> bool:
    return check_anchors(said, means.read_anchor) is not None


def _own_until(said: p.Pack, position: int) -> Iterator[p.PackLink]:
    return (one for one in said.chain if own(one.stream) and one.position <= position)


_CHECKS: Final[Mapping[str, Callable[[p.Pack, Any, Mapping[str, Any], Means], bool | None]]] = {
    "signature": _signature,
    "hashes": _hashes,
    "streams": _streams,
    "record": _record,
    "ruleset": _ruleset,
    "cards": _cards,
    "settlement": _settlement,
    "meter": _meter,
    "postings": _postings,
    "day": _day,
    "anchors": _anchors,
}
_FROM_EVENTS: Final = frozenset({"streams", "record", "cards", "settlement", "meter"})
