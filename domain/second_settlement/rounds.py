"""One round settled a second time: what each seat gets back, and what its pool does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from domain.second_settlement.pages import GAMES, Game
from domain.second_settlement.purse import Move, Pool, Purse
from domain.second_settlement.ranking import HANDS, HIGH, PAIR, RANKS, Value, best_of, qualifies, value_of

KINDS: Final = ("ANTE", "CALL", "SIDE", "PROGRESSIVE")


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's part: five cards, stakes by kind of wager, and "CALL", "FOLD" or "TIMEOUT"."""

    cards: Sequence[str]
    stakes: Mapping[str, int]
    decision: str


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one seat gets back, by kind of wager, its stake included where that is returned."""

    hand: str
    outcome: str | None
    decision: str
    decided_by: str
    side_hand: str | None
    payout: Mapping[str, int]
    staked: int
    returned: int
    prize_minor: int
    meter_micro_after: int | None

    @property
    def net(self) -> int:
        """Minor units won, or lost when negative."""
        return self.returned - self.staked


@dataclass(frozen=True, slots=True)
class Round:
    """A settled round."""

    dealer_hand: str
    qualifies: bool
    seats: tuple[SeatResult, ...]
    moves: tuple[Move, ...]
    pool: Pool | None


def settle(ruleset: str, dealer: Sequence[str], seats: Sequence[Seat], pool: Pool | None = None) -> Round:
    """Settle a round: seats in the order of payment, the dealer's cards in the order dealt.

    Raises ValueError, naming the field, for what cannot be a round of this rule set.
    """
    game = _checked(ruleset, dealer, seats, pool)
    house = value_of(dealer)
    purse = Purse(game, [value_of(seat.cards)[0] if "PROGRESSIVE" in seat.stakes else HIGH for seat in seats], pool)
    results = []
    for number, seat in enumerate(seats):
        prize = purse.turn_of(number) if "PROGRESSIVE" in seat.stakes else 0
        meter = purse.pool.meter_micro if purse.pool else None
        results.append(_seat(game, seat, dealer, house, prize_minor=prize, meter_micro=meter))
    return Round(HANDS[house[0]], qualifies(house), tuple(results), tuple(purse.moves), purse.pool)


def order_of_payment(ruleset: str, numbers: Sequence[int]) -> list[int]:
    """Seat numbers in the order in which they are paid: 002 from the dealer's right, the highest first (S2-20)."""
    return sorted(numbers, reverse=GAMES[ruleset].last_seat_first)


def _seat(
    game: Game, seat: Seat, dealer: Sequence[str], house: Value, *, prize_minor: int, meter_micro: int | None
) -> SeatResult:
    own, stakes = value_of(seat.cards), seat.stakes
    late = seat.decision == "TIMEOUT"
    calls = seat.decision == "CALL" or (late and game.bets_pairs_late and own[0] >= PAIR)
    ante = stakes.get("ANTE")
    payout: dict[str, int] = {}
    outcome, staked, side_hand = None, sum(amount for kind, amount in stakes.items() if kind != "CALL"), None
    if ante is not None:
        call = 2 * ante if calls else 0
        outcome, payout["ANTE"], payout["CALL"] = _against(game, own, house, ante, call)
        staked += call
    if "SIDE" in stakes:
        side = best_of([*seat.cards, dealer[game.up_card]])
        odds = (game.side or {}).get(side[0])
        payout["SIDE"] = 0 if odds is None else stakes["SIDE"] * (odds + 1)
        side_hand = HANDS[side[0]]
    if "PROGRESSIVE" in stakes:
        payout["PROGRESSIVE"] = prize_minor
    return SeatResult(
        HANDS[own[0]], outcome, "CALL" if calls else "FOLD", "SYSTEM" if late else "PLAYER", side_hand,
        payout, staked, sum(payout.values()), prize_minor, meter_micro,
    )  # fmt: skip


def _against(game: Game, own: Value, house: Value, ante: int, call: int) -> tuple[str, int, int]:
    """Outcome, and what comes back on ante and call (S0-16 to S0-19, S2-13 to S2-15, S2-18, S3-12 to S3-15, S4-04)."""
    if not call:
        return "FOLD", 0, 0
    if not qualifies(house):
        return "DEALER_NOT_QUALIFIED", 2 * ante, call * (1 + (game.unqualified or {}).get(own[0], 0))
    if own > house:
        return "WIN", 2 * ante, call * (1 + game.call[own[0]])
    return ("PUSH", ante, call) if own == house else ("LOSE", 0, 0)


def _checked(ruleset: str, dealer: Sequence[str], seats: Sequence[Seat], pool: Pool | None) -> Game:
    if ruleset not in GAMES:
        raise ValueError(f"ruleset: {ruleset!r} is not published")
    game = GAMES[ruleset]
    hands = {tuple(sorted(seat.cards)) for seat in seats} if game.side else [tuple(seat.cards) for seat in seats]
    if len(hands) > 1 and game.side:
        raise ValueError("cards: one hand is dealt for all seats")
    cards = [*dealer, *(card for hand in hands for card in hand)]
    if len(dealer) != 5 or any(len(seat.cards) != 5 for seat in seats):
        raise ValueError("cards: a hand has five")
    if len(set(cards)) < len(cards) or any(len(c) != 2 or c[0] not in RANKS or c[1] not in "cdhs" for c in cards):
        raise ValueError("cards: unknown, or one twice")
    for seat in seats:
        _check_stakes(game, seat, pool)
    return game


def _check_stakes(game: Game, seat: Seat, pool: Pool | None) -> None:
    if seat.decision not in {"CALL", "FOLD", "TIMEOUT"}:
        raise ValueError(f"decision: {seat.decision!r}")
    if any(kind not in KINDS or type(amount) is not int or amount < 1 for kind, amount in seat.stakes.items()):
        raise ValueError("stakes: whole minor units above zero, by kind of wager")
    if "CALL" in seat.stakes and seat.stakes["CALL"] != 2 * seat.stakes.get("ANTE", 0):
        raise ValueError("stakes: CALL is twice ANTE (S0-06)")
    if ("SIDE" in seat.stakes and not game.side) or ("PROGRESSIVE" in seat.stakes and not game.fixed):
        raise ValueError("stakes: not a wager of this rule set")
    if "PROGRESSIVE" in seat.stakes and pool is None:
        raise ValueError("pool: is missing")
