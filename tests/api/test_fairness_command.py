"""`studbook fairness`: what it tells of our shuffle, of broken ones, and of decks that somebody collected."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import api.main.fairness as fairness_run
from adapters.broken_shuffles import BROKEN
from adapters.shoe import Shoe
from api.cli import main
from domain.cards import DECK
from domain.fairness.tally import SIZE

ROOT = Path(__file__).resolve().parents[2]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(["fairness", *words])
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, out, err


def test_bug_052_our_shuffle_holds_and_each_broken_one_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "map.svg"
    code, out, err = told(capsys, "--count", "2000", "--processes", "1", "--plot", str(picture), "--json")
    found: dict[str, Any] = json.loads(out)
    assert (code, err, found["ok"], found["count"], found["failed"]) == (0, "", True, 2_000, [])
    assert [one["name"] for one in found["checks"]] == ["positions", "categories", "family", "duplicates"]
    assert {one["shuffle"]: one["refused"] for one in found["teeth"]} == dict.fromkeys(BROKEN, True)
    # and the picture has a square for each card at each place
    drawn = ET.parse(picture).getroot()
    paths = [one.get("d", "") for one in drawn.iter("{http://www.w3.org/2000/svg}path")]
    assert sum(path.count("z") for path in paths) == SIZE * SIZE


def test_bug_052_the_shoe_replaced_by_a_byte_mod_52_is_flagged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Replaced:
        permutation = staticmethod(BROKEN["byte-mod-52"])

    monkeypatch.setattr(fairness_run, "Shoe", Replaced)
    monkeypatch.setattr(fairness_run, "BROKEN", {})
    code, out, _ = told(capsys, "--count", "20000", "--processes", "1")
    assert code == 1
    assert "NOT FAIR: positions" in out
    assert "once more, on fresh decks" in out


def test_checks_that_refuse_no_broken_shuffle_are_no_proof(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness_run, "BROKEN", {"byte-mod-52": Shoe().permutation})
    monkeypatch.setattr(fairness_run, "TEETH_DECKS", 1_000)
    code, out, _ = told(capsys, "--count", "1000", "--processes", "1")
    assert code == 1
    assert "byte-mod-52 was not refused" in out


def test_several_processes_share_the_decks() -> None:
    with fairness_run.crew(2, lambda _what, _at, _end: None) as shuffled:
        assert shuffled("ours", 1_500).decks == 1_500


def deck_lines(orders: list[list[int]]) -> str:
    decks = [[DECK[index] for index in order] for order in orders]
    half = len(decks) // 2
    lines = [json.dumps(deck) for deck in decks[:half]] + [json.dumps({"deck": deck}) for deck in decks[half:]]
    return "\n".join([*lines, ""])


def test_decks_that_somebody_collected_are_judged_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    fair, seeded = tmp_path / "fair", tmp_path / "seeded"
    permutation = Shoe().permutation
    fair.write_text(deck_lines([permutation() for _ in range(1_000)]), encoding="utf-8")
    seeded.write_text(deck_lines([BROKEN["seed-of-16-bits"]() for _ in range(2_000)]), encoding="utf-8")
    code, out, _ = told(capsys, "--decks", str(seeded), "--json")
    found = json.loads(out)
    assert (code, found["count"], found["teeth"]) == (1, 2_000, [])
    assert "duplicates" in found["failed"]
    code, out, _ = told(capsys, "--decks", str(fair), "--json")
    assert json.loads(out)["count"] == 1_000
    assert (code == 0) == (json.loads(out)["failed"] == [])  # once in a hundred times fair decks fail a check


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "--decks: line 1: cards: 52 cards are needed, 0 given"),
        ("\n{", "--decks: line 2: not JSON"),
        ('{"cards": []}', "--decks: line 1: 52 cards are needed, or an object with `deck`"),
        (json.dumps(["As"] * 52), "--decks: line 1"),
        (json.dumps(DECK), "--decks: 1 decks; at least 1000 are needed"),
        ("", "--decks: 0 decks"),
        ("[" * 100_000, "--decks: line 1: not JSON"),
        ("\udcff", "--decks: not UTF-8"),
    ],
)
def test_a_file_that_holds_no_decks_is_bad_use(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "decks"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    code, out, err = told(capsys, "--decks", str(path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--count", "999"], "--count"),
        (["--count", "many"], "--count"),
        (["--processes", "0"], "--processes"),
        (["--decks", "/nowhere/decks"], "--decks"),
        (["--plot", "/nowhere/map.svg"], "--plot"),
    ],
)
def test_bad_use_is_one_line_that_names_the_option(
    capsys: pytest.CaptureFixture[str], words: list[str], named: str
) -> None:
    code, out, err = told(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert named in err


def test_nothing_but_this_command_may_shuffle_with_the_broken_ones() -> None:
    found = [
        str(path.relative_to(ROOT))
        for package in ("domain", "services", "adapters", "api")
        for path in (ROOT / package).rglob("*.py")
        if "broken_shuffles" in path.read_text("utf-8") and path.name != "broken_shuffles.py"
    ]
    assert found == ["api/main/fairness.py"]
