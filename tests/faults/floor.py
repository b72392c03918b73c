"""The casino that the load plays in: 200 players, 20 tables of all four games, a pool for each progressive game."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from tests.faults.calls import Caller, Calls, Command, command
from tests.faults.stage import Stage

CLIENTS: Final = 16
PLAYERS: Final = 200
TABLES: Final = 20
DEPOSIT_MINOR: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Game:
    """A rule set, its currency, and what its tables take. `seats` None: one hand for all. Amounts: minor units."""

    ruleset: str
    currency: str
    seats: int | None
    side: str
    side_price: int


GAMES: Final = (
    Game("live-5plus1-v1", "EUR", None, "five_plus_one", 100),
    Game("euro-progressive-v1", "EUR", 4, "progressive", 50),
    Game("dollar-jackpot-v1", "USD", 5, "progressive", 100),
    Game("land-progressive-v1", "USD", 7, "progressive", 100),
)


@dataclass(frozen=True, slots=True)
class Place:
    """What one client has: a table of its own, a table that timers drive and it shares, and players. `reserves`: the
    table of its own holds the call with the ante; where not, a call holds money anew and may be refused.
    """

    client: int
    game: Game
    table: str
    auto_table: str
    players: tuple[str, ...]
    reserves: bool


def open_floor(stage: Stage, calls: Calls, clients: int = CLIENTS, players: int = PLAYERS) -> list[Place]:
    """Open all of it; a place for each client."""
    places = [
        Place(
            client,
            GAMES[client % len(GAMES)],
            f"table-{client}",
            f"auto-{client % len(GAMES)}",
            tuple(f"player-{nth}" for nth in range(client, players, clients)),
            reserves=client % 8 < len(GAMES),
        )
        for client in range(clients)
    ]
    _all_done(stage, calls, [_pool(game) for game in GAMES if game.seats is not None])
    _all_done(stage, calls, [_table(one.table, one.game, reserves=one.reserves) for one in places])
    _all_done(stage, calls, [_table(f"auto-{nth}", GAMES[nth], is_auto=True) for nth in range(TABLES - CLIENTS)])
    _all_done(stage, calls, [_register(player, one.game) for one in places for player in one.players])
    _all_done(stage, calls, [_deposit(player, one.game) for one in places for player in one.players])
    return places


def close_floor(stage: Stage, calls: Calls) -> None:
    """Timers open no further round."""
    body = {"scope": "TABLE", "reason": "the run is over"}
    _all_done(stage, calls, [
        command("/v1/disable", {**body, "id": f"auto-{nth}"}, f"disable-{nth}") for nth in range(TABLES - CLIENTS)
    ])  # fmt: skip


def _all_done(stage: Stage, calls: Calls, commands: Sequence[Command]) -> None:
    """Several at once; none may be refused."""
    lanes = min(8, len(commands))

    def lane(nth: int) -> None:
        caller = Caller(stage, calls, nth)
        for one in commands[nth::lanes]:
            reply = caller.settle(one)
            if not reply.is_done:
                raise AssertionError(f"{one.path}: {reply.status} {reply.content!r}")
        caller.close()

    with ThreadPoolExecutor(lanes) as pool:
        list(pool.map(lane, range(lanes)))


def _pool(game: Game) -> Command:
    body = {
        "jackpot": f"pool-{game.ruleset}", "ruleset": game.ruleset, "currency": game.currency, "seed": 2_500_000,
        "reset": 2_500_000, "reserve_rate": "0.05", "handpay_threshold": None,
    }  # fmt: skip
    return command("/v1/jackpots", body, f"pool-{game.ruleset}")


def _table(name: str, game: Game, *, is_auto: bool = False, reserves: bool = True) -> Command:
    body = {"table": name, "ruleset": game.ruleset, "currency": game.currency, "ante_min": 100, "ante_max": 10_000,
            "jackpot": None if game.seats is None else f"pool-{game.ruleset}", "abandon_seconds": 120}  # fmt: skip
    if not reserves:
        body |= {"call_reserve": "NONE", "timeout_policy": "FOLD"}
    if is_auto:
        body |= {"pace": "AUTO", "betting_seconds": 3, "closing_soon_seconds": 1, "decision_seconds": 2,
                 "pause_seconds": 1}  # fmt: skip
    return command("/v1/tables", body, f"table-{name}")


def _register(player: str, game: Game) -> Command:
    return command("/v1/players", {"player": player, "currency": game.currency}, f"register-{player}")


def _deposit(player: str, game: Game) -> Command:
    body = {"amount": DEPOSIT_MINOR, "currency": game.currency, "transaction_id": f"first-{player}"}
    return command(f"/v1/players/{player}/deposits", body, f"first-{player}")
