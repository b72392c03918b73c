"""docs/faults.md lists every fault that `make faults` runs, with its amounts."""

from __future__ import annotations

import re

from tests.faults.catalogue import catalogue
from tests.faults.fault import Fault
from tests.house.tree import ROOT

ROW = re.compile(r"^\| (?P<code>F\d\d) \| [^|]+ \| (?P<amounts>[\d,]+(?:, [\d,]+)? [a-z]+|all [a-z]+)", re.MULTILINE)


def amounts(fault: Fault) -> str:
    """Small and long; once where they are the same, and no number for what grows with each command and event."""
    unit = fault.unit.removesuffix("s") if fault.long == 1 else fault.unit
    if fault.small != fault.long:
        return f"{fault.small:,}, {fault.long:,} {unit}"
    return f"all {unit}" if unit in {"cells", "events"} else f"{fault.small:,} {unit}"


def test_the_page_lists_every_fault_with_its_amounts() -> None:
    text = (ROOT / "docs" / "faults.md").read_text("utf-8")
    told = [(row["code"], row["amounts"]) for row in ROW.finditer(text)]
    assert told == [(one.code, amounts(one)) for one in catalogue()]
