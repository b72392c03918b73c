"""What stands in an evidence pack (docs/schemas/evidence-pack-v1.json).

All but `made`, `part`, `pool_terms`, `day_proof`, `anchors`, `key` and `signature` follows from `chain`, the stored
events: whoever checks a pack works it out again from them and holds it against what the pack says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from domain.frozen import dataclass
from domain.jackpots.parameters import PoolTerms
from domain.rounds.scans import LaidCard, MisreadCard
from services.replay.cards_shown import Card
from services.replay.lines import MeterMove
from services.replay.replay import ComparedSettlement, VoidedSeat
from services.replay.sheet import Difference
from services.replay.steps import StepWager

PACK: Final = "studbook-pack/1"
SIGNED_AS: Final = "studbook-pack"
"""`typ` in the header of a pack's signature."""

SEATS_MOST: Final = 100
"""Seats of one pack; a round with more has several, each with the round itself and its own seats."""


@dataclass(frozen=True, slots=True)
class PackMade:
    """When the pack was made and by whom, by which software, and how far the log was read."""

    at: str
    by: str
    software_version: str
    position: int


@dataclass(frozen=True, slots=True)
class PackPart:
    """The players whose seats are in the pack. `next` is the cursor of the pack with the next ones, None: no more."""

    players: tuple[str, ...]
    first: bool
    next: str | None


@dataclass(frozen=True, slots=True)
class PackCards:
    """The cards as the round's end opened them; `scans` and `misread` where a studio scanned them one by one."""

    source: str
    commitment: str | None
    salt: str | None
    deck: tuple[str, ...]
    dealer: tuple[str, ...]
    player: tuple[str, ...]
    seats: tuple[PackSeatHand, ...]
    scans: tuple[LaidCard, ...]
    misread: tuple[MisreadCard, ...]


@dataclass(frozen=True, slots=True)
class PackSeatHand:
    """The five cards of a seat, in the order dealt."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PackCommand:
    """A command, by its id, with the positions of the round's events that it caused."""

    command: str
    at: str
    effective_at: str
    actor: str
    key_id: str
    request_id: str
    idempotency_key: str | None
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PackStep:
    """An event told: who decided (PLAYER, SYSTEM, STAFF; None where nothing was decided), which seat, in words."""

    position: int
    event: str
    command: str
    entry: int
    player: str | None
    seat: int | None
    decided_by: str | None
    text: str
    wagers: tuple[StepWager, ...]


@dataclass(frozen=True, slots=True)
class PackShown:
    """Cards that became visible: when, and to whom (ALL, STUDIO, or a player)."""

    position: int
    at: str
    to: str
    hand: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PackPosting:
    """One line of the ledger in micro-units; those of one `command` and `entry` sum to zero by currency."""

    position: int
    command: str
    entry: int
    account: str
    currency: str
    amount_micro: str
    balance_micro: str | None


@dataclass(frozen=True, slots=True)
class PackPoolMove:
    """What an event did to the round's pool."""

    position: int
    move: MeterMove


@dataclass(frozen=True, slots=True)
class PackLink:
    """An event as it is stored. `hash` is SHA-256 over `previous`, `stream`, `version`, `name`, `position`, `sequence`
    and the UTF-8 bytes of `stored`, each with its length in front (domain/chain.py).
    """

    position: int
    stream: str
    version: int
    name: str
    sequence: int
    previous: str
    stored: str
    hash: str


@dataclass(frozen=True, slots=True)
class PackAnchor:
    """A line of the file of anchors (a JWS), and the public key that it is signed with."""

    signed: str
    key: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PackAnchors:
    """The last anchor before the pack's first event, and the first at its last event or past it; None: there is none
    (yet). They say how far the log was, and its hash there, outside the database.
    """

    before: PackAnchor | None
    after: PackAnchor | None


@dataclass(frozen=True, slots=True)
class Pack:
    """The evidence of a round, or of the round and some of its seats. Amounts are minor units where their names do not
    say micro-units. `equal`: all of `compared` values that the second settlement gives are as recorded. `day_proof` is
    null until the day is sealed; `anchors` is null where none are known, and packs of before may lack it.
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
    commands: tuple[PackCommand, ...]
    steps: tuple[PackStep, ...]
    shown: tuple[PackShown, ...]
    postings: tuple[PackPosting, ...]
    meter: tuple[PackPoolMove, ...]
    pool_terms: PoolTerms | None
    settlements: tuple[ComparedSettlement, ...]
    voids: tuple[VoidedSeat, ...]
    equal: bool
    compared: int
    differences_count: int
    differences: tuple[Difference, ...]
    chain: tuple[PackLink, ...]
    day_proof: Mapping[str, Any] | None
    key: Mapping[str, str]
    signature: str
    anchors: PackAnchors | None = None
