"""A page that the code refers to is there, with the heading that is named."""

from __future__ import annotations

import re

from tests.house.tree import ROOT, code_files, shown

NAMED = re.compile(r"docs/([\w-]+\.md)(?:, ([A-Z][a-zA-Z ]+))?")


def test_every_page_and_heading_that_the_code_names_is_there() -> None:
    missing = []
    for path in code_files():
        for page, heading in NAMED.findall(path.read_text("utf-8")):
            file = ROOT / "docs" / page
            titles = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE) if file.exists() else []
            if not titles or (heading and not any(heading.startswith(title) for title in titles)):
                missing.append(f"{shown(path)}: docs/{page}, {heading}")
    assert missing == []
