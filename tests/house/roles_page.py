"""Writes docs/roles.md from the route tables: `python -m tests.house.roles_page`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, cast

from fastapi.routing import APIRoute

from api.auth import ROLES, Requires
from api.auth_gate import OPEN_PATHS, TOKEN_PATH
from api.reads import Readers, read_routers
from api.routes import command_routes
from api.routes.exports import export_routes
from api.routes.keys import key_routes
from api.routes.webhooks import webhook_routes
from tests.house.tree import ROOT

PAGE: Final = ROOT / "docs" / "roles.md"
COLUMNS: Final = sorted(ROLES)

HEAD = """\
# Who may call what

A key has one or more roles; a call is open to a key that has one of those marked here, within its own operator. All
else is `FORBIDDEN`, and noted in the [access log](keys.md#the-access-log). This page is written from the tables that
the service serves from (`python -m tests.house.roles_page`); a test makes every call with a key of each role alone.

| role | for |
|---|---|
| `operator` | the casino's own systems: players, money, wagers, tables |
| `dealer` | who drives a round at a table, and a studio's scanner |
| `auditor` | who checks: rounds with their events, the journal, the access log; changes nothing |
| `finance` | who keeps the books: the journal, corrections, awards above the threshold |
| `admin` | everything, and keys |
"""

Calls = dict[tuple[str, str], frozenset[str]]


def calls() -> Calls:
    """Every call that needs a key, by method and path, with the roles that may make it."""
    nothing = cast(Any, None)
    commands = (
        *command_routes(nothing),
        *key_routes(nothing),
        *webhook_routes(nothing, nothing, False),
        *export_routes(nothing, nothing),
    )
    found: Calls = {(one.method, one.path): one.roles for one in commands}
    for router in read_routers(Readers(*[nothing] * len(fields(Readers)))):
        for route in router.routes:
            if isinstance(route, APIRoute):
                needed = [one.call.roles for one in route.dependant.dependencies if isinstance(one.call, Requires)]
                assert len(needed) == 1, f"{route.path}: who may read this is not said, or said twice"
                found.update({(method, route.path): needed[0] for method in sorted(route.methods)})
    return found


def page() -> str:
    """The page as it must be."""
    found = calls()
    parts = [HEAD]
    for title, methods in (("Commands", ("POST", "PATCH", "DELETE")), ("Reads", ("GET",))):
        rows = [row(method, path, roles) for (method, path), roles in found.items() if method in methods]
        head = f"| call | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}\n"
        parts.append(f"## {title}\n\n{head}" + "\n".join(rows) + "\n")
    open_paths = ", ".join(f"`{path}`" for path in sorted(OPEN_PATHS - {TOKEN_PATH}))
    parts.append(
        f"## Without a key\n\n{open_paths} and what lies below `/docs`. `POST {TOKEN_PATH}` takes a key in its form\n"
        "([tokens](keys.md#tokens)).\n"
    )
    assert len(found) == len(set(found))
    return "\n".join(parts)


def row(method: str, path: str, roles: frozenset[str]) -> str:
    """A call's line."""
    return f"| `{method} {path}` | " + " | ".join("yes" if one in roles else "" for one in COLUMNS) + " |"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
