"""Folding a story without a database."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.views import MODELS
from domain.views.model import Fact, Model, RowKey

Rows = dict[tuple[str, RowKey], Any]


def fold_into(model: Model[Any], rows: Rows, facts: Iterable[Fact]) -> Rows:
    """`rows` after the facts; a row that was neither named nor new, or a row of the wrong class, fails."""
    for fact in facts:
        if type(fact.event) not in model.reads:
            continue
        keys = model.keys(fact)
        changed = model.fold({key: rows.get((fact.operator, key)) for key in keys}, fact)
        for key, row in changed.items():
            at = (fact.operator, key)
            assert key in keys or at not in rows
            if row is None:
                rows.pop(at, None)
            else:
                assert type(row) is model.kinds[key.kind]
                rows[at] = row
    return rows


def folded(name: str, facts: Iterable[Fact], operator: str = "demo") -> dict[RowKey, Any]:
    """The rows of one operator in the model of that name."""
    rows = fold_into(MODELS[name], {}, facts)
    return {key: row for (owner, key), row in rows.items() if owner == operator}


def group(rows: dict[RowKey, Any], grp: str) -> list[Any]:
    """The rows of a group in order of their keys."""
    return [rows[key] for key in sorted(rows) if key.grp == grp]
