"""A table that timers drive, watched from outside: when its windows open and close by the true time (F09)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.client import HTTPConnection
from itertools import count
from typing import Any, Final
from urllib.parse import urlencode

from adapters.database.settings import Role
from adapters.event_store import LogReader
from api.auth import bootstrap_key
from domain.rounds.events import BettingClosed, RoundOpened
from tests.faults.calls import Caller, Calls, Command, command
from tests.faults.crowd import Crowd
from tests.faults.evidence import wait_until
from tests.faults.fault import Trial
from tests.faults.stage import OPERATOR, Stage, api_key

TABLE: Final = "window"
BETTING: Final = 5
CUT_MOST: Final = 1.0
PLAYERS: Final = 48
WAIT_SECONDS: Final = 90.0
LOOK_SECONDS: Final = 0.02


class Windows:
    """Each window by the name of its round; the log is read on as it grows."""

    def __init__(self, trial: Trial, stage: Stage, calls: Calls) -> None:
        self.caller = Caller(stage, calls, 0)
        self._trial, self._stage, self._calls = trial, stage, calls
        self._position = 0
        self._opened: dict[str, float] = {}
        self._closed: dict[str, float] = {}
        self._bets = count()

    def furnish(self) -> None:
        """The table, and players with money."""
        crowd = Crowd(self._stage, self._calls, 4)
        names = [f"{TABLE}-{nth}" for nth in range(PLAYERS)]
        crowd.settle_all([command("/v1/players", {"player": one, "currency": "EUR"}, f"r-{one}") for one in names])
        crowd.settle_all([
            command(f"/v1/players/{one}/deposits", {"amount": 100_000, "currency": "EUR", "transaction_id": f"d-{one}"},
                    f"d-{one}") for one in names
        ])  # fmt: skip
        crowd.leave()
        body = {"table": TABLE, "ruleset": "live-5plus1-v1", "currency": "EUR", "ante_min": 100, "ante_max": 10_000,
                "pace": "AUTO", "betting_seconds": BETTING, "closing_soon_seconds": 2, "decision_seconds": 1,
                "pause_seconds": 1}  # fmt: skip
        self._expect(self.caller.settle(command("/v1/tables", body, "table-of-windows")).status, 201, "the table")

    def next(self) -> tuple[str, float]:
        """The next round that opens from now on, and when it did."""
        self._look()
        known = set(self._opened)
        self._until(lambda: bool(self._opened.keys() - known), "no window opened")
        (name, *_) = self._opened.keys() - known
        return name, self._opened[name]

    def closed(self, name: str) -> float:
        """When betting on the round closed."""
        self._until(lambda: name in self._closed, f"the window of round {name} did not close")
        return self._closed[name]

    def bet(self, name: str, status: int, what: str) -> None:
        """A bet of a player who has not bet yet, and how it must be answered."""
        player = f"{TABLE}-{next(self._bets) % PLAYERS}"
        one = command(f"/v1/rounds/{name}/wagers", {"player": player, "ante": 100}, f"bet-{name}-{player}")
        self._expect(self.caller.settle(one).status, status, what)

    def deposit(self, key: str) -> Command:
        """A command to sign."""
        body = {"amount": 1, "currency": "EUR", "transaction_id": key}
        return command(f"/v1/players/{TABLE}-0/deposits", body, key)

    def token(self) -> str:
        """A token of ten minutes."""
        key = api_key(OPERATOR)
        form = {"grant_type": "client_credentials", "client_id": bootstrap_key(key).key_id, "client_secret": key}
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        status, body = self._http("POST", "/oauth/token", urlencode(form), kind)
        self._expect(status, 200, "the request for a token")
        return str(body.get("access_token"))

    def get_with(self, token: str) -> int:
        """The status of a read with this token."""
        status, _ = self._http("GET", f"/v1/players/{TABLE}-0/balance", None, {"Authorization": f"Bearer {token}"})
        return status

    def end(self) -> None:
        """No further window opens."""
        body = {"scope": "TABLE", "id": TABLE, "reason": "the run is over"}
        self._expect(self.caller.settle(command("/v1/disable", body, "no-more-windows")).status, 200, "the end")
        self.caller.close()

    def _expect(self, status: int, wanted: int, what: str) -> None:
        self._trial.expect(status == wanted, f"{what} was answered {status}")

    def _http(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[int, Any]:
        conn = HTTPConnection("127.0.0.1", self._stage.doors[0].port, timeout=150)
        try:
            conn.request(method, path, body, headers)
            answer = conn.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            conn.close()

    def _until(self, condition: Callable[[], bool], otherwise: str) -> None:
        def looked() -> bool:
            self._look()
            return condition()

        if not wait_until(looked, WAIT_SECONDS, LOOK_SECONDS):
            raise TimeoutError(f"{otherwise} within {WAIT_SECONDS:.0f} s")

    def _look(self) -> None:
        """Note what came since the last look."""
        with self._stage.connect(Role.PROJECTOR) as conn:
            for one in LogReader(conn).events(self._position):
                self._position = one.position
                match one.event:
                    case RoundOpened() as event if event.terms.table == TABLE:
                        self._opened[event.round] = time.monotonic()
                    case BettingClosed(round=name) if name in self._opened:
                        self._closed[name] = time.monotonic()
                    case _:
                        pass
