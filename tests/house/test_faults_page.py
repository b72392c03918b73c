"""docs/faults.md lists every fault that `make faults` runs, with its amounts."""

from __future__ import annotations

import re

from tests.faults.catalogue import catalogue
from tests.house.tree import ROOT

ROW = re.compile(r"^\| (?P<code>F\d\d) \| [^|]+ \| (?P<small>[\d,]+), (?P<long>[\d,]+) (?P<unit>\w+)", re.MULTILINE)


def test_the_page_lists_every_fault_with_its_amounts() -> None:
    text = (ROOT / "docs" / "faults.md").read_text("utf-8")
    told = [(row["code"], row["small"], row["long"], row["unit"]) for row in ROW.finditer(text)]
    assert told == [(one.code, f"{one.small:,}", f"{one.long:,}", one.unit) for one in catalogue()]
