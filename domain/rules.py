"""What a rule set is: one frozen value per game page, named, hashed, and never changed once published.

Pay tables say "to 1": the stake comes back on top (S0-20). Prizes say what is paid and nothing comes back on
top (S3-20). A change of any number is a new rule set under a new name (`...-v2`).
"""

from __future__ import annotations

import hashlib
import json
from typing import Final, assert_never

from domain.errors import Invalid
from domain.frozen import dataclass
from domain.hands import Category, Hand, rank_five
from domain.money import AMOUNT_MINOR_MAX, MICRO, Rate
from domain.words import StrEnum


class HandMode(StrEnum):
    """`SHARED`: one player hand for all players (000); `PER_SEAT`: each seat its own (002, 003, 004)."""

    SHARED = "SHARED"
    PER_SEAT = "PER_SEAT"


class SideKind(StrEnum):
    """The optional side wager of a rule set, by its name in `side` and `payout`."""

    FIVE_PLUS_ONE = "five_plus_one"
    PROGRESSIVE = "progressive"


class SideTiming(StrEnum):
    """When a side wager may come: with the ante or later (S0-09), with it only (S2-05, S4-06), also before (S3-09)."""

    WITH_OR_AFTER_ANTE = "WITH_OR_AFTER_ANTE"
    WITH_ANTE = "WITH_ANTE"
    BEFORE_OR_AFTER_ANTE = "BEFORE_OR_AFTER_ANTE"


class PaymentOrder(StrEnum):
    """The order in which seats are paid: from the highest seat number down (S2-20), or from the lowest up."""

    DESCENDING = "DESCENDING"
    ASCENDING = "ASCENDING"


class BelowMinPolicy(StrEnum):
    """What happens to an ante below the minimum (C10)."""

    REJECT_AT_CLOSE = "REJECT_AT_CLOSE"
    RAISE_TO_MIN = "RAISE_TO_MIN"


class TimeoutPolicy(StrEnum):
    """What is decided for a player who does not decide in time (C14, C15)."""

    FOLD = "FOLD"
    BET_IF_PAIR_OR_BETTER = "BET_IF_PAIR_OR_BETTER"


class ChatPolicy(StrEnum):
    """Who may write to a table's chat (C30)."""

    ON = "ON"
    OFF = "OFF"
    SYSTEM_ONLY = "SYSTEM_ONLY"


PayTable = tuple[tuple[Category, int], ...]
"""Category and what it pays to 1, best first; a category that is not listed pays nothing on top."""

PAYS_MOST: Final = 100_000
"""What a category pays to 1 at most; no page comes near it, and a slip of the keyboard goes beyond."""


@dataclass(frozen=True, slots=True)
class FixedPrize:
    """A progressive prize of a stated amount."""

    amount_minor: int

    def __post_init__(self) -> None:
        _check_whole("prize", self.amount_minor, 1, AMOUNT_MINOR_MAX)


@dataclass(frozen=True, slots=True)
class MeterPrize:
    """A progressive prize that is a share of the meter, in parts per million, and not below `floor_minor` (C21)."""

    share_ppm: int
    floor_minor: int = 0

    def __post_init__(self) -> None:
        _check_whole("share", self.share_ppm, 0, MICRO)
        _check_whole("floor", self.floor_minor, 0, AMOUNT_MINOR_MAX)

    @property
    def takes_all(self) -> bool:
        """Whether the prize is the whole meter, so that the pool restarts from its reset value."""
        return self.share_ppm == MICRO


Prize = FixedPrize | MeterPrize


@dataclass(frozen=True, slots=True)
class ProgressiveRules:
    """The progressive wager: its one price, its prizes for the player's first five cards, and our preset."""

    stake_minor: int
    prizes: tuple[tuple[Category, Prize], ...]
    preset_increment_rate: Rate
    start_minor: int | None = None
    handpay_threshold_required: bool = False


@dataclass(frozen=True, slots=True)
class AnteRange:
    """Table limits of an ante that a page states, in minor units of its currency."""

    least_minor: int
    most_minor: int


