"""Keys: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from datetime import datetime

from ..answer import Answer


class KeyAnswer(Answer):
    """A key that was made. `key` and `signing_secret` are told once: null when the same call is sent again."""

    key_id: str
    subject: str
    roles: list[str]
    label: str
    signed: bool
    created_at: datetime
    replaces: str | None
    key: str | None
    signing_secret: str | None
    position: int


class RevokedAnswer(Answer):
    """A key that no longer opens anything."""

    key_id: str
    subject: str
    revoked_at: datetime
    position: int
