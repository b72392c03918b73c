"""The demo from the first pool to the last balance."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from api.demo.books import Books
from api.demo.client import Service
from api.demo.faults import together
from api.demo.floor import Floor, Table, open_floor, withdraw
from api.demo.progress import Progress
from api.demo.rounds import shoe_round
from api.demo.scene import Scene
from api.demo.scenes import ACTS, SCENE_ROUNDS, play_row

ROUNDS_LEAST: Final = SCENE_ROUNDS + 8
"""Every scene, and each table of the shoe at least once."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a demo has seen. `reserves_micro` and the last point of each pool's course are those at the end."""

    service: Service
    books: Books
    scenes: list[Scene]
    rounds: int
    seed: int
    seconds: float


async def play_demo(service: Service, rounds: int, seed: int, progress: Progress) -> Outcome:
    """Play it all and compare every balance. DemoFailed on the first answer that is not as it should be."""
    started = time.monotonic()
    progress.doing("opening the floor")
    books = Books()
    floor = await open_floor(service, books, progress, seed)
    shoe = rounds - SCENE_ROUNDS
    progress.doing("playing at eight tables")
    await _shoe_rounds(floor, 0, shoe // 2)
    progress.doing("jackpots, voids, retries")
    scenes = [scene for row in await together(play_row(floor, row) for row in ACTS) for scene in row]
    progress.doing("playing at eight tables")
    await _shoe_rounds(floor, shoe // 2, shoe)
    progress.doing("cashing out")
    await _cash_out(floor)
    await together(_compare(floor, player) for player in books.accounts)
    await together(_last_look(floor, jackpot) for jackpot in books.pools)
    return Outcome(service, books, scenes, rounds, seed, time.monotonic() - started)


async def _shoe_rounds(floor: Floor, first: int, end: int) -> None:
    """Rounds by number, dealt out to the tables in turn; the tables play at the same time."""
    tables = [one for one in floor.tables if not one.plan.scripted]
    numbers = [[n for n in range(first, end) if n % len(tables) == nth] for nth in range(len(tables))]
    await together(_at_table(floor, table, own) for table, own in zip(tables, numbers, strict=True))


async def _at_table(floor: Floor, table: Table, numbers: list[int]) -> None:
    for number in numbers:
        await shoe_round(floor, table, floor.choices(table.plan.name, str(number)))


async def _cash_out(floor: Floor) -> None:
    """Half of the players go home, some with all of their money."""
    choices = floor.choices("cash out")
    leaving = [one for one in floor.books.accounts.values() if one.available > 1 and choices.chance(50)]
    takes = [(one.player, one.available if choices.chance(50) else one.available // 2) for one in leaving]
    await together(withdraw(floor.service, floor.books, player, amount) for player, amount in takes)


async def _compare(floor: Floor, player: str) -> None:
    """The balance that the service shows at the end must be that of our own books, to the cent."""
    path = f"/v1/players/{player}/balance"
    balance = await floor.service.get(path, min_position=floor.service.position)
    floor.books.compare(player, balance["available"], balance["held"])


async def _last_look(floor: Floor, jackpot: str) -> None:
    book = floor.books.pools[jackpot]
    pool = await floor.service.get(f"/v1/jackpots/{jackpot}", min_position=floor.service.position)
    book.saw(pool["position"], pool["meter_micro"])
    book.reserve_micro = pool["reserve_micro"]
