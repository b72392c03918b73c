"""F20: signed requests that somebody recorded are sent again at +0, +1 and +301 s, and changed in every part."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http.client import HTTPConnection
from typing import Any, Final

from standardwebhooks import Webhook

from adapters.database.settings import Role
from adapters.keys import KeyRow, add_key
from adapters.token_keys import DerivedSecrets, token_keys
from api.auth import ROLES, NewKey, make_key
from api.signing import WINDOW_SECONDS, request_id
from tests.faults.calls import Calls, Command, Reply, command
from tests.faults.check import Watch, check
from tests.faults.crowd import Crowd
from tests.faults.fault import Fault, Trial
from tests.faults.stage import OPERATOR, OTHER, Stage

PLAYERS: Final = 10
CLIENTS: Final = 8
CHUNK: Final = 25
"""Requests that are recorded together, and sent three times before their window ends."""

RECORDED_AGO: Final = 280
"""Seconds before now at which they were signed, so that +301 s need not be waited for from the start."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as it stood on the wire, and when it was signed (seconds since 1970)."""

    command: Command
    headers: dict[str, str]
    at: int


@dataclass(frozen=True, slots=True)
class Signer:
    """A key that signs."""

    key: str
    secret: str

    def record(self, one: Command, at: int) -> Recorded:
        """The command signed at that time."""
        said = request_id(one.method, one.path, one.key)
        moment = datetime.fromtimestamp(at, UTC)
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Idempotency-Key": one.key,
            "webhook-id": said,
            "webhook-timestamp": str(at),
            "webhook-signature": Webhook(self.secret).sign(said, moment, one.body.decode()),
        }
        return Recorded(one, headers, at)


@dataclass(frozen=True, slots=True)
class Scene:
    """What the steps share."""

    trial: Trial
    stage: Stage
    calls: Calls
    ours: Signer
    theirs: Signer

    def send(self, nth: int, one: Recorded) -> tuple[Reply, str]:
        """Once at one of the doors; the reply, and the check that failed where it names one."""
        began = time.monotonic()
        conn = HTTPConnection("127.0.0.1", self.stage.doors[nth % 2].port, timeout=30)
        try:
            conn.request(one.command.method, one.command.path, one.command.body, one.headers)
            answer = conn.getresponse()
            content = answer.read()
            told = {name.lower(): value for name, value in answer.getheaders()}
        finally:
            conn.close()
        replayed = told.get("idempotency-replayed") == "true"
        reply = Reply(answer.status, content, replayed, told.get("retry-after"), time.monotonic() - began)
        return reply, str(json.loads(content).get("check", ""))


def run(trial: Trial) -> None:
    """Record and repeat in chunks, change every part, repeat all of them when their window has ended."""
    with Stage.start(trial.folder) as stage:
        calls, watch = Calls(), Watch(stage)
        scene = Scene(trial, stage, calls, signer(stage, OPERATOR), signer(stage, OTHER))
        _furnish(stage, calls)
        recorded: list[Recorded] = []
        for first in range(0, trial.amount, CHUNK):
            recorded += _record(scene, range(first, min(first + CHUNK, trial.amount)))
            trial.progress(first, "sent and sent again within the window")
        head = stage.anchor().position
        _changed(scene, recorded)
        _late(scene, recorded)
        trial.expect(stage.anchor().position == head, "a repeated or changed request has written an event")
        trial.progress(trial.amount)
        watch.fault_ended()
        check(trial, stage, calls, watch)


def _furnish(stage: Stage, calls: Calls) -> None:
    crowd = Crowd(stage, calls, 4)
    crowd.settle_all([
        command("/v1/players", {"player": f"p{nth}", "currency": "EUR"}, f"{operator}-p{nth}", operator)
        for operator in (OPERATOR, OTHER) for nth in range(PLAYERS)
    ])  # fmt: skip
    crowd.leave()


def signer(stage: Stage, operator: str) -> Signer:
    """A key of the operator that signs, as `studbook keys add --signed` makes it."""
    made: NewKey = make_key()
    secrets = DerivedSecrets(token_keys(None, stage.doors[0].environ))
    assert secrets.current is not None
    with stage.connect(Role.WRITER) as conn:
        add_key(conn, KeyRow(made.key_id, operator, "signer", ROLES, made.hash, secrets.current))
    return Signer(made.key, secrets.secret(secrets.current, made.key_id))


