"""Folding a batch into a model's rows, in memory. A fault stops the model before the event that caused it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.projector.facts import Seen, Unread
from adapters.projector.sharing import Share
from domain.views.model import Fact, Model, RowKey

Rows = dict[str, dict[RowKey, Any]]
"""Rows of one generation, for each operator by where they lie. None: there is none any more."""

Wanted = Mapping[str, Collection[RowKey]]
"""For each operator, where rows lie."""


@dataclass(slots=True)
class Plan:
    """A batch as one model looks at it: the facts that it reads, with the rows they touch, up to the first fault."""

    position: int = 0
    fault: str | None = None
    facts: list[tuple[Fact, tuple[RowKey, ...]]] = field(default_factory=list)

    def wanted(self) -> dict[str, set[RowKey]]:
        """The rows that the model must see."""
        found: dict[str, set[RowKey]] = {}
        operator, mine = None, set[RowKey]()
        for fact, keys in self.facts:
            if fact.operator != operator:
                operator = fact.operator
                mine = found.setdefault(operator, set())
            mine.update(keys)
        return found


@dataclass(slots=True)
class Folded:
    """What a batch made of a model's rows: `changed`, and the position up to which it is folded."""

    changed: Rows
    position: int
    fault: str | None


class _Readers(dict[type[Any] | None, list["_Reader"]]):
    """For the class of an event, who reads it; all of them for one whose class is not known.

    `of_all` are those who read it whoever its player is.
    """

    def __init__(self, active: list[_Reader]) -> None:
        super().__init__()
        self._active = active
        self.of_all: dict[type[Any], list[_Reader]] = {}

    def __missing__(self, cls: type[Any] | None) -> list[_Reader]:
        made = self[cls] = [one for one in self._active if cls is None or cls in one.reads]
        return made

    def stop(self, one: _Reader, position: int, fault: str) -> None:
        """This model goes no further."""
        one.plan.position, one.plan.fault = position - 1, fault
        self._active.remove(one)
        self.clear()
        self.of_all.clear()

    def of(self, fact: Fact, share: Share) -> list[_Reader]:
        """Who reads an event by player: where it is another's only those who read it whoever its player is."""
        cls = type(fact.event)
        try:
            if share.takes(fact):
                return self[cls]
        except ValueError as error:
            for one in [one for one in self[cls] if cls in one.by_player]:
                self.stop(one, fact.position, _fault(fact, error))
        if cls not in self.of_all:
            self.of_all[cls] = [one for one in self[cls] if cls not in one.by_player]
        return self.of_all[cls]


@dataclass(slots=True, eq=False)
class _Reader:
    """A model that is planned for."""

    reads: Collection[type[Any]]
    keys: Callable[[Fact], tuple[RowKey, ...]]
    skips: Collection[int]
    plan: Plan
    by_player: Collection[type[Any]]


def plans(
    models: Sequence[Model[Any]],
    batch: Sequence[Seen],
    upto: int,
    skips: Mapping[str, Collection[int]],
    share: Share | None = None,
) -> list[Plan]:
    """What each model has to do for a batch that ends at position `upto`; events at its `skips` are passed over, and
    those of players who are not of the `share`, where the model can be folded player by player.
    """
    active = [_Reader(one.reads, one.keys, skips.get(one.name, ()), Plan(upto), one.by_player) for one in models]
    made = [one.plan for one in active]
    readers = _Readers(active)
    shared = frozenset[type[Any]]() if share is None else share.by_player
    for seen in batch:
        if isinstance(seen, Unread):
            for one in readers[seen.cls]:
                if seen.position not in one.skips:
                    readers.stop(one, seen.position, f"position {seen.position}: {seen.fault}")
            continue
        cls = type(seen.event)
        for one in readers[cls] if share is None or cls not in shared else readers.of(seen, share):
            if one.skips and seen.position in one.skips:
                continue
            try:
                keys = one.keys(seen)
            except Exception as error:
                readers.stop(one, seen.position, _fault(seen, error))
            else:
                one.plan.facts.append((seen, keys))
    return made


def plan(model: Model[Any], batch: Sequence[Seen], after: int, skips: Collection[int] = ()) -> Plan:
    """What one model has to do for the batch that follows position `after`."""
    (made,) = plans([model], batch, batch[-1].position if batch else after, {model.name: skips})
    return made


def fold(model: Model[Any], made: Plan, rows: Rows) -> Folded:
    """Fold the planned facts into `rows`, which is changed; rows that are not in it do not exist."""
    changed: Rows = {}
    operator, mine, touched = None, dict[RowKey, Any](), dict[RowKey, Any]()
    step = model.fold
    for fact, keys in made.facts:
        if fact.operator != operator:
            operator = fact.operator
            mine, touched = rows.setdefault(operator, {}), changed.setdefault(operator, {})
        get = mine.get
        try:
            if len(keys) == 1:
                after = step({keys[0]: get(keys[0])}, fact)
            else:
                after = step({key: get(key) for key in keys}, fact)
        except Exception as error:
            return Folded(changed, fact.position - 1, _fault(fact, error))
        mine.update(after)
        touched.update(after)
    return Folded(changed, made.position, made.fault)


def _fault(fact: Fact, error: Exception) -> str:
    return f"position {fact.position}: {fact.name}: {type(error).__name__}: {' '.join(str(error).split())}"


def stopped_at(faults: Iterable[tuple[str, str]]) -> str:
    """One line for many models: each fault once, with the models that it stops."""
    by_fault: dict[str, list[str]] = {}
    for model, fault in faults:
        by_fault.setdefault(fault, []).append(model)
    return "; ".join(f"{', '.join(models)} stopped before {fault}" for fault, models in by_fault.items())