@dataclass(frozen=True, slots=True)
class PublishedReturn:
    """A return to player that a page states (S0-23): hundredths of a percent, and what it is a percentage of."""

    basis_points: int
    base: str


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one game page. Amounts are minor units, `source` names the page."""

    name: str
    source: str
    hand_mode: HandMode
    seats: int | None
    currency: str | None
    dealer_upcard_index: int
    call_multiple: int
    lowest_qualifier: tuple[str, str, str, str, str]
    wheel_is_straight: bool
    call_pays: PayTable
    call_pays_unqualified: PayTable
    side_kind: SideKind
    side_timing: SideTiming
    side_pays: PayTable
    side_bets_survive_fold: bool
    progressive: ProgressiveRules | None
    payment_order: PaymentOrder
    below_min_policy: BelowMinPolicy
    timeout_policy: TimeoutPolicy
    chat: ChatPolicy
    ante_ranges: tuple[AnteRange, ...] = ()
    ante_most_third_of_balance: bool = False
    deal_or_pass_seconds: int | None = None
    returns: tuple[PublishedReturn, ...] = ()

    def __post_init__(self) -> None:
        """A pay table of anything but sound whole numbers is refused as soon as the program is loaded."""
        _check_whole("call_multiple", self.call_multiple, 1, PAYS_MOST)
        for name in ("call_pays", "call_pays_unqualified", "side_pays"):
            table: PayTable = getattr(self, name)
            for category, pays in table:
                _check_whole(f"{name}, {category.name}", pays, 0, PAYS_MOST)
            if len({category for category, _ in table}) < len(table):
                raise Invalid("a category stands twice in the pay table", field=name)

    def qualifies(self, dealer: Hand) -> bool:
        """Whether the dealer's hand is good enough to play: ace-king or better (S0-15, S2-12, S3-14, S4-04)."""
        return dealer >= rank_five(self.lowest_qualifier, self.wheel_is_straight)


def _check_whole(field: str, number: int, least: int, most: int) -> None:
    """Invalid for what is no whole number from `least` to `most`: NaN, an infinity, a float, a bool, too much."""
    if type(number) is not int or not least <= number <= most:
        raise Invalid(f"{number!r} is no whole number from {least} to {most}", field=field)


LOWEST_ACE_KING: Final = ("As", "Kd", "4h", "3c", "2s")
"""The lowest hand with which a dealer plays, in any suits that make no flush (S0-15)."""


def pays_to_one(table: PayTable, category: Category) -> int | None:
    """What the table pays to 1 for the category, None when it lists it not."""
    for listed, pays in table:
        if listed is category:
            return pays
    return None


def prize_for(ruleset: RuleSet, category: Category) -> Prize | None:
    """The progressive prize of the category (S2-21, S3-18, S4-07), None when there is none."""
    if ruleset.progressive is not None:
        for listed, prize in ruleset.progressive.prizes:
            if listed is category:
                return prize
    return None


def published(ruleset: RuleSet) -> dict[str, object]:
    """The rule set as plain JSON values, every choice named; what is hashed and what `studbook rules` shows."""
    return {
        "name": ruleset.name,
        "source": ruleset.source,
        "hand_mode": ruleset.hand_mode.value,
        "seats": ruleset.seats,
        "currency": ruleset.currency,
        "dealer_upcard_index": ruleset.dealer_upcard_index,
        "call_multiple": ruleset.call_multiple,
        "lowest_qualifier": list(ruleset.lowest_qualifier),
        "wheel_is_straight": ruleset.wheel_is_straight,
        "call_pays": _pays(ruleset.call_pays),
        "call_pays_unqualified": _pays(ruleset.call_pays_unqualified),
        "side": {
            "kind": ruleset.side_kind.value,
            "timing": ruleset.side_timing.value,
            "pays": _pays(ruleset.side_pays),
            "survives_fold": ruleset.side_bets_survive_fold,
            "stake_returned": ruleset.side_kind is SideKind.FIVE_PLUS_ONE,
        },
        "progressive": None if ruleset.progressive is None else _progressive(ruleset.progressive),
        "payment_order": ruleset.payment_order.value,
        "below_min_policy": ruleset.below_min_policy.value,
        "timeout_policy": ruleset.timeout_policy.value,
        "chat": ruleset.chat.value,
        "ante_ranges": [{"min": one.least_minor, "max": one.most_minor} for one in ruleset.ante_ranges],
        "ante_most_third_of_balance": ruleset.ante_most_third_of_balance,
        "deal_or_pass_seconds": ruleset.deal_or_pass_seconds,
        "returns": [{"basis_points": one.basis_points, "base": one.base} for one in ruleset.returns],
    }


def ruleset_hash(ruleset: RuleSet) -> str:
    """SHA-256, in hexadecimal, of the published rule set as JSON with sorted keys and no spaces."""
    text = json.dumps(published(ruleset), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _pays(table: PayTable) -> dict[str, object]:
    return {category.value: pays for category, pays in table}


def _progressive(rules: ProgressiveRules) -> dict[str, object]:
    return {
        "stake": rules.stake_minor,
        "prizes": {category.value: _prize(prize) for category, prize in rules.prizes},
        "preset_increment_rate_ppm": rules.preset_increment_rate.ppm,
        "start": rules.start_minor,
        "handpay_threshold_required": rules.handpay_threshold_required,
    }


def _prize(prize: Prize) -> dict[str, object]:
    match prize:
        case FixedPrize():
            return {"fixed": prize.amount_minor}
        case MeterPrize():
            return {"share_ppm": prize.share_ppm, "floor": prize.floor_minor}
        case _:
            assert_never(prize)
