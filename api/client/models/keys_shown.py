"""Keys, shown: models. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from datetime import datetime

from ..answer import Answer


class AccessItem(Answer):
    """A line of the access log; `times` visits alike, the first of them at `at` with this `request_id`."""

    at: datetime
    kind: str
    times: int
    subject: str | None
    key_id: str | None
    address: str | None
    method: str | None
    route: str | None
    status: int | None
    request_id: str | None
    detail: str


class KeyItem(Answer):
    """A key. `signed`: its requests must be signed; `replaces`: the key that it was made to take the place of."""

    key_id: str
    subject: str
    roles: list[str]
    label: str
    signed: bool
    created_at: datetime
    revoked_at: datetime | None
    made_by: str | None
    replaces: str | None


class AccessItemPage(Answer):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: list[AccessItem]
    next: str | None
    position: int


class KeyItemPage(Answer):
    """Items, the cursor of the next page (None: this is the last), and the position that the answer holds for."""

    items: list[KeyItem]
    next: str | None
    position: int
