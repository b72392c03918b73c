"""Events of every class: drawn by hypothesis, or fixed ones for the golden file."""

from __future__ import annotations

import types
import typing
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from services.ports import Meta

BIG = 2**53 + 1
AT = datetime(2026, 11, 29, 19, 33, 31, 66_256, tzinfo=UTC)

aware_times = st.datetimes(
    min_value=datetime(1970, 1, 2),  # hypothesis wants naive bounds
    timezones=st.builds(lambda m: timezone(timedelta(minutes=m)), st.integers(-14 * 60, 14 * 60)) | st.just(UTC),
)
utc_times = st.datetimes(min_value=datetime(1970, 1, 2), timezones=st.just(UTC))  # as above

_SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=40),
    int: st.integers() | st.sampled_from([BIG, -BIG, 2**63, 2**64, 10**30]),
    bool: st.booleans(),
    datetime: aware_times,
    type(None): st.none(),
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Every value that a field of this type may hold."""
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, args = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return st.one_of(*(values_of(arg) for arg in args))
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return st.lists(values_of(args[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*(values_of(arg) for arg in args))
    if issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    assert is_dataclass(hint), hint
    hints = get_type_hints(hint)
    return st.builds(hint, **{field.name: values_of(hints[field.name]) for field in fields(hint)})


metas: st.SearchStrategy[Meta] = values_of(Meta)


def sample(hint: Any, *, full: bool, name: str = "x") -> Any:
    """One fixed value of a type: with every optional field and two of each list, or with as little as it may hold."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return sample(args[0], full=full, name=name) if full else None
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return tuple(sample(args[0], full=full, name=f"{name}-{n}") for n in (1, 2)) if full else ()
    if origin is tuple:
        return tuple(sample(arg, full=full, name=f"{name}-{n}") for n, arg in enumerate(args))
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        values = {field.name: sample(hints[field.name], full=full, name=field.name) for field in fields(hint)}
        return hint(**values)  # type: ignore[operator]  # a dataclass, as was just asked
    if issubclass(hint, Enum):
        return list(hint)[-1 if full else 0]
    fixed = {str: f"{name} é" if full else "", int: BIG if full else 0, bool: full, datetime: AT}
    return fixed[hint]


def sample_meta(operator: str = "demo") -> Meta:
    return Meta(operator, "player-1", "key-1", "request-1", "idem-1", "round-1", "command-1", AT)
