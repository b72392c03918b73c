"""Who comes in and how: keys, tokens, signatures, and the notes of all that, wired for one serving process."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Final

from psycopg_pool import AsyncConnectionPool
from starlette.routing import Route

from adapters.access_rows import OldVisits, PostgresAccessRows
from adapters.clock import SystemClock
from adapters.database.settings import Role
from adapters.key_book import PostgresKeyBook
from adapters.key_watch import watch_keys
from adapters.keys import PostgresKeys
from adapters.steady import STEADY
from adapters.token_keys import DerivedSecrets, token_keys
from api import metrics
from api.auth import KeyRing, Principal, StoredKey, make_key
from api.auth_gate import TOKEN_PATH
from api.door import Door
from api.encoding import encoded
from api.main.environment import Environment
from api.signing import Signatures
from api.tokens import Tokens
from domain.access import CLOCK_JUMPED, KEPT, Visit
from services.access import AccessLog
from services.keys import FreshKey, KeyDesk
from services.retention import Retention

STOP_SECONDS: Final = 2.0
"""What the last notes may take to be written when the process ends."""

JUMPS_SECONDS: Final = 1.0
"""Between two looks for jumps of the clock."""


class RingStore:
    """Keys of the database as the ring wants them."""

    def __init__(self, keys: PostgresKeys) -> None:
        self._keys = keys

    async def find(self, key_id: str) -> StoredKey | None:
        """The key of that id, None when there is none."""
        row = await self._keys.find(key_id)
        if row is None:
            return None
        who = Principal(row.operator, row.subject, row.key_id, row.roles, row.signing_key)
        return StoredKey(row.secret_hash, who, row.is_revoked)


@dataclass(frozen=True, slots=True)
class Doors:
    """What the front needs, and what runs beside it."""

    env: Environment
    ring: KeyRing
    tokens: Tokens
    desk: KeyDesk
    door: Door
    access: AccessLog
    rows: PostgresAccessRows

    def work(self) -> tuple[Coroutine[Any, Any, None], ...]:
        """What runs until the process ends: notes are written, revocations heard, old notes removed."""
        settings = self.env.settings
        old = OldVisits(settings.conninfo(Role.PROJECTOR, "studbook retention"))
        return (
            self.access.run(),
            _tell_jumps(self.access),
            watch_keys(settings.conninfo(Role.REQUEST, "studbook key watch"), self.ring.forget),
            Retention(old, SystemClock(), KEPT, "lines of the access log").run(),
        )

    async def close(self) -> None:
        """Write the last notes."""
        try:
            await asyncio.wait_for(self.access.stop(), STOP_SECONDS)
        except TimeoutError:
            metrics.ACCESS_DROPPED.inc(self.access.waiting)
        await self.rows.aclose()


async def _tell_jumps(access: AccessLog) -> None:
    """Note each jump of the machine's clock, within a second; until cancelled."""
    while True:
        for seconds in STEADY.take_jumps():
            access.note(Visit(CLOCK_JUMPED, detail=f"the machine's clock jumped by {seconds:+.3f} s"))
        await asyncio.sleep(JUMPS_SECONDS)


def doors(env: Environment, pool: AsyncConnectionPool, templates: Iterable[tuple[re.Pattern[str], str]]) -> Doors:
    """All of it. Invalid for a token key that is none."""
    keys = token_keys(env.embedded_dir)
    secrets, tokens = DerivedSecrets(keys), Tokens(keys, STEADY.seconds)
    ring = KeyRing(RingStore(PostgresKeys(pool)), tokens=tokens, signatures=Signatures(secrets, SystemClock().now))
    rows = PostgresAccessRows(env.settings.conninfo(Role.WRITER, "studbook access log"))
    templates = (*templates, (re.compile(f"^{TOKEN_PATH}$"), TOKEN_PATH))
    access = AccessLog(rows, SystemClock(), metrics.ACCESS_DROPPED.inc)
    metrics.ACCESS_WAITING.set_function(lambda: access.waiting)
    return Doors(env, ring, tokens, key_desk(env, secrets), Door(access, templates), access, rows)


def key_desk(env: Environment, secrets: DerivedSecrets) -> KeyDesk:
    """Where keys change."""
    book = PostgresKeyBook(env.settings.conninfo(Role.WRITER, "studbook keys"))
    return KeyDesk(book, SystemClock(), _fresh, secrets, encoded)


def templates_of(routes: Iterable[object]) -> list[tuple[re.Pattern[str], str]]:
    """The forms of the paths of these routes."""
    return [(one.path_regex, one.path) for one in routes if isinstance(one, Route)]


def _fresh() -> FreshKey:
    return FreshKey(*make_key())
