"""What a round would have paid under another rule set; nothing is written anywhere.

What is assumed is said in ASSUMED, and printed with every answer: the people at the table did what they did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from domain.frozen import dataclass
from domain.jackpots.parameters import PoolFound
from domain.rounds.events import BettingClosed, OpenedCards, ShowdownHeld
from domain.rules import HandMode, RuleSet, SideKind
from domain.seats.events import WagerKind
from domain.variants import ruleset
from services.calendar import gaming_day
from services.replay.again import CannotSettle, Playing, in_order_of_payment, settled_again
from services.replay.ranging import state_of
from services.replay.seat_book import SeatBook
from services.replay.settlements import Verdict
from services.replay.story import RoundStory

ASSUMED: Final = (
    "Cards, stakes and decisions stand, those that the house made for absent players too.",
    "Each seat keeps the five cards that it played with; the dealer's five stay in the order dealt.",
    "A side wager that the other rule set does not have counts as not placed: its stake comes back, its pool gets no "
    "share of it and pays no prize for it. A side wager that nobody placed is not invented.",
    "Amounts of the other rule set's prizes are minor units of the round's own currency.",
    "Each round finds its pool as it was found then: what the other rule set would have left on the meter is not "
    "carried into later rounds.",
    "Voided and cancelled rounds, and wagers that were voided, stay of no effect. A prize that waits counts as paid.",
)


class PlayerKey(NamedTuple):
    """A player of an operator, in one currency."""

    operator: str
    player: str
    currency: str


class DayKey(NamedTuple):
    """A gaming day of an operator, in one currency."""

    operator: str
    day: date
    currency: str


class PoolKey(NamedTuple):
    """A pool of an operator."""

    operator: str
    jackpot: str
    currency: str


@dataclass(slots=True)
class Net:
    """What players have won (above zero) or lost, in minor units: as recorded and under the other rule set."""

    rounds: int = 0
    recorded_minor: int = 0
    other_minor: int = 0

    def add(self, recorded: int, other: int, rounds: int = 1) -> None:
        """One more round, or several."""
        self.rounds += rounds
        self.recorded_minor += recorded
        self.other_minor += other


@dataclass(slots=True)
class PoolNet:
    """What a pool got and paid, in micro-units: as recorded and under the other rule set."""

    contributed_micro: int = 0
    contributed_other_micro: int = 0
    paid_micro: int = 0
    paid_other_micro: int = 0

    def add(self, more: PoolNet) -> None:
        """What another round did to it."""
        self.contributed_micro += more.contributed_micro
        self.contributed_other_micro += more.contributed_other_micro
        self.paid_micro += more.paid_micro
        self.paid_other_micro += more.paid_other_micro


@dataclass(slots=True)
class Otherwise:
    """The difference over many rounds. `left_out` counts rounds that no settlement stands of, or that the second
    settlement takes for none of a game.
    """

    rounds: int = 0
    left_out: int = 0
    players: dict[PlayerKey, Net] = field(default_factory=dict)
    days: dict[DayKey, Net] = field(default_factory=dict)
    pools: dict[PoolKey, PoolNet] = field(default_factory=dict)

    def add(self, story: RoundStory, verdict: Verdict, name: str, zone: ZoneInfo) -> None:
        """One more round under the rule set of that name. KeyError for none that is published."""
        last = verdict.settlements[-1] if verdict.settlements else None
        if last is None or state_of(story) != "SETTLED":
            self.left_out += 1
            return
        other = ruleset(name)
        currency, day = story.opened.terms.currency, gaming_day(story.opened.opened_at, zone)
        standing = [book for book in verdict.standing.values() if book.results]
        found = _found(story)
        try:
            paid = _settled(other, story, last.cards, standing, found)
        except CannotSettle:
            self.left_out += 1
            return
        self.rounds += 1
        for book in standing:
            recorded = sum(one.payout_minor - one.stake_minor for one in book.results.values())
            recorded += book.prize_minor + book.waits_minor
            won = paid.net.get(book.player, 0)
            self.players.setdefault(PlayerKey(story.operator, book.player, currency), Net()).add(recorded, won)
            self.days.setdefault(DayKey(story.operator, day, currency), Net()).add(recorded, won, 0)
        self.days.setdefault(DayKey(story.operator, day, currency), Net()).rounds += 1
        if found is not None:
            key = PoolKey(story.operator, found.terms.jackpot, currency)
            self.pools.setdefault(key, PoolNet()).add(_pool(story, verdict, other, standing, paid.pool_micro))

    def merge(self, more: Otherwise) -> None:
        """Take in what another process found of other rounds."""
        self.rounds += more.rounds
        self.left_out += more.left_out
        for player, one in more.players.items():
            self.players.setdefault(player, Net()).add(one.recorded_minor, one.other_minor, one.rounds)
        for day, one in more.days.items():
            self.days.setdefault(day, Net()).add(one.recorded_minor, one.other_minor, one.rounds)
        for pool, two in more.pools.items():
            self.pools.setdefault(pool, PoolNet()).add(two)


@dataclass(frozen=True, slots=True)
class _Paid:
    """A round under the other rule set: players' nets, and what the pool paid."""

    net: Mapping[str, int]
    pool_micro: int


