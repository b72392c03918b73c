"""API keys and operators as PostgreSQL keeps them: hashes only, found one at a time by key id."""

from __future__ import annotations

import psycopg
from psycopg import Connection
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from domain.errors import Unavailable
from domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key: what it stands for, and the SHA-256 of its text. `signing_key` names the service's key from which its
    signing secret comes; None: its requests need no signature.
    """

    key_id: str
    operator: str
    subject: str
    roles: frozenset[str]
    secret_hash: bytes
    signing_key: str | None = None
    is_revoked: bool = False


class PostgresKeys:
    """Looks keys up with the request login, which cannot list their hashes."""

    def __init__(self, pool: AsyncConnectionPool) -> None:
        self._pool = pool

    async def find(self, key_id: str) -> KeyRow | None:
        """The key, revoked or not, None when there is none; Unavailable when the database cannot be asked."""
        try:
            async with self._pool.connection() as conn:
                cursor = await conn.execute(
                    "SELECT key_id, operator, subject, roles, secret_hash, signing_key, revoked_at IS NOT NULL"
                    " FROM studbook.find_key(%s)",
                    [key_id],
                )
                row = await cursor.fetchone()
        except (psycopg.Error, PoolTimeout) as error:
            raise Unavailable("keys cannot be looked up now; send the same request again") from error
        if row is None:
            return None
        return KeyRow(row[0], row[1], row[2], frozenset(row[3]), bytes(row[4]), row[5], row[6])


def ensure_operator(conn: Connection, operator: str, four_eyes: str) -> bool:
    """Make an operator known; False when it was. `conn` is the writer's."""
    cursor = conn.execute(
        "INSERT INTO studbook.operators (operator, four_eyes) VALUES (%s, %s) ON CONFLICT (operator) DO NOTHING",
        [operator, four_eyes],
    )
    return cursor.rowcount == 1


def set_four_eyes(conn: Connection, operator: str, four_eyes: str) -> str | None:
    """Set how two persons agree; what it was, None for an operator that is not there. `conn` is the writer's."""
    was = conn.execute("SELECT four_eyes FROM studbook.operators WHERE operator = %s FOR UPDATE", [operator]).fetchone()
    if was is None:
        return None
    conn.execute("UPDATE studbook.operators SET four_eyes = %s WHERE operator = %s", [four_eyes, operator])
    return str(was[0])


def add_key(conn: Connection, key: KeyRow) -> bool:
    """Store a key; False when its id is there already. `conn` is the writer's."""
    cursor = conn.execute(
        "INSERT INTO studbook.api_keys (key_id, operator, subject, roles, secret_hash, signing_key)"
        " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (key_id) DO NOTHING",
        [key.key_id, key.operator, key.subject, sorted(key.roles), key.secret_hash, key.signing_key],
    )
    return cursor.rowcount == 1


def is_active(conn: Connection, key_id: str) -> bool:
    """Whether a key is there and not revoked. `conn` is the writer's."""
    found = conn.execute("SELECT 1 FROM studbook.api_keys WHERE key_id = %s AND revoked_at IS NULL", [key_id])
    return found.fetchone() is not None
