"""The second person whom a call names."""

from __future__ import annotations

from domain.errors import Forbidden, Invalid
from services.desk import Desk


def second_person(desk: Desk, approver: str | None) -> str:
    """The approver. Invalid when nobody is named, Forbidden when it is who acts (R23)."""
    if approver is None:
        raise Invalid("name another person as approver", field="approver")
    if approver == desk.meta.actor:
        raise Forbidden("the approver is another person than the caller", field="approver")
    return approver
