"""docs/rules.md states the numbers that the code pays by."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from domain.money import MICRO
from domain.rules import FixedPrize, MeterPrize, PayTable, Prize, SideKind
from domain.variants import RULESETS
from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "rules.md").read_text("utf-8")
PROGRESSIVE = [name for name, ruleset in RULESETS.items() if ruleset.progressive is not None]


def table(heading: str) -> dict[str, dict[str, str]]:
    """The table under a heading: rule set to hand to cell, dashes left out."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"
    ]
    head, body = rows[0][1:], rows[2:]
    return {name: {row[0]: row[column] for row in body if row[column] != "-"} for column, name in enumerate(head, 1)}


def paid(pays: PayTable) -> dict[str, str]:
    return {category.value: str(pays_to_one) for category, pays_to_one in pays}


def whole_units(amount_minor: int) -> str:
    assert amount_minor % 100 == 0
    return str(amount_minor // 100)


def worth(prize: Prize) -> str:
    match prize:
        case FixedPrize():
            return whole_units(prize.amount_minor)
        case MeterPrize():
            share = f"{prize.share_ppm * 100 // MICRO} %"
            return f"{share}, at least {whole_units(prize.floor_minor)}" if prize.floor_minor else share


def test_the_page_names_every_rule_set() -> None:
    assert set(table("What a call pays, to 1")) == set(RULESETS)
    assert set(table("What the progressive wager pays")) == set(PROGRESSIVE)


@pytest.mark.parametrize("name", RULESETS)
def test_the_page_states_what_a_call_pays(name: str) -> None:
    assert table("What a call pays, to 1")[name] == paid(RULESETS[name].call_pays)
    unqualified = table("What a call pays when the dealer does not qualify, to 1")
    assert unqualified[name] == paid(RULESETS[name].call_pays_unqualified)


def test_the_page_states_what_the_bonus_pays() -> None:
    bonus: Mapping[str, Mapping[str, str]] = table("What the 5+1 bonus pays, to 1")
    with_bonus = {n: paid(one.side_pays) for n, one in RULESETS.items() if one.side_kind is SideKind.FIVE_PLUS_ONE}
    assert bonus == with_bonus


@pytest.mark.parametrize("name", PROGRESSIVE)
def test_the_page_states_the_prizes(name: str) -> None:
    rules = RULESETS[name].progressive
    assert rules is not None
    prizes = {category.value: worth(prize) for category, prize in rules.prizes}
    assert table("What the progressive wager pays")[name] == prizes


def test_every_choice_has_its_row() -> None:
    numbers = [line.split("|")[1].strip() for line in PAGE.splitlines() if line.startswith("| C")]
    assert numbers == [f"C{number}" for number in range(1, 34)]
