"""Frozen dataclasses that are built as fast as others.

A frozen dataclass sets each field of a new instance through `object.__setattr__`, which takes three to five times as
long as setting it. Events and states are built with every command and with every event that is read, so that was the
busiest line of all. Here an instance is of a twin class while its fields are set: the same slots in the same order,
not frozen. Then it is what it was asked to be. To everybody else nothing differs: a field of an instance that is
there cannot be set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dataclasses import dataclass  # so that type checkers see what they know
else:
    from dataclasses import dataclass as _stock

    def dataclass(cls: type | None = None, /, **options: Any) -> Any:
        """As `dataclasses.dataclass`; a frozen class with slots gets a constructor that is faster, and does the same.

        A class that has more than plain fields (a factory, an argument that is no field or the other way round), or a
        constructor of its own, keeps what it has. A class derived from one of these is decorated itself, since the
        constructor makes instances of the class that it was made for.
        """
        if cls is None:
            return lambda one: dataclass(one, **options)
        has_own = "__init__" in cls.__dict__ or not options.get("init", True)
        made = _stock(cls, **options)
        if has_own:
            _TWINS[made] = None
        twin = twin_of(made)
        if twin is not None:
            _give_constructor(made, twin)
        return made


_TWINS: dict[type, type | None] = {}
_KNOWN: Final = frozenset({"Twin", "Made", "become"})
"""What the lines of a constructor name beside its arguments."""


def twin_of(cls: type[Any]) -> type | None:
    """The class that instances of a frozen dataclass are of while they are built; None where there can be none, as
    for one without slots or with those of a base, or where more is done than setting fields.
    """
    if cls not in _TWINS:
        _TWINS[cls] = _twin(cls)
    return _TWINS[cls]


def compiled(name: str, lines: list[str], known: dict[str, Any]) -> Callable[..., Any]:
    """A function made of lines of source in which the names of `known` have a meaning, as dataclasses make theirs."""
    exec("\n".join(lines), known)  # the source is made of the names of fields, which are identifiers
    made: Callable[..., Any] = known[name]
    return made


def _twin(cls: type[Any]) -> type | None:
    names = tuple(one.name for one in fields(cls))
    if not cls.__dataclass_params__.frozen or cls.__dict__.get("__slots__") != names or not _is_plain(cls):
        return None
    twin = type(f"{cls.__name__}InTheMaking", (), {"__slots__": names})
    try:
        object.__setattr__(object.__new__(cls), "__class__", twin)
    except TypeError:  # another layout
        return None
    return twin


def _is_plain(cls: type[Any]) -> bool:
    """Whether the arguments are the fields in their order, but for those that `__post_init__` works out, and have no
    names that the constructor gives a meaning.
    """
    code = getattr(cls.__init__, "__code__", None)
    given = tuple(one.name for one in fields(cls) if one.init)
    if code is None or code.co_kwonlyargcount or _KNOWN.intersection(given):
        return False
    if code.co_varnames[: code.co_argcount] != ("self", *given):
        return False
    return all(one.default_factory is MISSING and (one.init or one.default is MISSING) for one in fields(cls))


def _give_constructor(cls: type[Any], twin: type) -> None:
    """`__init__` with the same arguments, which ends with `__post_init__` where there is one."""
    known: dict[str, Any] = {"Twin": twin, "Made": cls, "become": object.__setattr__}
    arguments = []
    given = [one for one in fields(cls) if one.init]
    for one in given:
        known[f"default_{one.name}"] = one.default
        arguments.append(one.name if one.default is MISSING else f"{one.name}=default_{one.name}")
    lines = [
        f"def __init__(self, {', '.join(arguments)}):",
        " become(self, '__class__', Twin)",
        *(f" self.{one.name} = {one.name}" for one in given),
        " self.__class__ = Made",
        *([" self.__post_init__()"] if hasattr(cls, "__post_init__") else []),
    ]
    init = compiled("__init__", lines, known)
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    init.__annotations__ = cls.__init__.__annotations__
    type.__setattr__(cls, "__init__", init)


__all__ = ["compiled", "dataclass", "twin_of"]
