"""docs/performance.md says what the recorded run says, and what every key means."""

from __future__ import annotations

import json
import re

from api.bench.figures import KEYS
from api.bench.page import with_figures
from api.bench.plot import plot
from tests.house.tree import ROOT

PAGE = ROOT / "docs" / "performance.md"
RECORDED = ROOT / "docs" / "performance" / "bench.json"
ROW = re.compile(r"^\| `(?P<key>\w+)` \| (?=[a-z`0-9])[^|]*[a-z]{3}[^|]* \|$", re.MULTILINE)


def test_the_page_has_the_figures_of_the_recorded_run() -> None:
    page = PAGE.read_text("utf-8")
    result = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else None
    assert page == with_figures(page, result)
    if result is not None:
        assert result["method"]["quick"] is False
        assert (RECORDED.parent / "bench.svg").read_text("utf-8") == plot(result)


def test_the_page_explains_every_key() -> None:
    explained = [row["key"] for row in ROW.finditer(PAGE.read_text("utf-8").partition("## What each key means")[2])]
    assert sorted(explained) == sorted(KEYS)
