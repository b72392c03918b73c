"""What games ought to return, exactly: integer counts over every deal, so first and second moments are fractions.

The main game comes from certificates (`MainGame`, under optimal play). The 5+1 wager and the progressive wager follow
from the rule set's own pay table and the number of hands of each category, which nothing a player does changes.

A prize that is a part of the meter is worth what the meter is worth: so a progressive wager is compared with the theory
at the meter that its own showdown found, and no assumption about meters is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from domain.hands import Category
from domain.money import MICRO
from domain.rules import FixedPrize, RuleSet, SideKind, pays_to_one, ruleset_hash
from domain.variants import RULESETS
from services.reports.columns import PPM, nearest

FIVE_CARDS: Final[Mapping[Category, int]] = {
    Category.ROYAL_FLUSH: 4,
    Category.STRAIGHT_FLUSH: 36,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE_OF_A_KIND: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.PAIR: 1_098_240,
    Category.HIGH_CARD: 1_302_540,
}
"""Five-card hands of each category, of 2,598,960, a wheel being a straight."""

SIX_CARDS: Final[Mapping[Category, int]] = {
    Category.ROYAL_FLUSH: 188,
    Category.STRAIGHT_FLUSH: 1_656,
    Category.FOUR_OF_A_KIND: 14_664,
    Category.FULL_HOUSE: 165_984,
    Category.FLUSH: 205_792,
    Category.STRAIGHT: 361_620,
    Category.THREE_OF_A_KIND: 732_160,
    Category.TWO_PAIR: 2_532_816,
    Category.PAIR: 9_730_740,
    Category.HIGH_CARD: 6_612_900,
}
"""The best five of six cards, by category, of 20,358,520."""


class Moments(NamedTuple):
    """Of what one unit of a wager brings back, stake included where it returns: E[X] = first / over, E[X²] = second /
    over.
    """

    first: int
    second: int
    over: int

    @property
    def variance(self) -> int:
        """Of one unit, over the square of `over`."""
        return self.second * self.over - self.first * self.first

    @property
    def ppm(self) -> int | None:
        """The return in millionths."""
        return nearest(self.first * PPM, self.over)


class Outcome(NamedTuple):
    """An outcome of the main game per unit of ante: what comes back for the ante, what is staked on the call and comes
    back for it (all with stakes), and in how many deals.
    """

    ante_back: int
    call_staked: int
    call_back: int
    deals: int


class MainGame(Protocol):
    """Where the main game's outcomes under optimal play are known."""

    def outcomes(self, ruleset_hash: str) -> Sequence[Outcome] | None:
        """Every outcome of the rule set with that hash; None where there is no certificate of it."""


def ante(outcomes: Sequence[Outcome]) -> Moments:
    """Of the ante, over all deals."""
    return _moments([(one.ante_back, one.deals) for one in outcomes])


def call(outcomes: Sequence[Outcome]) -> Moments:
    """Of one unit of the call, over the deals in which it is made: whoever calls has seen the cards that say so."""
    called = [one for one in outcomes if one.call_staked]
    multiple = max((one.call_staked for one in called), default=1)
    found = _moments([(one.call_back, one.deals) for one in called])
    return Moments(found.first * multiple, found.second, found.over * multiple**2)


def main(outcomes: Sequence[Outcome]) -> Moments:
    """Of ante and call together per unit of ante: 1 and what is won or lost."""
    return _moments([(one.ante_back + one.call_back - one.call_staked, one.deals) for one in outcomes])


def side(rules: RuleSet) -> Moments | None:
    """Of the 5+1 wager; None where the game has none."""
    if rules.side_kind is not SideKind.FIVE_PLUS_ONE:
        return None
    pays = {category: pays_to_one(rules.side_pays, category) for category in Category}
    return _moments(
        [(0 if pays[category] is None else 1 + (pays[category] or 0), count) for category, count in SIX_CARDS.items()]
    )


def progressive(rules: RuleSet, meter_micro: int) -> Moments | None:
    """Of the progressive wager at a meter, per minor unit of its price; its stake never comes back (S3-20)."""
    if rules.progressive is None:
        return None
    price = rules.progressive.stake_minor
    paid = [(prize_minor(rules, category, meter_micro), count) for category, count in FIVE_CARDS.items()]
    found = _moments(paid)
    return Moments(found.first * price, found.second, found.over * price**2)


def prize_minor(rules: RuleSet, category: Category, meter_micro: int) -> int:
    """What the category wins alone at a meter; 0 where it wins nothing."""
    for listed, prize in rules.progressive.prizes if rules.progressive else ():
        if listed is category and isinstance(prize, FixedPrize):
            return prize.amount_minor
        if listed is category and not isinstance(prize, FixedPrize):
            return max(prize.floor_minor or 0, meter_micro * prize.share_ppm // (MICRO * PPM))
    return 0


def rules_of(hash_: str) -> RuleSet | None:
    """The published rule set with that hash: an older one of the same name has no theory here."""
    return _BY_HASH.get(hash_)


def _moments(paid: Sequence[tuple[int, int]]) -> Moments:
    return Moments(
        sum(back * count for back, count in paid),
        sum(back * back * count for back, count in paid),
        sum(count for _, count in paid),
    )


_BY_HASH: Final[Mapping[str, RuleSet]] = {ruleset_hash(one): one for one in RULESETS.values()}
