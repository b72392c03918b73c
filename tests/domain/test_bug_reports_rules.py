"""Public faults of pay tables elsewhere, tried on the rule sets of this program. Each test is named after its row."""

from __future__ import annotations

from typing import Any

import pytest

from domain.changing import replace
from domain.errors import Invalid
from domain.hands import Category
from domain.rules import PAYS_MOST, FixedPrize, MeterPrize
from domain.variants import RULESETS

NO_NUMBERS = [float("nan"), float("inf"), float("-inf"), 1e400, -1, 10**9, 2.0, True, "2", None]


@pytest.mark.parametrize("wrong", NO_NUMBERS, ids=repr)
@pytest.mark.parametrize("table", ["call_pays", "call_pays_unqualified", "side_pays"])
def test_bug_068_a_pay_table_with_a_multiplier_that_is_none_is_refused_when_it_is_loaded(
    table: str, wrong: Any
) -> None:
    for rules in RULESETS.values():
        with pytest.raises(Invalid, match=f"no whole number from 0 to {PAYS_MOST}") as refused:
            replace(rules, **{table: ((Category.FLUSH, wrong), (Category.PAIR, 1))})
        assert refused.value.field == f"{table}, FLUSH"


@pytest.mark.parametrize("wrong", [*NO_NUMBERS[:5], 10**16, 2.0, True], ids=repr)
def test_bug_068_a_prize_that_is_no_amount_or_share_is_refused_when_it_is_loaded(wrong: Any) -> None:
    with pytest.raises(Invalid, match="whole number"):
        FixedPrize(wrong)
    with pytest.raises(Invalid, match="whole number"):
        MeterPrize(wrong)


def test_bug_068_a_category_that_stands_twice_is_refused_when_it_is_loaded() -> None:
    for rules in RULESETS.values():
        with pytest.raises(Invalid, match="twice"):
            replace(rules, call_pays=((Category.PAIR, 1), (Category.PAIR, 2)))
