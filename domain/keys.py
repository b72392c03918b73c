"""Keys: what may be done with them, decided on the keys that an operator has at that moment.

A key is configuration, not an event of the ledger; who did what to it stands in the access log.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from domain.errors import Forbidden, LimitReached, NotFound
from domain.frozen import dataclass

ADMIN: Final = "admin"
"""The role that makes and ends keys."""

ACTIVE_MOST: Final = 2
"""Keys of one subject that work at once: the one in use, and the one that takes its place."""


@dataclass(frozen=True, slots=True)
class KeyFacts:
    """A key as everybody may see it. `is_signed`: its requests must carry a signature."""

    key_id: str
    subject: str
    roles: frozenset[str]
    label: str
    is_signed: bool
    created_at: datetime
    revoked_at: datetime | None
    made_by: str | None
    replaces: str | None


def check_new(keys: Collection[KeyFacts], subject: str, roles: frozenset[str], giver: frozenset[str]) -> None:
    """Forbidden where the giver lacks a role that it would give; LimitReached where the subject has two keys."""
    if missing := sorted(roles - giver):
        raise Forbidden(f"a key gives no role that it has not: {', '.join(missing)}", field="roles")
    active = sorted(one.key_id for one in keys if one.subject == subject and one.revoked_at is None)
    if len(active) >= ACTIVE_MOST:
        raise LimitReached(
            f"the subject has {len(active)} keys that work, {' and '.join(active)}: revoke one", field="subject"
        )


def key_of(keys: Collection[KeyFacts], key_id: str) -> KeyFacts:
    """The key of that id, revoked or not; NotFound."""
    for one in keys:
        if one.key_id == key_id:
            return one
    raise NotFound("no such key", field="key_id")


def check_rotation(keys: Collection[KeyFacts], key_id: str, giver: frozenset[str]) -> KeyFacts:
    """The key that gets a successor. NotFound for one that is revoked, and as `check_new`."""
    found = key_of(keys, key_id)
    if found.revoked_at is not None:
        raise NotFound("the key is revoked; make a new one", field="key_id")
    check_new(keys, found.subject, found.roles, giver)
    return found


def check_revocation(keys: Collection[KeyFacts], key_id: str, *, even_last: bool = False) -> KeyFacts:
    """The key to revoke, perhaps revoked before. Forbidden for the operator's last one that may make keys."""
    found = key_of(keys, key_id)
    others = [one for one in keys if one.key_id != key_id and one.revoked_at is None and ADMIN in one.roles]
    if found.revoked_at is None and ADMIN in found.roles and not others and not even_last:
        raise Forbidden("this is the last key with the role admin: make another one first", field="key_id")
    return found
