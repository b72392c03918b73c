"""The auditors' page on the shoe: its program, run as printed and without this package, finds what it says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.shoe import Shoe
from domain.dealing import dealer_cards, published_map, seat_cards

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "for-auditors-shoe.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    [text] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def check(folder: Path, opened: dict[str, Any]) -> tuple[int, str]:
    (folder / "check_deck.py").write_text(block("python"), encoding="utf-8")
    (folder / "opened.json").write_text(json.dumps(opened), encoding="utf-8")
    command = [sys.executable, "-I", "check_deck.py", "opened.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def opened_round(seats: int) -> dict[str, Any]:
    """What a round publishes from a fresh shoe, made by the program's own functions."""
    deck = Shoe().shuffle()
    shared = seats == 1
    hands = [{"seat": seat, "cards": seat_cards(deck.cards, seat, seats)} for seat in range(1, seats + 1)]
    return {
        "commitment": deck.commitment,
        "table_seats": seats,
        "salt": deck.salt.hex(),
        "deck": list(deck.cards),
        "dealer": dealer_cards(deck.cards, seats),
        "shared": hands[0]["cards"] if shared else [],
        "seats": [] if shared else hands,
    }


def test_the_pages_example_holds_and_prints_what_the_page_says(tmp_path: Path) -> None:
    assert check(tmp_path, json.loads(block("json"))) == (0, block("text"))


@pytest.mark.parametrize("seats", [1, 4, 5, 7])
def test_a_round_of_each_rule_set_holds(tmp_path: Path, seats: int) -> None:
    hands = 2 if seats == 1 else seats + 1
    assert check(tmp_path, opened_round(seats)) == (0, f"holds: deck, commitment and {hands} hands\n")


def test_two_cards_exchanged_after_the_opening_are_found(tmp_path: Path) -> None:
    opened = opened_round(4)
    opened["deck"][0], opened["deck"][51] = opened["deck"][51], opened["deck"][0]
    code, said = check(tmp_path, opened)
    assert code == 1
    assert "commitment is not" in said
    assert "seat 1 had" in said


def test_a_hand_that_was_not_dealt_by_the_map_is_found(tmp_path: Path) -> None:
    opened = opened_round(4)
    opened["seats"][1], opened["dealer"] = {"seat": 2, "cards": opened["dealer"]}, opened["seats"][1]["cards"]
    code, said = check(tmp_path, opened)
    assert code == 1
    assert "seat 2 had" in said
    assert "dealer had" in said
    assert "commitment" not in said


def test_a_deck_with_a_card_twice_is_found(tmp_path: Path) -> None:
    opened = opened_round(4)
    opened["deck"][51] = opened["deck"][50]
    code, said = check(tmp_path, opened)
    assert code == 1
    assert "not the 52 cards" in said


@pytest.mark.parametrize("seats", [1, 4, 5, 7])
def test_the_pages_table_shows_the_published_map(seats: int) -> None:
    deal = published_map(seats)
    cells = " | ".join(" ".join(map(str, indexes)) for indexes in (deal.seat(1), deal.dealer))
    up_card = deal.dealer[0 if seats == 1 else 4]
    assert re.search(rf"^\| `[a-z0-9-]+` \| {seats}\b.*\| {cells} \| index {up_card}, ", PAGE, re.MULTILINE)
