"""The header `Location` of what a call has made: where to read it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from api.route_table import Answer, Call, CommandRoute

Locator = Callable[[Call[Any], bytes], str]
"""From a call and the body of its answer to the path of what it made. Ids need no quoting there."""


def located(route: CommandRoute[Any], where: Locator | None) -> CommandRoute[Any]:
    """The route with the header on its 201, and on a 200 that repeats one; the route itself without `where`."""
    if where is None:
        return route
    handle = route.handle

    async def made(call: Call[Any]) -> Answer:
        done = await handle(call)
        if done.status > 201:
            return done
        location = (b"location", where(call, done.body).encode())
        return Answer(done.status, done.body, (*done.headers, location), done.replayed)

    return replace(route, handle=made, located=True)
