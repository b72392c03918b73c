"""The seats of one round as a command sees them: all of them, or the next that something has to be done at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from domain.seats.decider import Seat
from services.states import Done, States, Versioned


def seats_of(states: States, own: Mapping[str, Versioned], prefix: str) -> list[Seat]:
    """All seats that ever held a wager, by player id; `own` are the states that the command itself changed."""
    known = states.all_under(prefix)
    mine = {stream: one for stream, one in own.items() if stream.startswith(prefix)}
    if mine:
        found = {**dict(known), **mine}
        known = sorted(found.items()) if len(found) > len(known) else list(found.items())
    return [cast("Seat", one.state) for _, one in known if one.state is not None]


def next_seats(states: States, prefix: str, most: int, is_done: Done) -> list[Seat]:
    """The first seats that are not done with, by player id. One without a state has nothing to do."""
    return [cast("Seat", one.state) for one in states.next_under(prefix, most, is_done)]
