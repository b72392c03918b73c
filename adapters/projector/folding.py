"""Folding a batch into a model's rows, in memory. A fault stops the model before the event that caused it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.projector.facts import Seen
from domain.views.model import Fact, Model, RowKey

Place = tuple[str, RowKey]
"""An operator and where a row of its lies."""


@dataclass(slots=True)
class Plan:
    """A batch as one model looks at it: the facts that it reads, with the rows they touch, up to the first fault."""

    facts: list[tuple[Fact, tuple[RowKey, ...]]] = field(default_factory=list)
    position: int = 0
    fault: str | None = None

    def seen_rows(self) -> set[Place]:
        """The rows that the model must see."""
        return {(fact.operator, key) for fact, keys in self.facts for key in keys}


@dataclass(slots=True)
class Folded:
    """What a batch made of a model's rows: `changed` (None: gone), and the position up to which it is folded."""

    changed: dict[Place, Any]
    position: int
    fault: str | None


def plan(model: Model[Any], batch: Sequence[Seen], after: int, skips: Collection[int] = ()) -> Plan:
    """What `model` has to do for the batch that follows position `after`; events at `skips` are passed over."""
    made = Plan(position=after)
    reads = model.reads
    for seen in batch:
        if (seen.cls is None or seen.cls in reads) and seen.position not in skips:
            if seen.fact is None:
                made.fault = f"position {seen.position}: {seen.fault}"
                return made
            try:
                keys = model.keys(seen.fact)
            except Exception as error:
                made.fault = _fault(seen.fact, error)
                return made
            made.facts.append((seen.fact, keys))
        made.position = seen.position
    return made


def fold(model: Model[Any], made: Plan, rows: dict[Place, Any]) -> Folded:
    """Fold the planned facts into `rows`, which is changed; rows that are not in it do not exist."""
    changed: dict[Place, Any] = {}
    for fact, keys in made.facts:
        operator = fact.operator
        try:
            after = model.fold({key: rows.get((operator, key)) for key in keys}, fact)
        except Exception as error:
            return Folded(changed, fact.position - 1, _fault(fact, error))
        for key, row in after.items():
            rows[operator, key] = changed[operator, key] = row
    return Folded(changed, made.position, made.fault)


def _fault(fact: Fact, error: Exception) -> str:
    return f"position {fact.position}: {fact.name}: {type(error).__name__}: {' '.join(str(error).split())}"


def stopped_at(faults: Iterable[tuple[str, str]]) -> str:
    """One line for many models: each fault once, with the models that it stops."""
    by_fault: dict[str, list[str]] = {}
    for model, fault in faults:
        by_fault.setdefault(fault, []).append(model)
    return "; ".join(f"{', '.join(models)} stopped before {fault}" for fault, models in by_fault.items())
