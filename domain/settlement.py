"""What a seat gets at the showdown: pure, from a rule set, cards and stakes.

Two steps, so that one shared hand is compared once and applied to ten thousand stakes:
`show` turns cards into multipliers, `settle` applies them to the stakes of one seat. `settle_seat` does both.
A progressive prize is only named here; what it is worth and who pays it is the pool's affair (`domain.pools`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from domain.frozen import dataclass
from domain.hands import Category, Hand, best_of_six, rank_five
from domain.rules import Prize, RuleSet, SideKind, TimeoutPolicy, pays_to_one, prize_for
from domain.words import StrEnum


class Decision(StrEnum):
    """What is decided after the deal: to call (twice the ante) or to fold (S0-06)."""

    CALL = "CALL"
    FOLD = "FOLD"


class DecidedBy(StrEnum):
    """Who decided: the player, the system for an absent one (S0-38, S2-10, R19), or staff."""

    PLAYER = "PLAYER"
    SYSTEM = "SYSTEM"
    STAFF = "STAFF"


class Outcome(StrEnum):
    """How a seat ends, seen from the player."""

    FOLD = "FOLD"
    DEALER_NOT_QUALIFIED = "DEALER_NOT_QUALIFIED"
    WIN = "WIN"
    LOSE = "LOSE"
    PUSH = "PUSH"


@dataclass(frozen=True, slots=True)
class Showdown:
    """One player hand against the dealer's, before any stake.

    `..._back` is what one unit of the wager returns to a player who called, the stake included where it is
    returned: 0 lost, 1 pushed, 1 + n won at n to 1. `side_back` is that of the 5+1, `prize` the progressive one.
    """

    player: Hand
    dealer: Hand
    qualifies: bool
    outcome_if_called: Outcome
    ante_back: int
    call_back: int
    side_back: int
    prize: Prize | None


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a seat has on its spots before the call, in minor units; 0 where nothing lies."""

    ante_minor: int
    five_plus_one_minor: int = 0
    progressive_minor: int = 0


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat is settled, in minor units; each wager has a result of its own (S2-17, S3-17).

    Payouts include the stake where it is returned. `prize` is the progressive entitlement of a seat that made
    that wager, paid beside these by the pool. `staked_minor` is all that the seat had at risk.
    """

    outcome: Outcome
    call_stake_minor: int
    staked_minor: int
    ante_payout_minor: int
    call_payout_minor: int
    five_plus_one_payout_minor: int
    prize: Prize | None


def decide_for_absent(policy: TimeoutPolicy, ruleset: RuleSet, cards: Sequence[str]) -> Decision:
    """The decision for a player who makes none in time, by the table's policy (S0-38, S2-10, S2-11, C14, C15)."""
    match policy:
        case TimeoutPolicy.FOLD:
            return Decision.FOLD
        case TimeoutPolicy.BET_IF_PAIR_OR_BETTER:
            category = rank_five(cards, ruleset.wheel_is_straight).category
            return Decision.CALL if category.at_least(Category.PAIR) else Decision.FOLD
        case _:
            assert_never(policy)


def compare(ruleset: RuleSet, player: Hand, dealer: Hand) -> Outcome:
    """How a player who called stands against the dealer (S0-15 to S0-19, S2-12 to S2-15, S3-14, S3-15, S4-04, C7)."""
    if not ruleset.qualifies(dealer):
        return Outcome.DEALER_NOT_QUALIFIED
    if player > dealer:
        return Outcome.WIN
    return Outcome.PUSH if player == dealer else Outcome.LOSE


def show(ruleset: RuleSet, player_cards: Sequence[str], dealer_cards: Sequence[str]) -> Showdown:
    """Compare five player cards with five dealer cards, both in the order dealt and already checked.

    The 5+1 looks at the player's cards and the dealer's up-card (S0-08, C2), the progressive at the player's
    first five cards alone (S2-07, S2-21, S4-07).
    """
    player = rank_five(player_cards, ruleset.wheel_is_straight)
    dealer = rank_five(dealer_cards, ruleset.wheel_is_straight)
    outcome = compare(ruleset, player, dealer)
    return Showdown(
        player=player,
        dealer=dealer,
        qualifies=outcome is not Outcome.DEALER_NOT_QUALIFIED,
        outcome_if_called=outcome,
        ante_back=_ante_back(outcome),
        call_back=_call_back(ruleset, outcome, player.category),
        side_back=_side_back(ruleset, player_cards, dealer_cards),
        prize=prize_for(ruleset, player.category),
    )


def settle(ruleset: RuleSet, shown: Showdown, stakes: Stakes, decision: Decision) -> SeatResult:
    """Apply a showdown to one seat's stakes.

    A fold loses the ante and nothing else, unless the rule set says that side bets fall with it (C3, C25);
    then a folded seat has no prize either.
    """
    called = decision is Decision.CALL
    side_stands = called or ruleset.side_bets_survive_fold
    call_stake = stakes.ante_minor * ruleset.call_multiple if called else 0
    return SeatResult(
        outcome=shown.outcome_if_called if called else Outcome.FOLD,
        call_stake_minor=call_stake,
        staked_minor=stakes.ante_minor + call_stake + stakes.five_plus_one_minor + stakes.progressive_minor,
        ante_payout_minor=stakes.ante_minor * shown.ante_back if called else 0,
        call_payout_minor=call_stake * shown.call_back,
        five_plus_one_payout_minor=stakes.five_plus_one_minor * shown.side_back if side_stands else 0,
        prize=shown.prize if side_stands and stakes.progressive_minor else None,
    )


def settle_seat(
    ruleset: RuleSet,
    player_cards: Sequence[str],
    dealer_cards: Sequence[str],
    stakes: Stakes,
    decision: Decision,
) -> SeatResult:
    """Settle one seat from its cards and stakes: `show` and `settle` in one call."""
    return settle(ruleset, show(ruleset, player_cards, dealer_cards), stakes, decision)


def _ante_back(outcome: Outcome) -> int:
    """One unit of ante: even money when the dealer is beaten or does not qualify (S0-16, S0-18)."""
    match outcome:
        case Outcome.WIN | Outcome.DEALER_NOT_QUALIFIED:
            return 2
        case Outcome.PUSH:
            return 1
        case Outcome.LOSE | Outcome.FOLD:
            return 0
        case _:
            assert_never(outcome)


def _call_back(ruleset: RuleSet, outcome: Outcome, category: Category) -> int:
    """One unit of call: by the table on a win, by the second column or a push without a qualified dealer (S2-13)."""
    match outcome:
        case Outcome.WIN:
            return 1 + (pays_to_one(ruleset.call_pays, category) or 0)
        case Outcome.DEALER_NOT_QUALIFIED:
            return 1 + (pays_to_one(ruleset.call_pays_unqualified, category) or 0)
        case Outcome.PUSH:
            return 1
        case Outcome.LOSE | Outcome.FOLD:
            return 0
        case _:
            assert_never(outcome)


def _side_back(ruleset: RuleSet, player_cards: Sequence[str], dealer_cards: Sequence[str]) -> int:
    """One unit of 5+1: by its table on the best five of six cards, lost below three of a kind (S0-08, S0-21)."""
    if ruleset.side_kind is not SideKind.FIVE_PLUS_ONE:
        return 0
    six = (*player_cards, dealer_cards[ruleset.dealer_upcard_index])
    pays = pays_to_one(ruleset.side_pays, best_of_six(six, ruleset.wheel_is_straight).category)
    return 0 if pays is None else 1 + pays
