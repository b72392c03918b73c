"""A pack out of the story of a round and its stored events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from domain.chain import RawEvent
from domain.errors import Unavailable, WrongPhase
from domain.frozen import dataclass
from domain.rounds.events import CardsCorrected, OpenedCards, RoundCancelled, RoundVoided, ShowdownHeld
from domain.rounds.scans import ScansOpened
from domain.views.model import time_text
from services.evidence import pack as p
from services.evidence.form import digest, plain
from services.ports import Recorded
from services.replay.replay import replay
from services.replay.steps import Step
from services.replay.story import RoundStory
from services.sealing import DayRound

NO_KEY: Final = "no key signs evidence packs here: set STUDBOOK_EVIDENCE_KEY"
"""Why no pack is made."""


_ALIKE: Final = (
    "operator", "round", "game_number", "table", "currency", "exponent", "jackpot", "phase", "opened_at", "ruleset",
    "ruleset_hash", "software_version", "build", "settlements", "voids", "equal", "compared", "differences_count",
    "differences",
)  # fmt: skip
"""What a pack says as a replay does."""


class Signs(Protocol):
    """Signs with a key that is not in the database."""

    @property
    def public(self) -> Mapping[str, str]:
        """The public JWK."""

    def sign(self, payload: Mapping[str, object], kind: str) -> str:
        """The signed payload (JWS, compact); `kind` is the `typ` of its header."""


class Outside(Protocol):
    """What lies outside the database: anchors of the log, and seals of gaming days."""

    def keys(self) -> Sequence[Mapping[str, str]]:
        """The public keys that both are signed with, JWKs."""

    def anchors(self, first: int, last: int) -> p.PackAnchors | None:
        """The last anchor before position `first` and the first at `last` or past it; None where there is neither."""

    def sealed_until(self, operator: str, ended: datetime) -> int | None:
        """The last position of the day in which a round ended, when it is sealed and can be proved from; None: not."""

    def day_proof(self, operator: str, ended: datetime, own: DayRound) -> Mapping[str, Any] | None:
        """The proof that the day's seal holds the round with these events; None where it does not."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A stored event and the hash before it."""

    raw: RawEvent
    previous: bytes


@dataclass(frozen=True, slots=True)
class Around:
    """What a pack says beside the events: who made it, which part of the round it is, the proof of the day, anchors."""

    made: p.PackMade
    part: p.PackPart
    exponent: int
    day_proof: Mapping[str, Any] | None = None
    anchors: p.PackAnchors | None = None


def require_opened(story: RoundStory) -> None:
    """WrongPhase while there are cards that nobody may see yet (F32): evidence shows all or nothing."""
    if not any(isinstance(one.event, ShowdownHeld | RoundVoided | RoundCancelled) for one in story.recorded):
        raise WrongPhase("its cards are not open yet: evidence is given from the showdown on", field="round")


def pack_of(story: RoundStory, links: Sequence[Linked], around: Around) -> p.Pack:
    """The pack, still without key and signature. Pure: the same story gives the same pack."""
    told = replay(story, around.exponent, around.made.position)
    alike = {name: getattr(told, name) for name in _ALIKE}
    return p.Pack(
        **alike,
        type=p.PACK,
        made=around.made,
        part=around.part,
        cards=_cards(story),
        commands=_commands(story),
        steps=tuple(map(_step, told.steps)),
        shown=tuple(_shown(told.steps)),
        postings=tuple(_postings(told.steps)),
        meter=tuple(p.PackPoolMove(one.position, one.meter) for one in told.steps if one.meter is not None),
        pool_terms=story.terms_at_close,
        chain=tuple(map(_link, links)),
        day_proof=around.day_proof,
        anchors=around.anchors,
        key={},
        signature="",
    )


