"""After a fault: wait until everything has come to rest, then hold all invariants against it, and ask again."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from adapters.database.settings import Role
from services.chain import Anchor
from tests.faults import money
from tests.faults.calls import Caller, Calls
from tests.faults.evidence import Evidence, gather, wait_until
from tests.faults.fault import Trial
from tests.faults.invariants import AUTO_SECONDS, judge
from tests.faults.stage import OPERATOR, Stage

LANES: Final = 8
ASKED_AGAIN_MOST: Final = 3_000
"""Acknowledged commands that are sent a second time after a run."""


@dataclass(slots=True)
class Watch:
    """What is noted outside the database while a fault runs: heads of the log, and when the last fault ended."""

    stage: Stage
    anchors: list[Anchor] = field(default_factory=list)
    ended: datetime | None = None

    def note(self) -> None:
        """Note the head now."""
        self.anchors.append(self.stage.anchor())

    def fault_ended(self) -> None:
        """From now on the service must recover."""
        self.ended = datetime.now(UTC)


def check(trial: Trial, stage: Stage, calls: Calls, watch: Watch | None = None) -> Evidence:
    """All invariants; then each acknowledged command (a few thousand at most) again under its key, and every balance
    over HTTP. Nothing may write meanwhile: `Load.finish` was called."""
    watch = watch or Watch(stage)
    wait_until(lambda: not open_rounds(stage), AUTO_SECONDS + 5, pause=0.25)
    trial.checked({"I2": ask_again(stage, calls, trial.seed)})
    stage.wait_models(150)
    anchor = stage.anchor()
    evidence = gather(stage.connect, [*watch.anchors, anchor])
    trial.checked(judge(evidence, calls, after=watch.ended))
    trial.checked({"I1": public_balances(stage, calls, evidence)})
    if evidence.head != anchor.position:
        trial.checked({"I8": [f"the log has {evidence.head} events, {anchor.position} were noted outside"]})
    trial.count("acked", len(calls.acknowledged))
    trial.count("events", evidence.head)
    return evidence


def open_rounds(stage: Stage) -> int:
    """Rounds that have not ended, by the log."""
    with stage.connect(Role.PROJECTOR) as conn:
        rows = conn.execute("SELECT originator_id, topic FROM stored_events WHERE topic LIKE 'round.%'").fetchall()
    ends = ("round.settled.", "round.cancelled.", "round.voided.")
    opened = {stream for stream, topic in rows if topic.startswith("round.opened.")}
    return len(opened - {stream for stream, topic in rows if topic.startswith(ends)})


def ask_again(stage: Stage, calls: Calls, seed: int, most: int = ASKED_AGAIN_MOST) -> list[str]:
    """The same key again returns the first result, marked as a replay; what differs is in the answer's words."""
    asked = list(calls.acknowledged.items())
    if len(asked) > most:
        asked = random.Random(seed).sample(asked, most)
    head = stage.anchor().position

    def lane(nth: int) -> list[str]:
        caller, found = Caller(stage, calls, nth), []
        for one, first in asked[nth::LANES]:
            again = caller.settle(one)
            if (again.status, again.content) != (first.status, first.content):
                found.append(f"{one.path}, key {one.key}: first {first.content[:80]!r}, then {again.content[:80]!r}")
            elif not again.replayed:
                found.append(f"{one.path} with key {one.key} was not marked as a replay")
        caller.close()
        return found

    with ThreadPoolExecutor(LANES) as pool:
        found = [text for part in pool.map(lane, range(LANES)) for text in part]
    if (now := stage.anchor().position) != head:
        found.append(f"asking again moved the log from {head} to {now}")
    return found


def public_balances(stage: Stage, calls: Calls, evidence: Evidence) -> list[str]:
    """Every player's balance as the API tells it is what the log adds up to."""
    wallets = [
        (name, told) for (operator, name), told in money.wallets(evidence.events).items() if operator == OPERATOR
    ]

    def lane(nth: int) -> list[str]:
        caller, found = Caller(stage, calls, nth), []
        for player, told in wallets[nth::LANES]:
            reply = caller.get(f"/v1/players/{player}/balance?min_position={evidence.head}")
            shown = (reply.body.get("available"), reply.body.get("held"))
            if reply.status != 200 or shown != told:
                found.append(f"the API shows {player} with {shown}, the log says {told}")
        caller.close()
        return found

    with ThreadPoolExecutor(LANES) as pool:
        return [text for part in pool.map(lane, range(LANES)) for text in part]
