"""`studbook check-deck`: an opened deck against its commitment, without a database."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adapters.shoe import Shoe
from api.cli import main
from domain.dealing import dealer_cards, seat_cards
from domain.variants import RULESETS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "for-auditors-shoe.md").read_text(encoding="utf-8")


def told(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> tuple[int, dict[str, Any]]:
    with pytest.raises(SystemExit) as left:
        main(["check-deck", str(path), *words])
    out, err = capsys.readouterr()
    assert err == ""
    assert isinstance(left.value.code, int)
    return left.value.code, json.loads(out)


def written(folder: Path, body: object) -> Path:
    path = folder / "opened.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    return path


def as_the_api_shows_it(name: str) -> dict[str, Any]:
    deck, rules = Shoe().shuffle(), RULESETS[name]
    seats = rules.seats or 1
    shared = seat_cards(deck.cards, 1, 1) if rules.seats is None else ()
    hidden: list[str | None] = [None] * 5
    sat = [] if rules.seats is None else [{"seat": 2, "cards": seat_cards(deck.cards, 2, seats)}]
    return {
        "round": "r1",
        "ruleset": name,
        "commitment": deck.commitment,
        "cards": {"dealer": dealer_cards(deck.cards, seats), "player": shared, "deck": deck.cards,
                  "salt": deck.salt.hex()},
        "seats": [*sat, {"seat": None if rules.seats is None else 1, "cards": hidden}],
    }  # fmt: skip


def test_the_pages_example_fits(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    [text] = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    code, found = told(capsys, written(tmp_path, json.loads(text)))
    assert (code, found["ok"], found["findings"]) == (0, True, [])
    assert found["hands"] == ["the dealer", "seat 1", "seat 3"]


@pytest.mark.parametrize("name", RULESETS)
def test_a_round_as_the_api_shows_it_fits(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    code, found = told(capsys, written(tmp_path, as_the_api_shows_it(name)))
    assert (code, found["ok"], len(found["hands"])) == (0, True, 2)


def test_what_does_not_fit_is_named_and_ends_with_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    opened = as_the_api_shows_it("euro-progressive-v1")
    deck = list(opened["cards"]["deck"])
    deck[0], deck[1] = deck[1], deck[0]
    code, found = told(capsys, written(tmp_path, opened | {"cards": opened["cards"] | {"deck": deck}}))
    assert (code, found["ok"]) == (1, False)
    assert found["findings"][0] == "the commitment is not that of this deck and salt"
    assert [one.split(" had ")[0] for one in found["findings"][1:]] == ["seat 2"]
    deck[0] = deck[1]
    code, found = told(capsys, written(tmp_path, opened | {"cards": opened["cards"] | {"deck": deck}}))
    assert (code, found["findings"][0]) == (1, "the deck is not the 52 cards")


def test_the_commitment_that_one_noted_himself_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    # given a service that changed the promise after the cards were down
    path = written(tmp_path, as_the_api_shows_it("live-5plus1-v1"))
    code, found = told(capsys, path, "--commitment", Shoe().shuffle().commitment)
    assert (code, found["findings"]) == (1, ["the commitment is not that of this deck and salt"])


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"commitment": "d6"}, "commitment"),
    ({"commitment": None}, "commitment: a text"),
    ({"ruleset": "hold-em"}, "ruleset"),
    ({"cards": []}, "cards: an object"),
    ({"cards": {"dealer": [None] * 5, "player": [], "deck": None, "salt": None}}, "dealer: a list of cards"),
    ({"seats": {}}, "seats: a list"),
    ({"seats": [1]}, "seats[0]: an object"),
    ({"seats": [{"seat": 5, "cards": ["As"] * 5}]}, "seats[0].seat: a number from 1 to 4"),
    ({"seats": [{"seat": 1, "cards": ["As"] * 4}]}, "seats[0].cards: 5 cards"),
    ({"seats": [{"seat": 1, "cards": ["A\n"] * 3 + [{}]}]}, "seats[0].cards: a list of cards"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_a_file_that_is_no_opened_round_is_bad_use(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    refused(capsys, written(tmp_path, as_the_api_shows_it("euro-progressive-v1") | change), words)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "not JSON"), ("[]", "a JSON object"), ('{"a": 1, "a": 2}', "stands twice"), ("[" * 99_999, "not JSON"),
     ('{"table_seats": true, "shared": []}', "table_seats"), ('{"table_seats": 4}', "shared")],
)  # fmt: skip
def test_what_is_no_json_object_is_bad_use(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "opened.json"
    path.write_text(text, encoding="utf-8")
    refused(capsys, path, words)


def refused(capsys: pytest.CaptureFixture[str], path: Path, words: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["check-deck", str(path)])
    out, err = capsys.readouterr()
    assert (left.value.code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_a_file_that_is_not_there_is_bad_use(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    refused(capsys, tmp_path / "none.json", "cannot be read")


def test_standard_input_is_read_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    body = json.dumps(as_the_api_shows_it("land-progressive-v1")).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body)))
    code, found = told(capsys, Path("-"))
    assert (code, found["ok"]) == (0, True)


def test_it_needs_neither_database_nor_web_framework() -> None:
    code = (
        "import sys\nfrom api.cli import main\nfrom api.commands import check_deck\nimport services.opened_deck\n"
        "print([one for one in ('psycopg', 'fastapi', 'uvicorn') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.returncode) == ("[]\n", 0)
