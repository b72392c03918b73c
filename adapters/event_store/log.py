"""The event log as its one writer sees it: one connection, reopened after any failure."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from typing import Final

import psycopg

from adapters.database.network import guarded
from adapters.event_store.session import Session
from adapters.event_store.statements import SESSION
from adapters.event_store.tail import Tail
from adapters.event_store.turn import PostgresTurn
from services.ports import Key, LogUnavailable

_LOGGER: Final = logging.getLogger("studbook.event_store")


class PostgresLog:
    """See services.ports.Log. `conninfo` is the writer's login; one turn at a time."""

    def __init__(self, conninfo: str) -> None:
        settings = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
        self._conninfo = guarded(conninfo, settings=settings)
        self._session: Session | None = None
        self._tail = Tail()
        self._is_busy = False

    async def aopen(self) -> None:
        """Connect, so that a wrong address is known at start. Raises LogUnavailable."""
        try:
            await self._connection()
        except psycopg.Error as error:
            raise LogUnavailable(f"no connection to the log: {_one_line(error)}") from error

    async def aclose(self) -> None:
        """Close the connection; a later turn would open a new one."""
        await self._drop()

    @asynccontextmanager
    async def turn(self, keys: Collection[Key], after: int | None) -> AsyncGenerator[PostgresTurn]:
        """See services.ports.Log. After anything that is raised within, the next turn begins on a new connection and
        knows nothing.
        """
        if self._is_busy:
            raise RuntimeError("the log has one writer, which takes one turn at a time")
        self._is_busy = True
        is_sound = False
        try:
            turn = await self._begun(keys, after)
            yield turn
            if turn.is_open:
                await self._end(turn)
            is_sound = True
        finally:
            self._is_busy = False
            if not is_sound:
                await self._drop()

    async def _begun(self, keys: Collection[Key], after: int | None) -> PostgresTurn:
        try:
            turn = PostgresTurn(await self._connection(), self._tail)
            await turn.begin(keys, after)
        except psycopg.errors.LockNotAvailable as error:
            raise LogUnavailable("another writer has held the log for too long") from error
        except psycopg.Error as error:
            raise LogUnavailable(f"the log cannot be had: {_one_line(error)}") from error
        return turn

    async def _end(self, turn: PostgresTurn) -> None:
        try:
            await turn.end()
        except psycopg.Error as error:
            _LOGGER.warning("the connection was lost at the end of a turn without events: %s", _one_line(error))
            await self._drop()

    async def _connection(self) -> Session:
        if self._session is not None and self._session.is_closed:
            await self._drop()
        if self._session is None:
            self._tail = Tail()
            self._session = await Session.open(self._conninfo)
        return self._session

    async def _drop(self) -> None:
        """Forget the connection and what was known over it."""
        session, self._session = self._session, None
        self._tail = Tail()
        if session is not None:
            await session.close()


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
