"""Rows of the read models as bytes and back: compact JSON, fields in the order of the class, so that the same row
always has the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import orjson
from pydantic import TypeAdapter, ValidationError

from domain.views.model import Model, RowKey

_T = TypeVar("_T")


class RowError(Exception):
    """Stored bytes that are no row of this version's model; a rebuild of the model mends it."""


encode_row: Final[Callable[[Any], bytes]] = orjson.dumps
"""A row's bytes."""


_READERS: Final[dict[Any, Callable[[bytes], Any]]] = {}


def _reader(cls: type[Any]) -> Callable[[bytes], Any]:
    if cls not in _READERS:
        _READERS[cls] = TypeAdapter(cls).validate_json
    return _READERS[cls]


def decode_row(model: Model[Any], key: RowKey, body: bytes) -> Any:
    """The row that lies at `key` of `model`. Raises RowError."""
    cls = model.kinds.get(key.kind)
    if cls is None:
        raise RowError(f"{model.name} has no rows of kind {key.kind!r}: rebuild it")
    return decode_as(cls, body)


def decode_as(cls: type[_T], body: bytes) -> _T:
    """A row of a known class. Raises RowError."""
    try:
        return cast(_T, _reader(cls)(body))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in fault["loc"]) or "stored bytes"
        raise RowError(f"a stored {cls.__name__} is of another version ({place}: {fault['msg']}): rebuild") from None
