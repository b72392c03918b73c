"""What serves the calls about webhooks and exports. It has connections of its own: the pool that keys are looked up
with is small, and who asks for webhooks or files without pause would keep everybody else's keys waiting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from psycopg_pool import AsyncConnectionPool

from adapters.clock import SystemClock, SystemIds
from adapters.database.pools import request_pool
from adapters.database.settings import Role
from adapters.deliverer import new_secret
from adapters.export_store import PostgresExports
from adapters.served_once import PostgresMemory
from adapters.webhook_store import PostgresWebhooks
from api.main.delivering import sealing
from api.main.environment import Environment, operators_zone
from domain.access import Visit
from services.access import AccessLog
from services.exports.desk import ExportDesk
from services.once import Once
from services.webhooks import Webhooks

POOL: Final = 2


class Notes:
    """Lines for the access log; `access` is named before the first call."""

    access: AccessLog

    def note(self, visit: Visit, request_id: str | None) -> None:
        """Remember a visit."""
        self.access.note(visit, request_id)


@dataclass(frozen=True, slots=True)
class Hooks:
    """Open `pool` before the first call."""

    pool: AsyncConnectionPool
    webhooks: Webhooks
    exports: ExportDesk
    once: Once
    notes: Notes


def hooks_of(env: Environment) -> Hooks:
    """All of it. Invalid for a key of webhooks that is none; StartRefused when STUDBOOK_ZONE names no zone."""
    name = "studbook webhooks"
    pool = request_pool(env.settings.conninfo(Role.REQUEST, name), POOL, name, autocommit=True)
    seal = sealing(env.webhook_vault())
    webhooks = Webhooks(PostgresWebhooks(pool), SystemClock(), SystemIds(), seal, new_secret)
    notes = Notes()
    exports = ExportDesk(PostgresExports(pool), SystemClock(), SystemIds(), operators_zone(), notes.note)
    return Hooks(pool, webhooks, exports, Once(PostgresMemory(env.settings.conninfo(Role.WRITER, name))), notes)
