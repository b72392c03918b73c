"""The pages that lead an integrator can be followed one after the other on one service: none meets another's names."""

from __future__ import annotations

import re
from collections import defaultdict

from api.commands.serve import CALLS
from tests.house.test_docs import BLOCKS

FOLLOWED = ("README.md", *(f"docs/{name}.md" for name in (
    "for-operators", "at-the-table", "lost-answers", "webhooks", "keys",
)))  # fmt: skip
NAMES = {
    "key": re.compile(r"Idempotency-Key: ([\w-]+)[\"']|\$HOME/(?:call|as \w+) (\w[\w-]*) /v1"),
    "transaction": re.compile(r'transaction_id(?:": |=)"([\w-]+)"'),
    "player": re.compile(r"\"player\": \"(\w+)\", \"currency\"|register_player\(player=\"(\w+)\""),
    "table or pool": re.compile(r'"(?:table|jackpot)": "([\w-]+)", "ruleset"'),
    "webhook": re.compile(r'"webhook": "([\w-]+)"'),
}


def used() -> dict[str, set[str]]:
    """Each name that an example gives to something, with the pages that do."""
    texts = [(block.page, step.command) for block in BLOCKS if block.page in FOLLOWED for step in block.steps]
    found = defaultdict(set)
    for page, text in [*texts, ("what serve prints", CALLS)]:
        for kind, pattern in NAMES.items():
            for match in pattern.finditer(text):
                found[f"{kind} {match[match.lastindex or 0]}"].add(page)
    return found


def test_no_two_pages_give_the_same_name_to_something() -> None:
    found = used()
    assert {page for pages in found.values() for page in pages} == {*FOLLOWED, "what serve prints"}
    assert {name: pages for name, pages in found.items() if len(pages) > 1} == {}
    assert len(found) > 60
