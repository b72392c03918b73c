"""An evidence pack holds what a round was, and is checked without us (R26)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.evening import evening
from tests.support.packs import OTHER, SIGNER, checked, failed, pack, signed_again


@pytest.mark.parametrize("name", evening().rounds)
def test_R26_the_pack_of_every_kind_of_round_holds(name: str) -> None:
    found = checked(pack(name))
    assert [one for one in found.checks if one.reason is not None] == []
    assert (found.ok, found.key, found.compared > 10) == (True, SIGNER.key_id, True)


def test_a_pack_says_who_commanded_what_was_shown_and_what_moved() -> None:
    found = pack("awards")
    assert {one["actor"] for one in found["commands"]} != {""}
    placed = [one for one in found["steps"] if one["event"] == "seat.wager_placed.v1"]
    assert [one["player"] for one in placed] == ["ann", "bob", "cyd"]
    dealt = [one for one in found["shown"] if one["to"] == "ann"]
    assert [(one["hand"], len(one["cards"])) for one in dealt] == [("seat 1", 5)]
    assert {one["account"] for one in found["postings"]} >= {"av/ann", "held/ann", "m/euro"}
    assert found["meter"]
    assert [one["cause"] for one in found["settlements"]] == ["SHOWDOWN"]
    assert found["cards"]["seats"][0]["cards"] == found["settlements"][0]["seats"][-1]["cards"]


def test_a_pack_of_a_shoe_opens_its_deck_and_one_of_a_resettlement_shows_both() -> None:
    cards = pack("shuffled")["cards"]
    assert (cards["source"], len(cards["deck"]), len(cards["commitment"])) == ("SHOE", 52, 64)
    assert [one["cause"] for one in pack("resettled")["settlements"]] == ["SHOWDOWN", "RESETTLEMENT"]


def test_a_pack_names_no_other_round() -> None:
    for name, own in evening().rounds.items():
        text = str(pack(name))
        assert not [one for one in evening().rounds.values() if one != own and one in text]


def test_a_pack_that_another_key_signed_is_found_where_the_key_is_known() -> None:
    forged = signed_again(pack("side"), OTHER)
    assert list(failed(forged)) == ["signature"]
    assert checked(forged, None).key == OTHER.key_id


def without(name: str, position: int) -> dict[str, Any]:
    """A pack without one of its events, signed again."""
    found = pack(name)
    found["chain"] = [one for one in found["chain"] if one["position"] != position]
    return signed_again(found)


def test_an_event_that_is_left_out_of_a_pack_is_missed_though_it_is_signed_again() -> None:
    for one in pack("awards")["chain"]:
        assert set(failed(without("awards", one["position"]))) & {"streams", "record"}, one["stream"]
