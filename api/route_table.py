"""The table of command routes: one row per POST or PATCH that changes something.

The dispatcher serves from it and the OpenAPI document is made from it, so they cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pydantic import TypeAdapter

from api.auth import ROLES, Principal
from api.errors import Header
from api.gate import BODY_LIMIT
from domain.errors import Refusal

B = TypeVar("B")
_PARAM: Final = re.compile(r"\{([a-z_]+)\}")


class Answer(NamedTuple):
    """What goes back: a status and encoded JSON that holds nothing per request, so that a replay is byte-equal."""

    status: int
    body: bytes
    headers: tuple[Header, ...] = ()
    replayed: bool = False


class Call(NamedTuple, Generic[B]):  # made with every call, and a tuple is made quicker than a frozen dataclass
    """An admitted request: who calls, the checked ids of the path, the checked body, and its names.

    `key` is None only where the route does not require one. `fingerprint` tells equal requests from different ones
    under the same key. `traceparent` is the caller's W3C trace context when it sent a valid one. `address` is the
    other end of the connection.
    """

    principal: Principal
    path: Mapping[str, str]
    body: B
    key: str | None
    fingerprint: bytes
    request_id: str
    traceparent: str | None
    address: str | None = None


@dataclass(frozen=True)  # no slots: a generic class with them cannot be made as CommandRoute[Wager](...) on Python 3.11
class CommandRoute(Generic[B]):
    """One row: where it is, what it takes, who may, what it does.

    `path` is a template such as `/v1/rounds/{round}/wagers`, `body` a strict model (api.fields.Body) or anything
    that pydantic's TypeAdapter takes, `body_limit` is in bytes. With `body_optional` no body counts as `{}`.
    With `reader` that reads it, not the model, from the bytes and the parsed object, and no fingerprint is made.
    `weight`: how many requests a body counts for where keys are limited.
    `success`, `answer` (the type of its body), `summary`, `refusals`, `repeats` (a transaction id that was served
    before answers 200 with the first answer) and `proposal` (the body of a 202) are for the documentation.
    """

    method: str
    path: str
    body: type[B]
    roles: frozenset[str]
    handle: Callable[[Call[B]], Awaitable[Answer]]
    body_limit: int = BODY_LIMIT
    key_required: bool = True
    located: bool = False
    """Whether a 201 has the header Location, for the documentation."""
    body_optional: bool = False
    success: int = 200
    answer: type[Any] | UnionType | None = None
    summary: str = ""
    refusals: tuple[type[Refusal], ...] = ()
    repeats: bool = False
    proposal: type[Any] | None = None
    reader: Callable[[bytes, dict[str, Any]], B] | None = None
    weight: Callable[[B], int] | None = None


@dataclass(frozen=True, slots=True)
class Leaf:
    """A route made ready: its schema compiled, the names of its path's parameters in order."""

    route: CommandRoute[Any]
    adapter: TypeAdapter[Any]
    params: tuple[str, ...]


@dataclass(slots=True)
class _Node:
    literals: dict[str, _Node] = field(default_factory=dict)
    param: _Node | None = None
    leaves: dict[str, Leaf] = field(default_factory=dict)


class RouteTable:
    """Look-up of a path: one dictionary per segment. ValueError at construction for rows that contradict."""

    def __init__(self, routes: Iterable[CommandRoute[Any]]) -> None:
        self.routes: tuple[CommandRoute[Any], ...] = tuple(routes)
        self._root = _Node()
        for route in self.routes:
            self._add(route)

    def find(self, path: str) -> tuple[dict[str, Leaf], list[str]] | None:
        """The routes of a path by method, and the values of its parameters, not yet checked; None when unknown."""
        node: _Node | None = self._root
        values: list[str] = []
        for part in path.split("/")[1:]:
            assert node is not None
            below = node.literals.get(part)
            if below is None:
                below = node.param
                if below is None:
                    return None
                values.append(part)
            node = below
        return (node.leaves, values) if node is not None and node.leaves else None

    def _add(self, route: CommandRoute[Any]) -> None:
        if not route.roles or not route.roles <= ROLES:
            raise ValueError(f"{route.path}: roles are one or more of {sorted(ROLES)}")
        if not route.path.startswith("/"):
            raise ValueError(f"{route.path}: a path begins with a slash")
        node = self._root
        params: list[str] = []
        for part in route.path.split("/")[1:]:
            if match := _PARAM.fullmatch(part):
                params.append(match[1])
                node.param = below = node.param or _Node()
            else:
                below = node.literals.setdefault(part, _Node())
            if node.param is not None and node.literals:
                raise ValueError(f"{route.path}: a parameter and a word at the same place of two paths")
            node = below
        if route.method in node.leaves or len(set(params)) != len(params):
            raise ValueError(f"{route.method} {route.path}: twice the same")
        node.leaves[route.method] = Leaf(route, TypeAdapter(route.body), tuple(params))
