"""`studbook rules`: JSON for programs, tables for people."""

from __future__ import annotations

import json

import pytest

from api.cli import main
from domain.rules import published, ruleset_hash
from domain.variants import RULESETS


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(["rules", *arguments])
    out, err = capsys.readouterr()
    assert (left.value.code, err) == (0, "")
    return out


def test_json_gives_every_published_rule_set_with_its_hash(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(shown(capsys, "--json")) == [
        published(one) | {"hash": ruleset_hash(one)} for one in RULESETS.values()
    ]


@pytest.mark.parametrize("name", RULESETS)
def test_json_of_one_rule_set_is_that_object(capsys: pytest.CaptureFixture[str], name: str) -> None:
    one = RULESETS[name]
    assert json.loads(shown(capsys, name, "--json")) == published(one) | {"hash": ruleset_hash(one)}


def test_people_see_each_rule_set_with_its_hash(capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(capsys)
    for name, one in RULESETS.items():
        assert name in out
        assert ruleset_hash(one) in out


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("live-5plus1-v1", ["5+1 pays", "1000 to 1", "96.30 % of ante", "98.19 %", "91.44 %"]),
        ("euro-progressive-v1", ["dealer not qualified", "100 % of the meter", "125000", "push"]),
        ("dollar-jackpot-v1", ["10 % of the meter, at least 1000000", "RAISE_TO_MIN"]),
        ("land-progressive-v1", ["10 % of the meter", "7500"]),
    ],
)
def test_people_see_the_numbers_of_the_page(capsys: pytest.CaptureFixture[str], name: str, texts: list[str]) -> None:
    out = shown(capsys, name)
    assert [text for text in texts if text not in out] == []
    assert [other for other in RULESETS if other != name and other in out] == []
