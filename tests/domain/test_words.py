"""Words are enumerations as any, and only their value is read faster."""

from __future__ import annotations

import enum

import pytest
from pydantic import TypeAdapter

from domain.seats.events import WagerKind
from domain.words import StrEnum


class Colour(StrEnum):
    """Two."""

    RED = "red"
    BLUE = enum.auto()


def test_a_word_is_a_text_with_a_name_and_a_value() -> None:
    assert issubclass(StrEnum, enum.StrEnum)
    assert [(one.name, one.value, str(one), f"{one}") for one in Colour] == [
        ("RED", "red", "red", "red"),
        ("BLUE", "blue", "blue", "blue"),
    ]
    assert Colour("blue") is Colour.BLUE
    assert type(WagerKind.ANTE.value) is str


def test_what_is_no_word_is_refused_and_a_word_keeps_its_value() -> None:
    with pytest.raises(ValueError, match="green"):
        Colour("green")
    with pytest.raises(AttributeError):
        Colour.RED.value = "blue"  # type: ignore[misc]  # that it fails is what is tested


def test_a_word_is_stored_and_read_by_its_value() -> None:
    adapter = TypeAdapter(Colour)
    assert adapter.dump_json(Colour.BLUE) == b'"blue"'
    assert adapter.validate_json(b'"red"', strict=True) is Colour.RED
