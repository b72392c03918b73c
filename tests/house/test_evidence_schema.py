"""The published form of an evidence pack is that of its class, and every pack has it."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from tests.house.evidence_schema import FILE, text
from tests.support.evening import evening
from tests.support.packs import changed, leaves, pack

FORM = Draft202012Validator(json.loads(FILE.read_text("utf-8")))


def test_the_published_form_of_a_pack_is_that_of_its_class() -> None:
    assert FILE.read_text("utf-8") == text(), "run: python -m tests.house.evidence_schema"
    Draft202012Validator.check_schema(json.loads(text()))


@pytest.mark.parametrize("name", evening().rounds)
def test_every_pack_has_the_published_form(name: str) -> None:
    assert list(FORM.iter_errors(pack(name))) == []


def test_what_is_no_pack_has_not_the_form() -> None:
    assert not FORM.is_valid({**pack("side"), "surplus": 1})
    assert not FORM.is_valid({name: one for name, one in pack("side").items() if name != "chain"})
    assert FORM.is_valid(changed(pack("side"), next(leaves(pack("side")))))
