"""F29: `studbook serve` is killed in every state of a round, of all four games at once, while the players are gone.

After each start the round is the same: phase, cards, what is held; a second round of the table is refused. Then time
runs out, and the platform decides as the rules of each game say, marked as its own decision.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

from domain.hands import Category, rank_five
from domain.rounds.events import Dealt, RoundOpened, ShowdownHeld
from tests.domain.showdowns import DOLLAR, EURO, LAND, LIVE
from tests.faults.calls import Caller, Calls, command
from tests.faults.evidence import wait_until
from tests.faults.fault import Fault, Trial
from tests.faults.ground import judged_stage
from tests.faults.stage import Stage
from tests.support.casino import CURRENCY

GAMES: Final = {LIVE: 2, EURO: 4, DOLLAR: 2, LAND: 2}
"""Players at each table."""
STATES: Final = ("BETTING_OPEN", "BETTING_CLOSED", "DECIDING", "PAUSED", "SETTLED", "next round")
STEP_SECONDS: Final = 60.0
ANTE_MINOR: Final = 1_000


@dataclass(slots=True)
class Table:
    """A table, its players, its round, and what was seen of it before a kill."""

    name: str
    ruleset: str
    is_auto: bool
    players: list[str]
    round: str = ""
    cards: dict[str, Any] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)


class Room:
    """Eight tables: one of each game that timers drive, one that calls drive. Windows outlast a start of the service,
    which takes `start_seconds` on this machine."""

    def __init__(self, trial: Trial, stage: Stage, calls: Calls, start_seconds: float) -> None:
        self.trial, self.stage, self.calls = trial, stage, calls
        betting, decision, pause = (ceil(times * start_seconds) + 5 for times in (3, 3, 2))
        self.windows = {
            "betting_seconds": betting, "closing_soon_seconds": 2, "decision_seconds": decision, "pause_seconds": pause,
        }  # fmt: skip
        self.caller = Caller(stage, calls)
        self.starts = [start_seconds]
        self.tables = [
            Table(f"{kind}-{game}", game, kind == "auto", [f"{kind}-{game}-{nth}" for nth in range(players)])
            for kind in ("auto", "hand")
            for game, players in GAMES.items()
        ]

    def post(self, path: str, body: Any = None) -> Any:
        """A command that must be accepted; its answer."""
        key = f"k{len(self.calls.acknowledged)}"
        reply = self.caller.settle(command(path, body or {}, key))
        if not reply.is_done:
            raise AssertionError(f"{path}: {reply.status} {reply.content[:200]!r}")
        return reply.body

    def get(self, path: str) -> Any:
        """A read."""
        return self.caller.get(path).body

    def furnish(self) -> None:
        """Tables, players with money; a round at each table that calls drive."""
        for one in self.tables:
            currency = CURRENCY[one.ruleset]
            for player in one.players:
                self.post("/v1/players", {"player": player, "currency": currency})
                paid = {"amount": 100_000, "currency": currency, "transaction_id": f"d-{player}"}
                self.post(f"/v1/players/{player}/deposits", paid)
        for one in self.tables:
            terms = {"table": one.name, "ruleset": one.ruleset, "currency": CURRENCY[one.ruleset]}
            pace = {"pace": "AUTO", **self.windows} if one.is_auto else {"pace": "MANUAL"}
            self.post("/v1/tables", {**terms, "ante_min": 100, "ante_max": 10_000, **pace})
        for one in self.tables:
            if one.is_auto:
                self.until(one, lambda at: self.last_round(at) != "", "no round was opened")
                one.round = self.last_round(one)
            else:
                one.round = self.post(f"/v1/tables/{one.name}/rounds")["round"]
            for seat, player in enumerate(one.players, 1):
                place = {} if one.ruleset == LIVE else {"seat": seat}
                self.post(f"/v1/rounds/{one.round}/wagers", {"player": player, "ante": ANTE_MINOR, **place})

    def last_round(self, one: Table) -> str:
        """The newest round of the table, empty when there is none."""
        items = self.get(f"/v1/rounds?table={one.name}").get("items", [])
        return items[0]["round"] if items else ""

    def until(self, at: Table, condition: Callable[[Table], bool], what: str) -> None:
        """Wait for it; TimeoutError when it does not come."""
        if not wait_until(lambda: condition(at), STEP_SECONDS, pause=0.1):
            raise TimeoutError(f"{at.name}: {what}")

    def phase(self, one: Table) -> str:
        """Where its round stands, from the events themselves."""
        return str(self.get(f"/v1/rounds/{one.round}/players/{one.players[0]}")["phase"])

    def see(self) -> None:
        """Note cards and holds of every player."""
        for one in self.tables:
            one.cards = {player: self._own(one, player) for player in one.players}
            one.held = {player: self._held(player) for player in one.players}

    def _own(self, one: Table, player: str) -> Any:
        view = self.get(f"/v1/rounds/{one.round}/players/{player}")
        return view["cards"], view["dealer"]

    def _held(self, player: str) -> int:
        position = self.get("/readyz")["position"]
        return int(self.get(f"/v1/players/{player}/balance?min_position={position}")["held"])

    def interrupted(self, states: tuple[str, ...]) -> None:
        """Kill it, start it, and hold that nothing has changed. `states`: those of the tables by timers and by hand."""
        phases = {one.name: self.phase(one) for one in self.tables}
        self.see()
        self.caller.close()
        self.stage.doors[0].kill()
        self.starts.append(self.stage.doors[0].start())
        for one in self.tables:
            where = f"{one.name} in {phases[one.name]}"
            same = {"BETTING_OPEN", "CLOSING_SOON"} if phases[one.name] == "BETTING_OPEN" else {phases[one.name]}
            found = {player: self._own(one, player) for player in one.players}
            held = {player: self._held(player) for player in one.players}
            self.trial.expect(self.phase(one) in same, f"{where}: it is {self.phase(one)} after the start")
            self.trial.expect(found == one.cards, f"{where}: other cards after the start")
            self.trial.expect(held == one.held, f"{where}: {held} is held, it was {one.held}")
            if phases[one.name] != "SETTLED":
                self.trial.expect(min(held.values()) >= ANTE_MINOR, f"{where}: the hold is not shown")
                self._no_second_round(one, where)
        self.trial.progress(self.trial.done + len(GAMES) * len(states), ", ".join(states))

    def _no_second_round(self, one: Table, where: str) -> None:
        key = f"second-{one.name}-{time.monotonic_ns()}"
        second = self.caller.settle(command(f"/v1/tables/{one.name}/rounds", {}, key))
        self.trial.expect(second.status == 409, f"{where}: a second round was answered with {second.status}")

    def each(self, what: str, body: Any = None, *, auto: bool | None = None) -> None:
        """A call on the round of every table, or of those by timers or by hand."""
        for one in self.tables:
            if auto in {None, one.is_auto}:
                self.post(f"/v1/rounds/{one.round}/{what}", body)

    def all_in(self, phase: str, *, auto: bool | None = None) -> None:
        """Until the rounds stand there."""
        for one in self.tables:
            if auto in {None, one.is_auto}:
                self.until(one, lambda at: self.phase(at) == phase, f"it never came to {phase}")


def run(trial: Trial) -> None:
    calls = Calls()
    with Stage.start(trial.folder, doors=1) as stage:
        began = time.monotonic()
        stage.doors[0].kill()
        stage.doors[0].start()
        room = Room(trial, stage, calls, time.monotonic() - began)
        room.furnish()
        room.each("close", auto=False)
        room.interrupted(("BETTING_OPEN", "BETTING_CLOSED"))
        room.each("deal", auto=False)
        room.all_in("DECIDING")
        room.interrupted(("DECIDING",))
        room.each("pause", {"reason": "nobody answers"})
        room.interrupted(("PAUSED",))
        room.each("resume")
        room.each("settle", auto=False)
        room.all_in("SETTLED")
        room.interrupted(("SETTLED",))
        for one in room.tables:
            decided_by_the_platform(room, one)
            if one.is_auto:
                room.until(one, lambda at: room.last_round(at) != at.round, "no next round")
        trial.progress(trial.done + len(GAMES), "next round")
        evidence = judged_stage(trial, stage, calls)
    dealt: Counter[str] = Counter()
    events = [one.event for one in evidence.events]
    for event in events:
        if isinstance(event, Dealt | ShowdownHeld):
            dealt[f"{type(event).__name__} {event.round}"] += 1
    trial.expect(set(dealt.values()) == {1}, f"a round was dealt or shown more than once: {dealt}")
    opened = Counter(event.terms.table for event in events if isinstance(event, RoundOpened))
    trial.expect(all(n <= 3 for n in opened.values()), f"rounds were opened in vain: {opened}")
    trial.figure("kills", 5)
    trial.figure("start s", max(room.starts))


def decided_by_the_platform(room: Room, one: Table) -> None:
    """Fold, and on 002 a bet with a pair or better, each marked as the platform's (R19)."""
    shown = room.get(f"/v1/rounds/{one.round}/players/{one.players[0]}")
    room.trial.expect(shown["phase"] == "SETTLED", f"{one.name}: {shown['phase']}")
    for player in one.players:
        view = room.get(f"/v1/rounds/{one.round}/players/{player}")
        good = rank_five(tuple(view["cards"])).category is not Category.HIGH_CARD
        due = "CALL" if one.ruleset == EURO and good else "FOLD"
        found = (view["decision"], view["decided_by"])
        room.trial.expect(found == (due, "SYSTEM"), f"{one.name}: {found} with {view['hand']}")


CELLS: Final = len(STATES) * len(GAMES)
FAULT: Final = Fault("F29", "interrupted in every state, players gone", CELLS, CELLS, "cells", run)
