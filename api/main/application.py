"""The served application: command routes in front, FastAPI's reads behind, one house per process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import orjson
from fastapi import FastAPI
from psycopg_pool import AsyncConnectionPool
from starlette.types import ASGIApp

from adapters.clock import SystemClock, SystemIds
from adapters.database.errors import StartRefused
from adapters.event_store import PostgresLog
from adapters.keys import PostgresKeys
from adapters.shoe import Shoe
from api.auth import AuthGate, KeyRing, Principal, StoredKey, open_path
from api.dispatcher import Dispatcher
from api.fields import EXPONENTS
from api.main.environment import Environment, build_hash, environment, software_version
from api.orders import Orders
from api.problems import install
from api.routes import command_routes
from services.answers import Answer
from services.desk import Tools
from services.house import House

CLOCK_BEHIND_MOST: Final = timedelta(seconds=1)
"""Start is refused when the clock is further behind the last event (design section 4)."""

READ_POOL: Final = 8

log = logging.getLogger("studbook.api")


class RingStore:
    """Keys of the database as the ring wants them."""

    def __init__(self, keys: PostgresKeys) -> None:
        self._keys = keys

    async def find(self, key_id: str) -> StoredKey | None:
        """The key of that id, None when there is none or it is revoked."""
        row = await self._keys.find(key_id)
        if row is None:
            return None
        return StoredKey(row.secret_hash, Principal(row.operator, row.subject, row.key_id, row.roles))
