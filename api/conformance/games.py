"""Checks of play: a round of each game on cards that we choose, to the last unit, and the feed that tells of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from api.conformance.money import OURS
from api.conformance.world import CURRENCIES, World, should

ACES: Final = ["As", "Ad", "Qh", "7c", "2s"]
DEALER: Final = ["4d", "3s", "2h", "Kh", "Ac"]
"""Plays with ace and king; a pair of aces wins ante and call at even money."""

ANTE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Game:
    """A rule set and what it is played in; `seat` is None where all play one hand."""

    ruleset: Literal["live-5plus1-v1", "euro-progressive-v1", "dollar-jackpot-v1", "land-progressive-v1"]
    seat: int | None
    currency: str


GAMES: Final = (
    Game("live-5plus1-v1", None, "EUR"),
    Game("euro-progressive-v1", 1, "EUR"),
    Game("dollar-jackpot-v1", 1, "USD"),
    Game("land-progressive-v1", 1, "USD"),
)


def rounds(world: World) -> None:
    """a round of each of the four games pays three antes to a pair of aces"""
    world.notes["after"] = world.casino.position
    for game in GAMES:
        _round(world, game)


def _round(world: World, game: Game) -> None:
    casino, player, table = world.casino, world.player(game.currency), world.name(game.ruleset[:4])
    before = casino.get_balance(player).available
    casino.open_table(
        table=table, ruleset=game.ruleset, currency=game.currency, ante_min=ANTE, ante_max=ANTE * 5, card_source="FEED"
    )
    round_ = casino.open_round(table).round
    placed = casino.place_wagers(round_, player=player, seat=game.seat, ante=ANTE)
    should(placed.balance.held == 3 * ANTE, f"{game.ruleset}: {placed.balance.held} is held", OURS)
    casino.close_betting(round_)
    if game.seat is None:
        casino.deal(round_, player=ACES, dealer=DEALER)
    else:
        casino.deal(round_, seats={str(game.seat): ACES}, dealer=DEALER)
    shown = [card for card in casino.get_round(round_).cards.dealer if card is not None]
    should(len(shown) == 1, f"{game.ruleset}: {len(shown)} cards of the dealer are shown before the showdown", OURS)
    casino.decide(round_, player=player, decision="call")
    settled = world.dealer.settle_round(round_)
    after = casino.get_balance(player, min_position=settled.position).available
    should(after - before == 3 * ANTE, f"{game.ruleset}: won {after - before} where {3 * ANTE} is due", OURS)
    casino.disable(scope="TABLE", id=table, reason="a check of the integration is over")
    world.notes["round"] = round_


def feed(world: World) -> None:
    """the feed tells of all that in order, from where we ask"""
    after, until = world.notes["after"], world.casino.position
    told = [int(event.sequence) for event in world.casino.follow_events(after, until=until, limit=50)]
    should(told == sorted(set(told)), "events come twice or out of order", OURS)
    should(bool(told) and told[0] > after and told[-1] == until, f"it ends at {told[-1:]} where we wrote {until}", OURS)


def history(world: World) -> None:
    """the account history adds up to the balance"""
    for currency in CURRENCIES:
        player = world.player(currency)
        total = sum(line.amount for line in world.casino.each_account_history(player, limit=3))
        available = world.casino.get_balance(player).available
        should(total == available, f"the lines add up to {total}, the balance is {available}", OURS)
