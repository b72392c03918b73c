"""A subject of the matrix: the states that it can be in, how to get there, and what can be asked of it then.

A cell is one command in one state. It is played on a scene of its own, which names things so that many scenes may
share one service.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from services import commands as c
from tests.support.casino import Casino

ACCEPTED: Final = "ok"
NOTHING: Final = "-"
"""Accepted, and nothing to do: no event, no money moved."""


class Scene:
    """A casino, and the names of what is in it; states note what commands need later."""

    def __init__(self, casino: Casino, tag: str = "") -> None:
        self.casino = casino
        self.tag = tag
        self.round = ""
        self.award = ""
        self.wager = "no-wager"
        self.message = "no-message"
        self.approval = "no-approval"

    def __getitem__(self, what: str) -> str:
        """The name of something here."""
        return what + self.tag

    async def money(self, player: str, amount: int, currency: str = "EUR") -> None:
        """A player of that name, with money."""
        await self.casino.player(self[player], currency)
        await self.casino.deposit(self[player], amount, currency, self[f"d-{player}-"])

    async def abandoned(self) -> None:
        """Let nobody touch the round for so long that it is given up."""
        self.casino.clock.forward(3_600)
        await self.casino.submit(c.CancelAbandoned(self.round))


@dataclass(frozen=True, slots=True)
class State:
    """A state in words, and how a scene gets there."""

    text: str
    reach: Callable[[Scene], Awaitable[object]]


class Way(Enum):
    """How a command is sent."""

    ALONE = auto()
    IN_BULK = auto()
    ATOMIC = auto()
    """As the one item of a bulk call: the item's answer counts, or the call's."""


@dataclass(frozen=True, slots=True)
class Row:
    """A command as it stands in the page: what it is, the call of the REST contract, the command itself.

    `call` is empty for what only timers ask. `status` is that of a success.
    """

    text: str
    call: str
    make: Callable[[Scene], c.Command]
    status: int = 200
    way: Way = Way.ALONE

    async def ask(self, at: Scene) -> None:
        """Send it; a refusal is raised."""
        if self.way is Way.ALONE:
            await at.casino.submit(self.make(at), status=self.status)
        else:
            await at.casino.submit_in_bulk(self.make(at), atomic=self.way is Way.ATOMIC, status=self.status)


@dataclass(frozen=True, slots=True)
class Subject:
    """One table of the page. What is `alone` is about all that an operator has: no other cell is played beside it.
    `is_strict`: at an operator where what needs two persons is only proposed.
    """

    name: str
    text: str
    states: dict[str, State]
    rows: tuple[Row, ...]
    alone: bool = False
    is_strict: bool = False

    def cells(self) -> Iterator[tuple[Row, str]]:
        """Every command in every state."""
        return ((row, state) for row in self.rows for state in self.states)