def _record(scene: Scene, numbers: range) -> list[Recorded]:
    """Deposits: each has its effect, and is sent again at once and a second later, at either door."""
    at = int(time.time()) - RECORDED_AGO
    found = [scene.ours.record(_deposit(nth), at) for nth in numbers]
    firsts = _each(scene, found)
    for one, (reply, check_) in zip(found, firsts, strict=True):
        scene.calls.note(one.command, reply)
        scene.trial.expect(
            reply.status == 201, f"a signed request was answered {reply.status} {check_} {reply.content[:200]!r}"
        )
    for pause in (0.0, 1.0):
        time.sleep(pause)
        for one, (first, _), (again, check_) in zip(found, firsts, _each(scene, found, 1), strict=True):
            same = (again.status, again.content, again.replayed) == (first.status, first.content, True)
            scene.trial.expect(same, f"{one.command.key} again at +{pause:.0f} s: {again.status} {check_}")
    scene.trial.count("repeated within", 2 * len(found))
    return found


def _changed(scene: Scene, recorded: list[Recorded]) -> None:
    """Each with one part changed: refused by the check that is there for it."""
    for name, (check_, change) in CHANGES.items():
        now = int(time.time())
        fresh = [scene.ours.record(one.command, now) for one in recorded]
        for reply, told in _each(scene, [change(scene, one) for one in fresh]):
            scene.trial.expect((reply.status, told) == (401, f"signature.{check_}"), f"{name}: {reply.status} {told}")
        scene.trial.count("changed", len(recorded))
        scene.trial.progress(len(recorded), f"changed: {name}")


def _late(scene: Scene, recorded: list[Recorded]) -> None:
    """Each as it was recorded, 301 s after it was signed."""
    end = max(one.at for one in recorded) + WINDOW_SECONDS + 1
    scene.trial.progress(len(recorded), "until the window has ended")
    time.sleep(max(0.0, end - time.time()))
    for reply, told in _each(scene, recorded):
        scene.trial.expect((reply.status, told) == (401, "signature.timestamp"), f"at +301 s: {reply.status} {told}")
    scene.trial.count("repeated late", len(recorded))


def _each(scene: Scene, sent: list[Recorded], door: int = 0) -> list[tuple[Reply, str]]:
    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(lambda nth: scene.send(nth + door, sent[nth]), range(len(sent))))


def _deposit(nth: int) -> Command:
    body = {"amount": nth + 1, "currency": "EUR", "transaction_id": f"t{nth}"}
    return command(f"/v1/players/p{nth % PLAYERS}/deposits", body, f"k{nth}")


def _with(one: Recorded, **headers: str | None) -> Recorded:
    """With some headers replaced, or left out."""
    named: dict[str, Any] = one.headers | {name.replace("_", "-"): value for name, value in headers.items()}
    return replace(one, headers={name: value for name, value in named.items() if value is not None})


def _moved(_: Scene, one: Recorded) -> Recorded:
    other = one.command.path.replace("deposits", "withdrawals")
    return replace(one, command=replace(one.command, path=other))


def _richer(_: Scene, one: Recorded) -> Recorded:
    return replace(one, command=replace(one.command, body=one.command.body.replace(b'"amount":', b'"amount":9')))


def _foreign(scene: Scene, one: Recorded) -> Recorded:
    return _with(one, Authorization=f"Bearer {scene.theirs.key}")


CHANGES: Final[dict[str, tuple[str, Callable[[Scene, Recorded], Recorded]]]] = {
    "path": ("id", _moved),
    "body": ("signature", _richer),
    "tenant": ("signature", _foreign),
    "idempotency key": ("id", lambda _, one: _with(one, Idempotency_Key=f"{one.command.key}-fresh")),
    "moved timestamp": ("signature", lambda _, one: _with(one, webhook_timestamp=str(one.at + 1))),
    "no timestamp": ("headers", lambda _, one: _with(one, webhook_timestamp=None)),
}
"""What is changed, and the check that must find it."""

FAULT: Final = Fault("F20", "recorded requests sent again and changed", 200, 200, "requests", run)