def signed(unsigned: p.Pack, signer: Signs) -> dict[str, Any]:
    """The pack as JSON, with key and signature."""
    document: dict[str, Any] = {**plain(unsigned), "key": dict(signer.public)}
    document["signature"] = signer.sign(
        {"type": p.PACK, "operator": unsigned.operator, "round": unsigned.round, "sha256": digest(document)},
        p.SIGNED_AS,
    )
    return document


def in_order(story: RoundStory, found: Sequence[RawEvent], before: Callable[[int], bytes | None]) -> list[Linked]:
    """The stored events of a story with the hashes before them. Unavailable where one is not found."""
    links = []
    hashes = {one.position: one.hash for one in found}
    for raw in sorted(found):
        previous = hashes.get(raw.position - 1) or before(raw.position - 1)
        if previous is None:
            raise Unavailable(f"the hash before position {raw.position} cannot be read")
        links.append(Linked(raw, previous))
    if tuple(one.raw.position for one in links) != story.positions:
        raise Unavailable("the log cannot be read whole")
    return links


def _cards(story: RoundStory) -> p.PackCards:
    opened, scans = _opened(story), story.last_of(ScansOpened)
    return p.PackCards(
        source=story.opened.terms.card_source.value,
        commitment=story.opened.commitment,
        salt=(opened.salt or None) if opened is not None else None,
        deck=() if opened is None else opened.deck,
        dealer=() if opened is None else opened.dealer,
        player=() if opened is None else opened.shared,
        seats=() if opened is None else tuple(p.PackSeatHand(one.seat, one.cards) for one in opened.seats),
        scans=() if scans is None else scans.cards,
        misread=() if scans is None else scans.misread,
    )


def _opened(story: RoundStory) -> OpenedCards | None:
    """The cards that the round was settled on last; a correction has no deck, the showdown's stays."""
    found: OpenedCards | None = None
    for one in story.recorded:
        match one.event:
            case ShowdownHeld(cards=cards):
                found = cards
            case RoundVoided(cards=cards) | RoundCancelled(cards=cards) if cards is not None:
                found = cards
            case CardsCorrected(cards=cards) if found is not None:
                found = OpenedCards(found.deck, found.salt, cards.dealer, cards.shared, cards.seats)
    return found


def _commands(story: RoundStory) -> tuple[p.PackCommand, ...]:
    positions: dict[str, list[int]] = {}
    first: dict[str, Recorded] = {}
    for one in story.recorded:
        positions.setdefault(one.meta.causation, []).append(one.position)
        first.setdefault(one.meta.causation, one)
    return tuple(
        p.PackCommand(
            command=name,
            at=time_text(first[name].recorded_at),
            effective_at=time_text(first[name].meta.effective_at),
            actor=first[name].meta.actor,
            key_id=first[name].meta.key_id,
            request_id=first[name].meta.request_id,
            idempotency_key=first[name].meta.idempotency_key,
            positions=tuple(found),
        )
        for name, found in positions.items()
    )


def _step(one: Step) -> p.PackStep:
    return p.PackStep(
        one.position, one.event, one.command, one.entry, one.player, one.seat, one.decided_by, one.text, one.wagers
    )


def _shown(steps: Sequence[Step]) -> list[p.PackShown]:
    return [p.PackShown(step.position, step.at, it.to, it.hand, it.cards) for step in steps for it in step.cards]


def _postings(steps: Sequence[Step]) -> list[p.PackPosting]:
    return [
        p.PackPosting(
            step.position, step.command, step.entry, line.account, line.currency, line.amount_micro, line.balance_micro
        )
        for step in steps
        for line in step.lines
    ]


def _link(one: Linked) -> p.PackLink:
    raw = one.raw
    return p.PackLink(
        position=raw.position,
        stream=raw.stream,
        version=raw.version,
        name=raw.name,
        sequence=raw.sequence,
        previous=one.previous.hex(),
        stored=bytes(raw.state).decode(),
        hash=bytes(raw.hash).hex(),
    )
