"""What a casino asks about first, as a list: each scene is played once and tells what was seen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from api.demo.floor import Floor
from api.demo.scene import Scene
from api.demo.scenes_awards import DOLLAR_SCRIPT, EURO_SCRIPT, LAND_SCRIPT, two_winners
from api.demo.scenes_keys import refused_and_replayed
from api.demo.scenes_voids import void_after_settlement, void_before_settlement

Act = Callable[[Floor], Awaitable[Scene]]

ACTS: Final[tuple[tuple[Act, ...], ...]] = (
    (lambda floor: two_winners(floor, EURO_SCRIPT),),
    (lambda floor: two_winners(floor, DOLLAR_SCRIPT),),
    (lambda floor: two_winners(floor, LAND_SCRIPT), void_after_settlement),
    (void_before_settlement, refused_and_replayed),
)
"""Acts of one row follow each other, rows are played at the same time: no two of them share a pool or a table."""

SCENE_ROUNDS: Final = sum(len(row) for row in ACTS)
"""Each act is one round."""


async def play_row(floor: Floor, row: tuple[Act, ...]) -> list[Scene]:
    """Play the acts of one row, one after the other."""
    return [await act(floor) for act in row]
