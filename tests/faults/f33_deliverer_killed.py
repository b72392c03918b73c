"""F33 (our own row): the deliverer of webhooks is killed (SIGKILL) again and again, while one endpoint answers at once,
one now and then with 500, one slowly, and one not at all until the last kill.

Each gets every event, first in the order of the log and verified by its signature; what comes twice comes under the
same id in the same bytes; the dead one holds no other up.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from standardwebhooks import Webhook

from adapters.deliverer import new_secret
from adapters.event_store import LogReader
from adapters.vault_keys import vault_from_text
from api.main.delivering import secret_context
from tests.faults.evening import Evening
from tests.faults.evidence import wait_until
from tests.faults.fault import Fault, Trial
from tests.faults.ground import ground
from tests.postgres import Database
from tests.store.commands import ROOT, WEBHOOK_KEY, environment
from tests.store.support import shop_of
from tests.support.counter import OPERATOR
from tests.support.receiver import Got, Receiver, receiving

TYPES: Final = ("studbook.seat.", "studbook.round.", "studbook.jackpot.")
NAMES: Final = ("at once", "with 500", "slow", "dead")
BEFORE_A_KILL: Final = 25
"""A deliverer is killed when the first endpoint has had up to so many events from it."""
CAUGHT_UP_SECONDS: Final = 120.0
"""For liveness alone: it takes seconds."""
WELL_AGAIN: Final = "UPDATE webhooks SET failures = 0, failing_since = NULL, next_at = NULL, run = run + 1"


class Ends:
    """The operator's side: four receivers, the last of which does not answer yet."""

    def __init__(self, receivers: list[Receiver], chance: random.Random) -> None:
        self.by_name = dict(zip(NAMES, receivers, strict=True))
        self.secrets = {name: new_secret() for name in NAMES}
        self._chance = chance
        self.is_dead = True
        self.by_name["with 500"].answers = self._now_and_then
        self.by_name["slow"].answers = self._slowly
        self.by_name["dead"].answers = lambda _: 503 if self.is_dead else 200

    def _now_and_then(self, got: Got) -> int:
        is_first = sum(one.id == got.id for one in self.by_name["with 500"].got) == 1
        return 500 if is_first and self._chance.random() < 0.01 else 200

    def _slowly(self, _: Got) -> int:
        time.sleep(0.02)
        return 200

    def taken(self, name: str) -> list[Got]:
        """What an endpoint has said yes to, or at least was asked to."""
        return list(self.by_name[name].got)

    def keep(self, database: Database) -> None:
        """Webhooks from the first event on."""
        vault = vault_from_text(WEBHOOK_KEY, "the key of webhooks")
        with database.connect("request", operator=OPERATOR) as conn:
            for name, receiver in self.by_name.items():
                conn.execute(
                    "INSERT INTO webhooks (operator, webhook, url, types, active, position)"
                    " VALUES (%s, %s, %s, %s, true, 0)",
                    [OPERATOR, name, receiver.url, list(TYPES)],
                )
                sealed = vault.seal_text(self.secrets[name], secret_context(OPERATOR, name))
                conn.execute(
                    "INSERT INTO webhook_secrets (operator, webhook, number, sealed, created_at)"
                    " VALUES (%s, %s, 1, %s, %s)",
                    [OPERATOR, name, sealed, datetime.now(UTC)],
                )


def run(trial: Trial) -> None:
    chance = random.Random(trial.seed)
    with ground(trial) as database, ends_of(chance) as ends:
        asyncio.run(play(database, chance, trial.amount * BEFORE_A_KILL))
        ends.keep(database)
        for nth in range(trial.amount):
            killed(trial, database, ends.by_name["at once"], chance.randrange(1, BEFORE_A_KILL))
            trial.progress(nth + 1, f"{len(ends.by_name['at once'].got)} delivered at once")
        wanted = positions(database)
        with delivering(database):
            judge(trial, database, ends, wanted)
    trial.figure("events", len(wanted))


