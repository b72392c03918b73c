"""What can happen to a seat. Stakes and payouts are minor units; each wager has an id of its own."""

from __future__ import annotations

from domain.frozen import dataclass
from domain.settlement import DecidedBy, Decision
from domain.wallets.events import VoidPolicy
from domain.words import StrEnum


class WagerKind(StrEnum):
    """The four wagers; SIDE is the 5+1 bonus."""

    ANTE = "ANTE"
    CALL = "CALL"
    SIDE = "SIDE"
    PROGRESSIVE = "PROGRESSIVE"


class RejectReason(StrEnum):
    """Why a standing wager was let go before the deal."""

    BELOW_MINIMUM = "BELOW_MINIMUM"
    NO_ANTE = "NO_ANTE"
    LEFT = "LEFT"
    JACKPOT_DISABLED = "JACKPOT_DISABLED"


class Stage(StrEnum):
    """When a void came: before or after the settlement."""

    BEFORE_SETTLEMENT = "BEFORE_SETTLEMENT"
    AFTER_SETTLEMENT = "AFTER_SETTLEMENT"


@dataclass(frozen=True, slots=True)
class Wager:
    """One stake on one spot by one action."""

    wager: str
    kind: WagerKind
    stake_minor: int


@dataclass(frozen=True, slots=True)
class WagerResult:
    """What one wager brought: `payout_minor` includes the stake where it returns."""

    wager: str
    kind: WagerKind
    stake_minor: int
    payout_minor: int


@dataclass(frozen=True, slots=True)
class WagerPlaced:
    """One action of the player put wagers on spots (S0-04); `hold_minor` left the available money for them.

    `doubled` marks the one double of a round, which is used even when it is undone (S0-32, C28).

    `asked_ante_minor` is set where a stake below the minimum was raised to it (S3-04, C10).
    """

    round: str
    player: str
    seat: int | None
    action: str
    wagers: tuple[Wager, ...]
    hold_minor: int
    asked_ante_minor: int | None
    doubled: bool


@dataclass(frozen=True, slots=True)
class ActionUndone:
    """The player took the last action back (S0-34)."""

    round: str
    player: str
    action: str
    wagers: tuple[str, ...]
    release_minor: int


@dataclass(frozen=True, slots=True)
class SeatPassed:
    """The player skips this deal (S3-07); what lay on the spots came back."""

    round: str
    player: str
    wagers: tuple[str, ...]
    release_minor: int


@dataclass(frozen=True, slots=True)
class WagersRejected:
    """Standing wagers were let go at the close, or on leaving (S0-26, C9, S0-31)."""

    round: str
    player: str
    reason: RejectReason
    wagers: tuple[str, ...]
    release_minor: int


@dataclass(frozen=True, slots=True)
class SeatDecided:
    """Call or fold. A call is a wager of exactly twice the ante (S0-06).

    `hold_minor` is what a call without a reserve takes from the available money, `release_minor` what a fold
    gives back of a reserve (C13).
    """

    round: str
    player: str
    decision: Decision
    decided_by: DecidedBy
    call: Wager | None
    hold_minor: int
    release_minor: int


@dataclass(frozen=True, slots=True)
class SeatSettled:
    """The seat's result: revenue by wager, payouts, and the prizes that its cards won.

    `prize_minor` came in with its own events, `pending_minor` waits for verification (S4-08).
    """

    round: str
    player: str
    ruleset: str
    currency: str
    player_hand: str
    outcome: str
    results: tuple[WagerResult, ...]
    prize_minor: int
    pending_minor: int
    staked_minor: int
    returned_minor: int
    net_minor: int


@dataclass(frozen=True, slots=True)
class PrizeDecided:
    """A pending prize of this seat came in (`verified`), or was refused."""

    round: str
    player: str
    award: str
    amount_minor: int
    verified: bool


class LossKind(StrEnum):
    """What a void cost the house: while it is looked into, or for good."""

    REVIEW = "REVIEW"
    FINAL = "FINAL"


@dataclass(frozen=True, slots=True)
class SeatVoided:
    """Wagers of the seat are of no effect, all of them or whole spots.

    `results` are those that are mirrored, empty before settlement, `prize_minor` the prizes that go with them.
    `owed_minor` is payouts and prizes less stakes, `loss_minor` what of it the house bears.
    """

    round: str
    player: str
    ruleset: str
    currency: str
    stage: Stage
    results: tuple[WagerResult, ...]
    refund_minor: int
    owed_minor: int
    taken_minor: int
    loss_minor: int
    wagers: tuple[str, ...]
    prize_minor: int
    loss_kind: LossKind


@dataclass(frozen=True, slots=True)
class SeatResettled:
    """The seat's result on corrected cards in place of the one before; decisions and stakes stand.

    `owed_minor` is what the old result gave more than the new one (below zero: less).
    """

    round: str
    player: str
    ruleset: str
    currency: str
    player_hand: str
    outcome: str
    before: tuple[WagerResult, ...]
    results: tuple[WagerResult, ...]
    prize_minor: int
    pending_minor: int
    returned_minor: int
    net_minor: int
    owed_minor: int
    taken_minor: int
    loss_minor: int
    loss_kind: LossKind


@dataclass(frozen=True, slots=True)
class ReviewResolved:
    """What the seat owed and was held for review (`owed_minor`, of which `taken_minor`) is decided."""

    round: str
    player: str
    currency: str
    policy: VoidPolicy
    owed_minor: int
    taken_minor: int


SeatEvent = (
    WagerPlaced
    | ActionUndone
    | SeatPassed
    | WagersRejected
    | SeatDecided
    | SeatSettled
    | PrizeDecided
    | SeatVoided
    | SeatResettled
    | ReviewResolved
)
