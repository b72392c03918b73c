"""Evidence: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Any

from ..answer import Answer
from .audit_shown import (
    ComparedSettlement,
    Difference,
    LaidCard,
    MeterMove,
    MisreadCard,
    PoolTerms,
    StepWager,
    VoidedSeat,
)


class PackAnchor(Answer):
    """A line of the file of anchors (a JWS), and the public key that it is signed with."""

    signed: str
    key: dict[str, str]


class PackAnchors(Answer):
    """The last anchor before the pack's first event, and the first at its last event or past it; None: there is
    none (yet). They say how far the log was, and its hash there, outside the database.
    """

    before: PackAnchor | None
    after: PackAnchor | None


class PackSeatHand(Answer):
    """The five cards of a seat, in the order dealt."""

    seat: int
    cards: list[str]


class PackCards(Answer):
    """The cards as the round's end opened them; `scans` and `misread` where a studio scanned them one by one."""

    source: str
    commitment: str | None
    salt: str | None
    deck: list[str]
    dealer: list[str]
    player: list[str]
    seats: list[PackSeatHand]
    scans: list[LaidCard]
    misread: list[MisreadCard]


class PackCommand(Answer):
    """A command, by its id, with the positions of the round's events that it caused."""

    command: str
    at: str
    effective_at: str
    actor: str
    key_id: str
    request_id: str
    idempotency_key: str | None
    positions: list[int]


class PackLink(Answer):
    """An event as it is stored. `hash` is SHA-256 over `previous`, `stream`, `version`, `name`, `position`,
    `sequence` and the UTF-8 bytes of `stored`, each with its length in front (domain/chain.py).
    """

    position: int
    stream: str
    version: int
    name: str
    sequence: int
    previous: str
    stored: str
    hash: str


class PackMade(Answer):
    """When the pack was made and by whom, by which software, and how far the log was read."""

    at: str
    by: str
    software_version: str
    position: int


class PackPart(Answer):
    """The players whose seats are in the pack. `next` is the cursor of the pack with the next ones, None: no more."""

    players: list[str]
    first: bool
    next: str | None


class PackPoolMove(Answer):
    """What an event did to the round's pool."""

    position: int
    move: MeterMove


class PackPosting(Answer):
    """One line of the ledger in micro-units; those of one `command` and `entry` sum to zero by currency."""

    position: int
    command: str
    entry: int
    account: str
    currency: str
    amount_micro: str
    balance_micro: str | None


class PackShown(Answer):
    """Cards that became visible: when, and to whom (ALL, STUDIO, or a player)."""

    position: int
    at: str
    to: str
    hand: str
    cards: list[str | None]


class PackStep(Answer):
    """An event told: who decided (PLAYER, SYSTEM, STAFF; None where nothing was decided), which seat, in words."""

    position: int
    event: str
    command: str
    entry: int
    player: str | None
    seat: int | None
    decided_by: str | None
    text: str
    wagers: list[StepWager]


class Pack(Answer):
    """The evidence of a round, or of the round and some of its seats. Amounts are minor units where their names do
    not say micro-units. `equal`: all of `compared` values that the second settlement gives are as recorded.
    `day_proof` is null until the day is sealed; `anchors` is null where none are known, and packs of before may
    lack it.
    """

    type: str
    operator: str
    round: str
    game_number: str
    table: str
    currency: str
    exponent: int
    jackpot: str | None
    phase: str
    opened_at: str
    ruleset: str
    ruleset_hash: str
    software_version: str
    build: str
    made: PackMade
    part: PackPart
    cards: PackCards
    commands: list[PackCommand]
    steps: list[PackStep]
    shown: list[PackShown]
    postings: list[PackPosting]
    meter: list[PackPoolMove]
    pool_terms: PoolTerms | None
    settlements: list[ComparedSettlement]
    voids: list[VoidedSeat]
    equal: bool
    compared: int
    differences_count: int
    differences: list[Difference]
    chain: list[PackLink]
    day_proof: dict[str, Any] | None
    key: dict[str, str]
    signature: str
    anchors: PackAnchors | None = None


class PublicKey(Answer):
    """An Ed25519 public key as a JWK (RFC 7517, RFC 8037); `kid` is its thumbprint (RFC 7638)."""

    kty: str
    crv: str
    x: str
    kid: str


class PublicKeys(Answer):
    """A JWK set: of packs the key in use first, then those of before; then those of anchors and sealed days."""

    keys: list[PublicKey]
