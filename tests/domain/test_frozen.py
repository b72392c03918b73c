"""Frozen dataclasses with a constructor of our own behave as the stock ones, fault by fault."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import KW_ONLY, FrozenInstanceError, InitVar, field
from typing import Any, Generic, TypeVar, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.changing import replace
from domain.frozen import dataclass, twin_of

T = TypeVar("T")


def made_by(build: Callable[..., Any]) -> dict[str, Any]:
    """The same classes, by one builder of dataclasses."""

    @build(frozen=True, slots=True)
    class Plain:
        number: int
        text: str = "some"
        flag: bool = False

    @build(frozen=True, slots=True)
    class Checked:
        number: int

        def __post_init__(self) -> None:
            if self.number < 0:
                raise ValueError("below zero")

    @build(frozen=True, slots=True)
    class Empty:
        pass

    return {one.__name__: one for one in (Plain, Checked, Empty, *unusual(build, Plain))}


def unusual(build: Callable[..., Any], base: Any) -> list[Any]:
    """Classes that keep their stock constructor, but for the one whose second field is worked out."""

    @build(frozen=True, slots=True)
    class WithFactory:
        items: list[int] = field(default_factory=list)

    @build(frozen=True, slots=True)
    class WorkedOut:
        number: int
        twice: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "twice", 2 * self.number)

    @build(frozen=True, slots=True)
    class Of(Generic[T]):
        item: T

    @build(frozen=True, slots=True)
    class Derived(base):
        more: int = 0

    @build(frozen=True)
    class WithoutSlots:
        number: int

    @build(slots=True)
    class Open:
        number: int

    return [WithFactory, WorkedOut, Of, Derived, WithoutSlots, Open, *own_ways(build)]


def own_ways(build: Callable[..., Any]) -> list[Any]:
    """Classes that are not built from their fields alone, or whose fields have the names of what a constructor uses."""

    @build(frozen=True, slots=True)
    class OwnConstructor:
        number: int

        def __init__(self) -> None:
            object.__setattr__(self, "number", 7)

    @build(frozen=True, slots=True, init=False)
    class NoConstructor:
        number: int

        def __init__(self, text: str) -> None:
            object.__setattr__(self, "number", len(text))

    @build(frozen=True, slots=True)
    class Seeded:
        number: int
        seed: InitVar[int] = cast(Any, 3)

        def __post_init__(self, seed: int) -> None:
            object.__setattr__(self, "number", self.number + seed)

    @build(frozen=True, slots=True)
    class Named:
        Twin: int
        Made: int
        become: int

    return [OwnConstructor, NoConstructor, Seeded, Named, odd_arguments(build)]


def odd_arguments(build: Callable[..., Any]) -> Any:
    @build(frozen=True, slots=True)
    class Myself:
        self: int
        _: KW_ONLY
        other: int = 2

    return Myself


OURS, STOCK = made_by(dataclass), made_by(dataclasses.dataclass)
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Plain", (1,), {}),
    ("Plain", (1, "a", True), {}),
    ("Plain", (1,), {"flag": True}),
    ("Plain", (), {}),
    ("Plain", (1, "a", True, 4), {}),
    ("Plain", (1,), {"other": 3}),
    ("Checked", (1,), {}),
    ("Checked", (-1,), {}),
    ("Empty", (), {}),
    ("Empty", (1,), {}),
    ("WithFactory", (), {}),
    ("WorkedOut", (4,), {}),
    ("WorkedOut", (4, 8), {}),
    ("WorkedOut", (), {}),
    ("Of", ("x",), {}),
    ("Derived", (1, "b", False, 5), {}),
    ("WithoutSlots", (1,), {}),
    ("Open", (1,), {}),
    ("OwnConstructor", (), {}),
    ("OwnConstructor", (1,), {}),
    ("NoConstructor", ("four",), {}),
    ("Seeded", (1,), {}),
    ("Seeded", (1, 2), {}),
    ("Named", (1, 2, 3), {}),
    ("Myself", (1,), {}),
    ("Myself", (1,), {"other": 5}),
    ("Myself", (1, 2), {}),
]


def outcome(work: Callable[[], Any]) -> Any:
    """Its fields, or the fault with its text."""
    try:
        found = work()
    except Exception as fault:
        return type(fault), str(fault)
    return type(found).__name__, repr(found), {one.name: getattr(found, one.name) for one in dataclasses.fields(found)}


@pytest.mark.parametrize(("name", "given", "named"), CALLS)
def test_a_class_is_built_as_the_stock_one_or_refuses_in_the_same_words(
    name: str, given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    assert outcome(lambda: OURS[name](*given, **named)) == outcome(lambda: STOCK[name](*given, **named))
    assert inspect.signature(OURS[name]) == inspect.signature(STOCK[name])


def test_most_classes_get_the_faster_constructor_and_the_others_keep_their_own() -> None:
    fast = {name for name, one in OURS.items() if "InTheMaking" in str(one.__init__.__globals__.get("Twin"))}
    assert fast == {"Plain", "Checked", "Empty", "WorkedOut"}
    assert twin_of(OURS["Derived"]) is None


@pytest.mark.parametrize("name", ["Plain", "Checked", "WorkedOut", "Derived", "WithoutSlots"])
def test_no_field_of_an_instance_can_be_set_or_taken_away(name: str) -> None:
    made = OURS[name](1)
    for one in (made, replace(made, number=2) if name != "WorkedOut" else made):
        with pytest.raises(FrozenInstanceError):
            one.number = 5
        with pytest.raises(FrozenInstanceError):
            del one.number
        assert type(one) is OURS[name]


@given(st.integers(), st.text(), st.booleans(), st.integers())
def test_a_changed_copy_equals_the_stock_one_and_leaves_the_first_as_it_was(
    number: int, text: str, flag: bool, other: int
) -> None:
    first = OURS["Plain"](number, text, flag)
    changed = replace(first, number=other)
    assert changed == OURS["Plain"](other, text, flag)
    assert hash(changed) == hash(OURS["Plain"](other, text, flag))
    assert first == OURS["Plain"](number, text, flag)
    assert dataclasses.replace(first, number=other) == changed


def test_a_copy_is_refused_a_field_that_is_not_there_and_checked_like_a_new_one() -> None:
    with pytest.raises(TypeError, match="nothing_such"):
        replace(OURS["Plain"](1), nothing_such=2)
    with pytest.raises(ValueError, match="below zero"):
        replace(OURS["Checked"](1), number=-2)
    assert replace(OURS["Derived"](1), more=7) == OURS["Derived"](1, more=7)


@dataclass(frozen=True, slots=True)
class _Kept:
    number: int


def test_an_instance_survives_pickling() -> None:
    kept = _Kept(3)
    assert pickle.loads(pickle.dumps(kept)) == kept