def _settled(
    other: RuleSet, story: RoundStory, cards: OpenedCards, standing: list[SeatBook], found: PoolFound | None
) -> _Paid:
    """One hand for all and a hand for each seat do not go together: then each seat is settled alone. CannotSettle."""
    playing = [_kept(book.playing(), other, found) for book in standing]
    playing = [one for one in playing if one.stakes]
    is_own = ruleset(story.opened.terms.ruleset).hand_mode is HandMode.PER_SEAT
    if is_own and other.hand_mode is HandMode.PER_SEAT:
        results = [settled_again(other.name, cards, in_order_of_payment(other.name, playing), found)]
    else:
        results = [settled_again(other.name, cards, [one], None) for one in playing]
    net = {
        player: sum(one.payout.get(kind, 0) for kind in ("ANTE", "CALL", "SIDE")) + one.prize_minor - one.staked_minor
        for result in results
        for player, one in result.seats.items()
    }
    paid = sum(move.pool_micro for result in results for move in result.moves if move.player is not None)
    return _Paid(net, paid)


def _kept(one: Playing, other: RuleSet, found: PoolFound | None) -> Playing:
    """The wagers that the other rule set knows."""
    has = {WagerKind.ANTE, WagerKind.CALL}
    if other.side_kind is SideKind.FIVE_PLUS_ONE:
        has.add(WagerKind.SIDE)
    elif found is not None:
        has.add(WagerKind.PROGRESSIVE)
    stakes = {kind: stake for kind, stake in one.stakes.items() if kind in has}
    return Playing(one.player, one.seat, stakes, one.decision)


def _found(story: RoundStory) -> PoolFound | None:
    shown = story.last_of(ShowdownHeld)
    return None if shown is None else shown.found


def _pool(
    story: RoundStory, verdict: Verdict, other: RuleSet, standing: list[SeatBook], paid_other_micro: int
) -> PoolNet:
    """What the pool got for the wagers that stand, and paid for them."""
    closed = story.last_of(BettingClosed)
    wagers = {name for book in standing for name in book.wagers}
    shares = () if closed is None else closed.shares
    given = sum(one.increment_micro + one.reserve_micro for one in shares if one.wager in wagers)
    kept = given if other.progressive is not None else 0
    again = verdict.settlements[-1].again
    moves = () if again is None else again.moves
    players = {book.player for book in standing if any(r.kind is WagerKind.PROGRESSIVE for r in book.results.values())}
    paid = sum(move.pool_micro for move in moves if move.player in players)
    return PoolNet(given, kept, paid, paid_other_micro)
