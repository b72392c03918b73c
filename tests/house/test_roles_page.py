"""The page of who may call what is that of the tables that serve."""

from __future__ import annotations

from api.auth import ROLES
from tests.house.roles_page import PAGE, calls, page


def test_the_page_of_roles_is_written_from_the_route_tables() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python -m tests.house.roles_page"


def test_every_call_has_roles_and_admin_is_among_them() -> None:
    found = calls()
    assert len(found) > 60
    assert {
        call: roles for call, roles in found.items() if not roles or not roles <= ROLES or "admin" not in roles
    } == {}


def test_what_only_reads_changes_nothing_and_keys_are_for_admin_alone() -> None:
    found = calls()
    asked_for = {("POST", "/v1/exports")}  # a file is made, nothing else
    assert {call for call, roles in found.items() if "auditor" in roles and call[0] != "GET"} == asked_for
    keys = {call: roles for call, roles in found.items() if call[1].startswith("/v1/keys")}
    assert len(keys) == 4
    assert set(keys.values()) == {frozenset({"admin"})}
