"""Who came to the door, as the front tells it to the access log: uses of keys, failed logins, denials."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Protocol

from starlette.types import Scope

from api.auth import PRINCIPAL, Principal
from api.errors import Unauthenticated, status_of
from domain.access import DENIED, KEY_USED, LOGIN_FAILED, TOKEN_GIVEN, Visit
from domain.errors import Refusal

REFUSED: Final = "studbook.refused"
"""The scope's key of a failed login that is answered behind the front."""

UNKNOWN_PATH: Final = "(no such path)"


class Notes(Protocol):
    """Where visits are noted (services.access.AccessLog)."""

    def note(self, visit: Visit, request_id: str | None = None, times: int = 1) -> None:
        """Remember a visit."""

    def is_known(self, key_id: str, address: str | None) -> bool:
        """Count a use of a key; False where `first_use` has to tell it."""

    def first_use(self, visit: Visit, request_id: str | None) -> None:
        """The first use of a key within the hour."""


def address_of(scope: Scope) -> str | None:
    """The address at the other end of the connection; behind a proxy that is the proxy's."""
    client = scope.get("client")
    return client[0] if client else None


class Door:
    """One process's door. `templates` are the reads that there are, by the form of their paths."""

    def __init__(self, notes: Notes, templates: Iterable[tuple[re.Pattern[str], str]] = ()) -> None:
        self._notes = notes
        self._templates = tuple(templates)

    def used(self, principal: Principal, scope: Scope, route: str | None, request_id: str | None) -> None:
        """A key opened; two look-ups but for the first time in an hour."""
        client = scope.get("client")
        address = client[0] if client else None
        if not self._notes.is_known(principal.key_id, address):
            visit = Visit(
                KEY_USED, principal.operator, principal.subject, principal.key_id, address, scope["method"],
                route or self._template(scope["path"]),
            )  # fmt: skip
            self._notes.first_use(visit, request_id)

    def token_given(self, principal: Principal, scope: Scope, request_id: str | None) -> None:
        """A key was given a token."""
        self._notes.note(_visit(TOKEN_GIVEN, principal, scope, route=scope["path"], status=200, detail=""), request_id)

    def refused(self, refusal: Refusal, scope: Scope, route: str | None, request_id: str) -> None:
        """A request was refused; told where it is the caller who was."""
        status = status_of(refusal)
        found = scope.get(PRINCIPAL)
        where = route or self._template(scope["path"])
        if isinstance(refusal, Unauthenticated):
            visit = Visit(
                LOGIN_FAILED, refusal.operator, refusal.subject, refusal.key_id, address_of(scope), scope["method"],
                where, status, refusal.detail,
            )  # fmt: skip
            self._notes.note(visit, request_id)
        elif status == 403 and isinstance(found, Principal):
            visit = _visit(DENIED, found, scope, route=where, status=status, detail=refusal.detail)
            self._notes.note(visit, request_id)

    def answered(self, status: int, scope: Scope, request_id: str) -> None:
        """What lies behind the front has answered by itself."""
        if status == 401 and isinstance(refusal := scope.get(REFUSED), Refusal):
            self.refused(refusal, scope, None, request_id)
        elif status == 403 and isinstance(found := scope.get(PRINCIPAL), Principal):
            visit = _visit(DENIED, found, scope, route=self._template(scope["path"]), status=status, detail="")
            self._notes.note(visit, request_id)

    def _template(self, path: str) -> str:
        """The form of a path, never the path itself, which may hold what nobody meant to have written down."""
        return next((template for pattern, template in self._templates if pattern.match(path)), UNKNOWN_PATH)


def _visit(kind: str, who: Principal, scope: Scope, *, route: str, status: int, detail: str) -> Visit:
    return Visit(
        kind, who.operator, who.subject, who.key_id, address_of(scope), scope["method"], route, status, detail
    )  # fmt: skip


class _Nobody:
    """Notes nothing: for a front that stands alone."""

    def note(self, visit: Visit, request_id: str | None = None, times: int = 1) -> None:
        """Nothing."""

    def is_known(self, key_id: str, address: str | None) -> bool:  # noqa: ARG002  the names of the protocol
        """As if told."""
        return True

    def first_use(self, visit: Visit, request_id: str | None) -> None:
        """Nothing."""


UNWATCHED: Final = Door(_Nobody())
"""A door that nobody watches, for the tests of the front alone."""
