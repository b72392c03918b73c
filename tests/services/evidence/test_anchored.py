"""Anchors in a pack: whose they are, that they lie around the round, and that they hold no other hash at its places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from domain.anchors import FIRST, KIND, Noted, as_payload, digest, marked
from tests.support.evening import evening
from tests.support.packs import OTHER, SIGNER, Document, chained, checked, failed, pack, signed_again

NAME = "side"


@cache
def hashes() -> dict[int, str]:
    """Of the evening's log."""
    return {one.raw.position: bytes(one.raw.hash).hex() for one in chained(evening().events)}


def anchors(positions: Sequence[int], changed: int = 0, at: str = "2026-11-30T12:00:00Z") -> list[str]:
    """A row of signed anchors; at the position `changed` another hash."""
    found: list[str] = []
    known = {**hashes(), changed: "00" * 32}
    for nth, position in enumerate(positions):
        after = positions[nth - 1] if nth else 0
        marks = tuple(known[one] for one in marked(after, position))
        previous = digest(found[-1]) if found else FIRST
        noted = Noted(nth + 1, position, known[position], marks, at, previous)
        found.append(OTHER.sign(as_payload(noted), KIND))
    return found


def put_in(before: str | None, after: str | None) -> Document:
    """The pack with anchors in it, signed."""
    made: dict[str, Any] = {}
    for name, one in (("before", before), ("after", after)):
        made[name] = None if one is None else {"signed": one, "key": dict(OTHER.public)}
    return signed_again({**pack(NAME), "anchors": made})


def ends() -> tuple[int, int]:
    chain = pack(NAME)["chain"]
    return chain[0]["position"], chain[-1]["position"]


def reason(document: Document) -> str:
    found = {one.name: one.reason for one in checked(document, (SIGNER, OTHER)).checks if one.reason is not None}
    assert list(found) == ["anchors"], found
    return str(found["anchors"])


def test_R26_anchors_around_the_round_are_checked_and_count_the_hashes_that_they_hold() -> None:
    first, last = ends()
    before, after = anchors([first - 1, last])
    found = checked(put_in(before, after), (SIGNER, OTHER))
    assert found.ok
    assert list(marked(first - 1, last)) == [64]
    assert found.anchored == 3, "of the event before, of the mark within, of the last event"
    later = anchors([first - 1, last, max(hashes())])[2]
    assert checked(put_in(before, later), (SIGNER, OTHER)).ok
    alone = checked(put_in(None, after), (SIGNER, OTHER))
    assert [one.done for one in alone.checks if one.name == "anchors"] == [True]


def test_a_pack_of_before_there_were_anchors_in_it_still_holds() -> None:
    document = {name: value for name, value in pack(NAME).items() if name != "anchors"}
    found = checked(signed_again(document))
    assert (found.ok, found.anchored) == (True, 0)
    assert [one.done for one in found.checks if one.name == "anchors"] == [False]


def test_F21_anchors_that_hold_other_hashes_or_another_place_or_row_are_named() -> None:
    first, last = ends()
    before, after = anchors([first - 1, last])
    assert f"another hash at position {last}" in reason(put_in(before, anchors([first - 1, last], changed=last)[1]))
    assert "another hash at position 64" in reason(put_in(before, anchors([first - 1, last], changed=64)[1]))
    (forged,) = anchors([first - 1], changed=first - 1)
    assert reason(put_in(forged, None)).startswith("chain[0].previous: an anchor has another hash")
    assert reason(put_in(after, None)).startswith("anchors.before: it is not from before the round")
    assert reason(put_in(None, before)).startswith("anchors.after: it is not from after the round")
    (another,) = anchors([first - 1], at="2026-11-30T12:00:01Z")
    assert "another anchor before it" in reason(put_in(another, after))
    assert "does not come after" in reason(put_in(anchors([1, 2, 3])[2], after))
    assert reason(put_in(None, after[:-8] + "AAAAAAAA")).startswith("anchors.after.signature:")


def test_anchors_by_a_key_that_is_not_trusted_are_refused() -> None:
    first, last = ends()
    before, after = anchors([first - 1, last])
    assert list(failed(put_in(before, after))) == ["anchors"]
    assert checked(put_in(before, after), None).ok
