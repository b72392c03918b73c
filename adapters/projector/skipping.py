"""Events that a read model passes over because an operator said so: recorded, seen by rebuilds, never taken back.

Nothing is passed over by itself. The record names the person, the reason and the fault that stopped the model.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from psycopg import Connection

from adapters.projector.facts import FactReader
from adapters.projector.folding import fold, plan
from adapters.projector.storage import Generation, live_generations, load_rows, lock_models, prepare_session
from adapters.view_store.rows import RowError
from domain.frozen import dataclass
from domain.views import MODELS
from domain.views.model import Model

_READ: Final = "SELECT model, position FROM view_skips WHERE model = ANY (string_to_array(%s, ',')) AND position > %s"
_ALL: Final = "SELECT model, position, decided_by, reason, fault, at FROM view_skips ORDER BY at, model"
_ADD: Final = "INSERT INTO view_skips (model, position, decided_by, reason, fault) VALUES (%s, %s, %s, %s, %s)"
_RELEASED: Final = """
    SELECT p.model FROM view_progress p JOIN view_skips s ON s.model = p.model AND s.position = p.position + 1
    WHERE p.live AND p.stopped_reason IS NOT NULL"""


class SkipRefused(Exception):
    """The model does not stand before that event, or the event is not what stops it. One line."""


@dataclass(frozen=True, slots=True)
class Skip:
    """An event at `position` that `model` passes over; `fault` is what stopped the model there."""

    model: str
    position: int
    decided_by: str
    reason: str
    fault: str
    at: datetime


def skip(
    conn: Connection,
    model: str,
    position: int,
    *,
    decided_by: str,
    reason: str,
    models: Mapping[str, Model[Any]] = MODELS,
) -> str:
    """Let a model that is stopped just before `position` pass over the event there; the fault that it had.

    On a connection of the projector's role in autocommit; the projector goes on at once. The event is tried first,
    and only one that this program cannot take is passed over. Raises SkipRefused, and KeyError for a name that is no
    model's.
    """
    known = models[model]
    prepare_session(conn)
    with conn.transaction():
        lock_models(conn, [known])
        live = live_generations(conn, [known])
        if not live or live[0].stopped is None:
            raise SkipRefused(f"{model} is not stopped, so it passes over nothing")
        if live[0].position + 1 != position:
            raise SkipRefused(f"{model} is stopped before position {live[0].position + 1}, not {position}")
        if position in skipped(conn, [model], position - 1).get(model, ()):
            raise SkipRefused(f"{model} passes over position {position} already; it goes on when `project` runs")
        _require_hopeless(conn, live[0], position)
        conn.execute(_ADD, [model, position, decided_by, reason, live[0].stopped])
        conn.execute("SELECT pg_notify('studbook_events', %s)", [str(position)])
    return live[0].stopped


def _require_hopeless(conn: Connection, one: Generation, position: int) -> None:
    """Refuse when it is a stored row that stops the model, or when the event can be taken now."""
    name = one.model.name
    tried = plan(one.model, FactReader().read(conn, position - 1, limit=1), position - 1)
    try:
        rows = load_rows(conn, one, tried.wanted())
    except RowError as error:
        raise SkipRefused(f"a stored row stops {name}, not an event: `studbook rebuild {name}` ({error})") from None
    if fold(one.model, tried, rows).fault is None:
        raise SkipRefused(
            f"{name} can take position {position}: start `project` anew, or `studbook rebuild {name}` ({one.stopped})"
        )


def skips(conn: Connection) -> list[Skip]:
    """Every skip that was ever recorded, oldest first."""
    return [Skip(*row) for row in conn.execute(_ALL).fetchall()]


def skipped(conn: Connection, models: Collection[str], after: int) -> Mapping[str, frozenset[int]]:
    """Positions past `after` that each of these models passes over; models with none are left out."""
    found: dict[str, set[int]] = {}
    for model, position in conn.execute(_READ, [",".join(models), after]).fetchall():
        found.setdefault(model, set()).add(position)
    return {model: frozenset(positions) for model, positions in found.items()}


def released(conn: Connection) -> frozenset[str]:
    """Stopped models whose next event is now to be passed over."""
    rows: Sequence[tuple[str]] = conn.execute(_RELEASED).fetchall()
    return frozenset(model for (model,) in rows)