def judge(trial: Trial, database: Database, ends: Ends, wanted: list[int]) -> None:
    """Without another kill all come in, the dead one's last; then what came is looked at."""
    for name in NAMES[:3]:
        is_whole = has_all(ends.by_name[name], wanted[-1])
        trial.expect(is_whole, f"{name}: not everything came while another endpoint was dead")
    dead = ends.by_name["dead"]
    trial.expect({one.event["id"] for one in dead.got} == {str(wanted[0])}, "dead: an event passed one before it")
    ends.is_dead = False
    dead.got.clear()
    with database.connect("request", operator=OPERATOR) as conn:
        conn.execute(WELL_AGAIN)
        conn.execute("SELECT pg_notify('studbook_webhooks', '')")
    trial.expect(has_all(dead, wanted[-1]), "dead: it came to life and did not get everything")
    twice = 0
    for name in NAMES:
        twice += looked_at(trial, name, ends, wanted)
    trial.figure("came twice", twice)


def looked_at(trial: Trial, name: str, ends: Ends, wanted: list[int]) -> int:
    """All of one endpoint's requests; how many came more than once."""
    got = ends.by_name[name].got
    first: dict[str, Got] = {}
    for one in got:
        trial.expect(is_signed(one, ends.secrets[name]), f"{name}: the signature of {one.id} does not hold")
        event = one.event
        trial.expect(one.id == f"msg_{event['id']}", f"{name}: id {one.id} of event {event['id']}")
        known = first.setdefault(one.id, one)
        trial.expect(known.body == one.body, f"{name}: {one.id} came again in other bytes")
    order = [int(one.event["id"]) for one in first.values()]
    trial.expect(order == wanted, f"{name}: {len(order)} of {len(wanted)} events, or not in their order")
    return sum(times - 1 for times in Counter(one.id for one in got).values())


def is_signed(one: Got, secret: str) -> bool:
    """Whether a signature holds; how old it is does not count, a run may take longer than a receiver would allow."""
    at = datetime.fromtimestamp(int(one.headers["webhook-timestamp"]), UTC)
    return Webhook(secret).sign(one.id, at, one.body.decode()) in one.headers["webhook-signature"].split()


def has_all(receiver: Receiver, last: int) -> bool:
    """Whether the last event has come, waited for."""
    return wait_until(lambda: last_of(receiver) == last, CAUGHT_UP_SECONDS)


def last_of(receiver: Receiver) -> int:
    """The position of the last event that came."""
    return int(receiver.got[-1].event["id"]) if receiver.got else 0


def positions(database: Database) -> list[int]:
    """Of the events that the endpoints are for."""
    names = tuple(one.removeprefix("studbook.") for one in TYPES)
    with database.connect("projector") as conn:
        return [row.position for row in LogReader(conn).raw() if row.name.startswith(names)]


async def play(database: Database, chance: random.Random, events: int) -> None:
    """Rounds with at least so many events that the endpoints are for."""
    async with shop_of(database.conninfo("writer")) as shop:
        evening = Evening(shop, chance)
        await evening.furnish()
        while len(positions(database)) < events:
            await evening.rounds()


def killed(trial: Trial, database: Database, receiver: Receiver, more: int) -> None:
    """One deliverer to its death, after so many further requests."""
    before = len(receiver.got)
    with delivering(database) as process:
        came = wait_until(lambda: len(receiver.got) >= before + more, CAUGHT_UP_SECONDS)
        trial.expect(came, f"at once: nothing came from the deliverer within {CAUGHT_UP_SECONDS:.0f} s")
        os.kill(process.pid, signal.SIGKILL)
        trial.expect(
            process.wait(10) == -signal.SIGKILL, f"the deliverer was not killed, it ended: {process.returncode}"
        )


@contextmanager
def ends_of(chance: random.Random) -> Iterator[Ends]:
    with receiving() as first, receiving() as second, receiving() as third, receiving() as fourth:
        yield Ends([first, second, third, fourth], chance)


@contextmanager
def delivering(database: Database) -> Iterator[subprocess.Popen[bytes]]:
    """`studbook deliver` as a process; stopped at the end if it still runs."""
    told = {
        **environment(database),
        "STUDBOOK_DATABASE_URL": database.settings.url,
        "STUDBOOK_WEBHOOK_PRIVATE": "127.0.0.0/8",
    }
    with subprocess.Popen([sys.executable, "-m", "api.cli", "deliver"], env=told, cwd=ROOT) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(60)


FAULT: Final = Fault("F33", "webhooks' deliverer killed", 10, 100, "kills", run)
