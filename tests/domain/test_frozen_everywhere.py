"""Every frozen dataclass of the code is built, compared, kept and copied as the standard library would have it."""

from __future__ import annotations

import copy
import dataclasses
import gc
import inspect
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

from domain.changing import replace

PACKAGES = ("domain", "services", "adapters")
"""Those that have the builder of their own."""


def derived(cls: Any) -> Iterator[type[Any]]:
    """All classes below, those left out that slots made anew."""
    for one in type.__subclasses__(cls):
        yield from derived(one)
        if str(one.__module__).split(".")[0] not in PACKAGES:
            continue
        home: Any = sys.modules.get(str(one.__module__))
        for part in one.__qualname__.split("."):
            home = getattr(home, part, None)
        if home is one:
            yield one


def is_fast(cls: type[Any]) -> bool:
    """Whether the class has the constructor of domain.frozen."""
    return "InTheMaking" in str(getattr(cls.__init__, "__globals__", {}).get("Twin"))


@cache
def fast() -> list[Any]:
    for package in PACKAGES:
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    gc.collect()
    found = {one for one in derived(object) if one.__module__.split(".")[0] in PACKAGES and is_fast(one)}
    return sorted(found, key=lambda one: (one.__module__, one.__qualname__))


def stock(cls: type[Any]) -> Any:
    """The same fields, by the standard library."""
    members = {"__post_init__": cls.__post_init__} if hasattr(cls, "__post_init__") else {}
    specs = []
    for one in dataclasses.fields(cls):
        default = {} if one.default is dataclasses.MISSING else {"default": one.default}
        made: Any = dataclasses.field(**default, init=one.init, repr=one.repr, compare=one.compare, hash=one.hash)
        specs.append((one.name, one.type, made))
    other = dataclasses.make_dataclass(cls.__name__, specs, namespace=members, frozen=True, slots=True)
    other.__qualname__ = cls.__qualname__
    return other


def outcome(work: Callable[..., Any], *given: Any, **named: Any) -> Any:
    try:
        return work(*given, **named)
    except Exception as fault:
        return type(fault), str(fault)


def test_most_frozen_classes_of_the_code_are_looked_at() -> None:
    assert len(fast()) > 300


def test_each_takes_the_same_arguments_and_refuses_others_in_the_same_words() -> None:
    for cls in fast():
        other, names = stock(cls), [one.name for one in dataclasses.fields(cls) if one.init]
        assert str(inspect.signature(cls)) == str(inspect.signature(other)), cls
        assert cls.__match_args__ == other.__match_args__ == tuple(names), cls
        for given, more in (((*names, 1), {}), (names, {"other": 1}), ((), {"other": 1})):
            assert outcome(cls, *given, **more) == outcome(other, *given, **more), cls


def test_each_is_compared_kept_and_copied_as_the_stock_one_and_stays_frozen() -> None:
    for cls in fast():
        if hasattr(cls, "__post_init__"):  # takes no values of any kind
            continue
        names = [one.name for one in dataclasses.fields(cls)]
        made, other = cls(*names), stock(cls)(*names)
        assert (type(made), repr(made), hash(made)) == (cls, repr(other), hash(other))
        assert made == cls(**{name: name for name in names})
        for kept in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
            assert (type(kept), kept) == (cls, made)
        for name in names:
            changed = replace(made, **{name: 5})
            assert (type(changed), changed) == (cls, dataclasses.replace(made, **{name: 5}))
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(changed, name, 6)
        assert outcome(setattr, made, "other", 1) == outcome(setattr, other, "other", 1)


def test_whatever_derives_from_one_has_a_constructor_of_its_own() -> None:
    """The constructor makes instances of the class that it was made for, so it must not be inherited."""
    below = [one for cls in fast() for one in derived(cls)]
    assert [one for one in below if "__init__" not in one.__dict__] == []
