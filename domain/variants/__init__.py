"""The published rule sets. A new one is a file of its own and one line here."""

from __future__ import annotations

from typing import Final

from domain.cards import shown
from domain.errors import Invalid
from domain.rules import RuleSet
from domain.variants.dollar_jackpot import DOLLAR_JACKPOT
from domain.variants.euro_progressive import EURO_PROGRESSIVE
from domain.variants.land_progressive import LAND_PROGRESSIVE
from domain.variants.live_5plus1 import LIVE_5PLUS1

RULESETS: Final[dict[str, RuleSet]] = {
    one.name: one
    for one in (
        LIVE_5PLUS1,
        EURO_PROGRESSIVE,
        DOLLAR_JACKPOT,
        LAND_PROGRESSIVE,
    )
}
"""Every published rule set by its name."""


def ruleset(name: str) -> RuleSet:
    """The rule set of that name; Invalid that names the field `ruleset` when there is none."""
    found = RULESETS.get(name)
    if found is None:
        raise Invalid(f"ruleset: {shown(name)} is unknown, there are {', '.join(RULESETS)}", field="ruleset")
    return found
