"""The load of the reliability table: 16 clients, 200 players, 20 tables, over HTTP, through whatever happens.

Each client leads the rounds of a table of its own, bets at a table that timers drive, and moves money at the cashier.
It never gives up a command: what was not answered is sent again under the same key, as an operator would.
"""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from tests.faults.calls import Caller, Calls, Lost, Reply, command
from tests.faults.floor import CLIENTS, Place, close_floor, open_floor
from tests.faults.stage import Stage

STOP_SECONDS: Final = 150.0
VOID_PERCENT: Final = 8
THINK_SECONDS: Final = 0.04
"""A client waits so long before it does the next thing, so that both cores have time for the service."""


class Load:
    """Clients in threads. `calls` holds all that was answered."""

    def __init__(self, stage: Stage, seed: int, *, clients: int = CLIENTS, ports: list[int] | None = None) -> None:
        self.stage = stage
        self.calls = Calls()
        self.seed = seed
        self.faults: list[str] = []
        self._ports = ports
        self._ending = threading.Event()
        self._places = open_floor(stage, self.calls, clients)
        self._threads = [threading.Thread(target=self._live, args=(one,), daemon=True) for one in self._places]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ending.set()
        if kind is None:
            self.finish()

    @property
    def acknowledged(self) -> int:
        """Commands that were acknowledged."""
        return len(self.calls.acknowledged)

    def run_for(self, seconds: float) -> None:
        """Let it work."""
        self._ending.wait(seconds)

    def run_until(self, acknowledged: int, seconds: float = 120.0) -> None:
        """Until so many commands are acknowledged. TimeoutError when that takes longer."""
        end = time.monotonic() + seconds
        while self.acknowledged < acknowledged:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.acknowledged} of {acknowledged} commands in {seconds:.0f} s")
            self._ending.wait(0.02)

    def finish(self) -> None:
        """End every round that a client leads, and open no more. May be called twice."""
        self._ending.set()
        end = time.monotonic() + STOP_SECONDS
        for thread in self._threads:
            if thread.is_alive():
                thread.join(max(0.0, end - time.monotonic()))
        if any(thread.is_alive() for thread in self._threads):
            raise TimeoutError(f"a client was not done {STOP_SECONDS:.0f} s after the end")
        close_floor(self.stage, self.calls)

    def _live(self, place: Place) -> None:
        client = Client(self.stage, self.calls, place, random.Random(f"{self.seed}/{place.client}"), self._ports)
        try:
            while not self._ending.is_set():
                client.act()
        except Exception as fault:
            self.faults.append(f"client {place.client}: {type(fault).__name__}: {fault}")
        finally:
            client.caller.close()


class Client:
    """One client's doings; every choice comes from `chance`."""

    def __init__(
        self, stage: Stage, calls: Calls, place: Place, chance: random.Random, ports: list[int] | None
    ) -> None:
        self.caller = Caller(stage, calls, place.client, ports)
        self._place = place
        self._chance = chance
        self._sent = 0

    def act(self) -> None:
        """One thing: a round, a bet at the table of the timers, or the cashier."""
        time.sleep(self._chance.uniform(0, 2 * THINK_SECONDS))
        match self._chance.randrange(10):
            case 0 | 1 | 2 | 3:
                self._round()
            case 4 | 5:
                self._bet_at_timers()
            case 6 | 7 | 8:
                self._cashier("deposits", self._chance.randrange(1, 5_000))
            case _:
                self._cashier("withdrawals", self._chance.randrange(1, 3_000))

    def _post(self, path: str, body: Any = None, may: tuple[int, ...] = ()) -> Reply:
        """A command under a key of its own, until it is answered. A refusal that may not be is a failure."""
        self._sent += 1
        reply = self.caller.settle(command(path, body or {}, f"c{self._place.client}-{self._sent}"))
        if not reply.is_done and reply.status not in may:
            raise AssertionError(f"{path}: {reply.status} {reply.content[:200]!r}")
        return reply

    def _round(self) -> None:
        place, chance = self._place, self._chance
        name = self._post(f"/v1/tables/{place.table}/rounds").body["round"]
        players = chance.sample(place.players, chance.randrange(1, 4))
        seated = [one for nth, one in enumerate(players, start=1) if self._bet(name, one, nth).is_done]
        self._post(f"/v1/rounds/{name}/close")
        if not seated:
            self._post(f"/v1/rounds/{name}/void", {"reason": "nobody came"})
            return
        self._post(f"/v1/rounds/{name}/deal")
        for player in seated:
            if chance.randrange(10):
                body = {"player": player, "decision": chance.choice(("call", "call", "fold"))}
                self._post(f"/v1/rounds/{name}/decisions", body, may=() if place.reserves else (409,))
        self._post(f"/v1/rounds/{name}/settle")
        if chance.randrange(100) < VOID_PERCENT:
            policy = chance.choice(("CLAW_BACK", "HOUSE_ABSORBS"))
            self._post(f"/v1/rounds/{name}/void", {"reason": "a wrong card", "policy": policy, "approver": "second"})

    def _bet(self, round_: str, player: str, seat: int, may: tuple[int, ...] = (409,)) -> Reply:
        """A bet, which the player may not be able to pay."""
        game = self._place.game
        body: dict[str, Any] = {"player": player, "ante": self._chance.randrange(1, 20) * 100}
        if game.seats is not None:
            body["seat"] = seat
        if self._chance.randrange(2):
            body["side"] = {game.side: game.side_price}
        return self._post(f"/v1/rounds/{round_}/wagers", body, may)

    def _bet_at_timers(self) -> None:
        with suppress(Lost):
            lobby = self.caller.get("/v1/tables?limit=100")
            if lobby.status != 200:
                return
            rounds = [one["round"] for one in lobby.body["items"] if one["table"] == self._place.auto_table]
            if rounds and rounds[0] is not None:
                seat = self._place.client // 4 % (self._place.game.seats or 1) + 1
                self._bet(rounds[0], self._chance.choice(self._place.players), seat, may=(409, 422))

    def _cashier(self, what: str, amount: int) -> None:
        """Money in or out; one transaction in five is rolled back."""
        name = f"bank-{self._place.client}-{self._sent}"
        path = f"/v1/players/{self._chance.choice(self._place.players)}/{what}"
        body = {"amount": amount, "currency": self._place.game.currency, "transaction_id": name}
        if self._post(path, body, may=(409,)).is_done and self._chance.randrange(5) == 0:
            self._post(f"/v1/transactions/{name}/rollback", may=(409,))
