"""Which wagers a spot takes: limits of the sum of a spot, the order of ante and side wager, prices, the raise.

Rows: S0-04, S0-09, S0-24 to S0-26, S2-05, S3-03, S3-04, S3-09, S4-06, C9 to C13.
"""

from __future__ import annotations

from domain.errors import AboveMaximum, BelowMinimum, InsufficientFunds, Invalid
from domain.frozen import dataclass
from domain.rules import BelowMinPolicy, RuleSet, SideKind, SideTiming
from domain.seats.events import Wager, WagerKind
from domain.tables import CallReserve, TableTerms


@dataclass(frozen=True, slots=True)
class Stakes:
    """What one action asks for, in minor units; zero where a spot is left alone."""

    ante_minor: int
    five_plus_one_minor: int
    progressive_minor: int


@dataclass(frozen=True, slots=True)
class Spots:
    """What already stands on the player's spots, and what is on game for them, in minor units."""

    ante_minor: int
    side_minor: int
    held_minor: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """Stakes as they are taken: `ante_minor` may have been raised from `asked_ante_minor` (C10)."""

    ante_minor: int
    side_minor: int
    asked_ante_minor: int | None


def accept(asked: Stakes, spots: Spots, terms: TableTerms, ruleset: RuleSet, available_minor: int) -> Accepted:
    """The stakes that the table takes of `asked`, or a Refusal that names the field."""
    side = _side_asked(asked, ruleset)
    for field, stake in (("ante", asked.ante_minor), (f"side.{ruleset.side_kind}", side)):
        if stake < 0:
            raise Invalid("a stake is not below zero", field=field)
    if asked.ante_minor == 0 and side == 0:
        raise Invalid("name an ante or a side wager", field="ante")
    accepted = _raised(asked.ante_minor, side, spots, terms, available_minor)
    _check_ante(accepted.ante_minor, spots, terms, ruleset, available_minor)
    if side:
        _check_side(side, accepted.ante_minor, spots, terms, ruleset)
    _check_total(accepted, spots, terms)
    return accepted


def hold_for(accepted: Accepted, terms: TableTerms) -> int:
    """What leaves the available money: three antes with a full reserve (C13), one without, and the side stake."""
    return ante_units(terms) * accepted.ante_minor + accepted.side_minor


def ante_units(terms: TableTerms) -> int:
    """How many antes are held for one: 3 with the call in reserve, 1 without (C13)."""
    return 3 if terms.call_reserve is CallReserve.FULL else 1


def lines(action: str, accepted: Accepted, ruleset: RuleSet) -> tuple[Wager, ...]:
    """The wagers of one action, each with an id of its own."""
    found = []
    if accepted.ante_minor:
        found.append(Wager(f"{action}:ante", WagerKind.ANTE, accepted.ante_minor))
    if accepted.side_minor:
        kind = side_wager_kind(ruleset)
        found.append(Wager(f"{action}:{kind.lower()}", kind, accepted.side_minor))
    return tuple(found)


def side_wager_kind(ruleset: RuleSet) -> WagerKind:
    """SIDE for the 5+1 bonus, PROGRESSIVE for a pool's wager."""
    return WagerKind.SIDE if ruleset.side_kind is SideKind.FIVE_PLUS_ONE else WagerKind.PROGRESSIVE


def _side_asked(asked: Stakes, ruleset: RuleSet) -> int:
    if ruleset.side_kind is SideKind.FIVE_PLUS_ONE:
        if asked.progressive_minor:
            raise Invalid(f"{ruleset.name} has no progressive wager", field="side.progressive")
        return asked.five_plus_one_minor
    if asked.five_plus_one_minor:
        raise Invalid(f"{ruleset.name} has no 5+1 wager", field="side.five_plus_one")
    return asked.progressive_minor


def _raised(ante: int, side: int, spots: Spots, terms: TableTerms, available_minor: int) -> Accepted:
    """Raise an ante below the minimum to it where the table does so; the funds must cover what is raised to."""
    total = spots.ante_minor + ante
    raises = terms.below_min_policy == BelowMinPolicy.RAISE_TO_MIN
    if not ante or not raises or total >= terms.ante_min_minor:
        return Accepted(ante, side, None)
    raised = Accepted(terms.ante_min_minor - spots.ante_minor, side, ante)
    if hold_for(raised, terms) > available_minor:
        raise InsufficientFunds(
            f"the minimum ante of {terms.ante_min_minor} minor units is not covered by {available_minor}", field="ante"
        )
    return raised


def _check_ante(ante: int, spots: Spots, terms: TableTerms, ruleset: RuleSet, available_minor: int) -> None:
    total = spots.ante_minor + ante
    if ante and total > terms.ante_max_minor:
        raise AboveMaximum(f"the table takes antes up to {terms.ante_max_minor} minor units", field="ante")
    if ante and ruleset.ante_most_third_of_balance:
        third = (available_minor + spots.held_minor) // 3
        if total > third:
            raise AboveMaximum(f"an ante is at most a third of the balance, {third} minor units", field="ante")


def _check_side(side: int, ante: int, spots: Spots, terms: TableTerms, ruleset: RuleSet) -> None:
    field = f"side.{ruleset.side_kind}"
    total_ante = spots.ante_minor + ante
    match ruleset.side_timing:
        case SideTiming.WITH_ANTE if not ante:
            raise Invalid("the side wager comes in the same call as the ante", field=field)
        case SideTiming.WITH_OR_AFTER_ANTE if total_ante < terms.ante_min_minor:
            raise BelowMinimum(
                f"a side wager needs an ante of {terms.ante_min_minor} minor units or more on the spot", field=field
            )
        case _:
            pass
    if ruleset.progressive is not None:
        _check_price(side, ruleset.progressive.stake_minor, spots, terms, field)
    elif spots.side_minor + side > terms.side_max_minor:
        raise AboveMaximum(f"the table takes side wagers up to {terms.side_max_minor} minor units", field=field)
    elif spots.side_minor + side < terms.side_min_minor:
        raise BelowMinimum(f"the table takes side wagers from {terms.side_min_minor} minor units", field=field)


def _check_price(side: int, price: int, spots: Spots, terms: TableTerms, field: str) -> None:
    if terms.jackpot is None:
        raise Invalid("the table has no jackpot", field=field)
    if spots.side_minor + side > price:
        raise AboveMaximum(f"the progressive wager is {price} minor units, once", field=field)
    if side < price:
        raise BelowMinimum(f"the progressive wager is {price} minor units", field=field)


def _check_total(accepted: Accepted, spots: Spots, terms: TableTerms) -> None:
    total = spots.ante_minor + spots.side_minor + accepted.ante_minor + accepted.side_minor
    if terms.total_max_minor is not None and total > terms.total_max_minor:
        raise AboveMaximum(f"the table takes up to {terms.total_max_minor} minor units in total", field="ante")
