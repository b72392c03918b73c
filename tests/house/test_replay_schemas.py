"""The published shapes of a replay are those of the classes that are printed."""

from __future__ import annotations

import pytest

from tests.house.replay_schemas import FOLDER, SHAPES, schema


@pytest.mark.parametrize("name", SHAPES)
def test_a_replays_json_schema_is_that_of_its_class(name: str) -> None:
    assert (FOLDER / name).read_text("utf-8") == schema(name), "run: python -m tests.house.replay_schemas"
