"""A pack changed in any field is found: by its signature, and what is evidence also where it is signed again."""

from __future__ import annotations

import re

import pytest

from domain.errors import Invalid
from tests.support.packs import Document, Path, changed, checked, failed, leaves, pack, signed_again

OURS = re.compile(r"made\..*|part\.(first|next)|pool_terms\..*|day_proof")
"""What only the signature holds: who made the pack when, which part it is, and parameters of the pool."""


def is_found(document: Document) -> bool:
    """Whether the check says that something is wrong."""
    try:
        return not checked(document).ok
    except Invalid:
        return True


def place(at: Path) -> str:
    return ".".join(map(str, at))


def test_F21_a_change_of_any_value_of_a_pack_is_found() -> None:
    document = pack("absent")
    places = list(leaves(document))
    assert len(places) > 700
    assert [place(at) for at in places if not is_found(changed(document, at))] == []


def test_F21_a_change_of_any_value_is_found_in_what_the_signature_is_not_needed_for() -> None:
    document = pack("absent")
    places = [at for at in leaves(document) if at[0] not in {"signature", "key"} and not OURS.fullmatch(place(at))]
    assert len(places) > 690
    assert [place(at) for at in places if not is_found(signed_again(changed(document, at)))] == []


def test_a_value_that_is_removed_added_or_of_another_type_is_named() -> None:
    for change, field in (
        ({"surplus": 1}, "surplus"), ({"phase": None}, "phase"), ({"exponent": 2.0}, "exponent"),
        ({"equal": 1}, "equal"), ({"chain": {}}, "chain"),
    ):  # fmt: skip
        with pytest.raises(Invalid) as refused:
            checked(signed_again({**pack("side"), **change}))
        assert refused.value.field == field
    missing = {name: value for name, value in pack("side").items() if name != "postings"}
    with pytest.raises(Invalid) as refused:
        checked(signed_again(missing))
    assert refused.value.field == "postings"


def test_what_does_not_hold_is_named() -> None:
    document = pack("side")
    document["settlements"][0]["seats"][0]["wagers"][0]["recorded"] += 1
    assert list(failed(signed_again(document))) == ["record"]
    assert "settlements[0].seats[0].wagers[0].recorded" in failed(signed_again(document))["record"]
    document = pack("side")
    document["postings"][0]["amount_micro"] = "1"
    assert set(failed(signed_again(document))) == {"record", "postings"}
    document = pack("side")
    document["chain"][0]["previous"] = "0" * 63 + "1"
    assert set(failed(signed_again(document))) == {"hashes"}
