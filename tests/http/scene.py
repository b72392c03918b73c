"""Objects in the middle of a game, for calls that must not touch them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.http.floor import EURO, bet, done, head, money, open_jackpot, open_round, open_table, register
from tests.service import Service


@dataclass(frozen=True, slots=True)
class Scene:
    """A player with money and a wager in an open round."""

    service: Service
    player: str
    jackpot: str
    table: str
    round: str

    @property
    def ids(self) -> dict[str, str]:
        """What stands in paths, by the name of the parameter; names that are not here get an id unheard of."""
        return {"player": self.player, "jackpot": self.jackpot, "table": self.table, "round": self.round}

    def state(self) -> tuple[int, tuple[int, int]]:
        """The log's last position and the player's money."""
        return head(self.service), money(self.service, self.player)


def new_scene(service: Service) -> Scene:
    """A scene of its own."""
    jackpot = open_jackpot(service, EURO, "EUR")
    table = open_table(service, EURO, "EUR", jackpot)
    player = register(service, "EUR", 100_000)
    round_ = open_round(service, table)
    done(bet(service, round_, player, progressive=50), 201)
    return Scene(service, player, jackpot, table, round_)
