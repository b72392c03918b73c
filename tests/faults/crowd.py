"""Many clients that all send something at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from tests.faults.calls import Caller, Calls, Command, Reply
from tests.faults.stage import Stage

T = TypeVar("T")


class Crowd:
    """Clients with a connection each, spread over the doors."""

    def __init__(self, stage: Stage, calls: Calls, size: int) -> None:
        self.size = size
        self._callers = [Caller(stage, calls, nth) for nth in range(size)]
        self._pool = ThreadPoolExecutor(size)

    def settle_all(self, commands: Sequence[Command]) -> list[Reply]:
        """All of them, each client its share, one after the other; the replies in the order of the commands."""
        return self.each(lambda caller, one: caller.settle(one), commands)

    def at_once(self, commands: Sequence[Command]) -> list[Reply]:
        """As many as there are clients at most, all let go at one moment."""
        gate = threading.Barrier(len(commands))

        def send(caller: Caller, one: Command) -> Reply:
            gate.wait(30)
            return caller.settle(one)

        return self.each(send, commands)

    def each(self, act: Callable[[Caller, Command], T], commands: Sequence[Command]) -> list[T]:
        """What `act` gives for each command, client by client."""

        def lane(nth: int) -> list[T]:
            return [act(self._callers[nth], one) for one in commands[nth :: self.size]]

        shares = list(self._pool.map(lane, range(min(self.size, len(commands)))))
        return [shares[nth % self.size][nth // self.size] for nth in range(len(commands))]

    def leave(self) -> None:
        """Close all connections."""
        self._pool.shutdown()
        for caller in self._callers:
            caller.close()
