"""What the documentation says is executed, and what it links to exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.console import Block, Wrong, agree, console_blocks, environment, run_block
from tests.house.tree import ROOT, markdown_files, shown

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")
BLOCKS = [block for path in markdown_files() for block in console_blocks(shown(path), path.read_text("utf-8"))]


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.is_run], ids=str)
def test_an_example_prints_what_its_page_says(block: Block, tmp_path: Path) -> None:
    run_block(block, ROOT, environment(tmp_path))


def test_the_readme_has_an_executed_example() -> None:
    assert any(block.is_run for block in BLOCKS if block.page == "README.md")


def test_every_kind_of_need_is_known() -> None:
    assert {block.needs for block in BLOCKS} <= {None, "service", "installation"}


def slug(heading: str) -> str:
    """The anchor that a heading gets where the pages are read."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def broken_links(path: Path) -> list[str]:
    broken = []
    for target in (match["target"] for match in LINK.finditer(path.read_text("utf-8"))):
        name, _, anchor = target.partition("#")
        if "://" in name or name.startswith("mailto:"):
            continue
        page = (path.parent / name) if name else path
        headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE) if page.is_file() else []
        if not page.exists() or (anchor and anchor not in map(slug, headings)):
            broken.append(target)
    return broken


def test_every_link_leads_somewhere() -> None:
    pages = markdown_files()
    assert len(pages) > 5
    found = {shown(path): broken_links(path) for path in pages}
    assert {page: targets for page, targets in found.items() if targets} == {}


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    targets = (match["target"].partition("#")[0] for match in LINK.finditer(index.read_text("utf-8")))
    linked = {(index.parent / target).resolve() for target in targets}
    assert [shown(path) for path in markdown_files() if path not in {index, *linked}] == []


PAGE = """\
Text.

```console run exit=3
$ printf 'one\\ntwo\\n'
one
...
$ echo bad; \\
> exit 3
bad
```
"""


def test_a_block_is_read_with_tags_commands_and_output() -> None:
    [block] = console_blocks("page.md", PAGE)
    assert (block.page, block.line, block.tags) == ("page.md", 3, {"run": "", "exit": "3"})
    assert [step.expected for step in block.steps] == [["one", "..."], ["bad"]]
    assert block.steps[1].command == "echo bad; \\\nexit 3"


def test_a_block_that_needs_a_service_is_left_to_its_own_test() -> None:
    [block] = console_blocks("page.md", "```console run needs=service\n$ curl $STUDBOOK_URL/livez\n```")
    assert block.needs == "service"
    assert not block.is_run


def test_a_true_example_passes(tmp_path: Path) -> None:
    [block] = console_blocks("page.md", PAGE)
    run_block(block, tmp_path, environment(tmp_path))


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("```console run\n$ echo one\ntwo\n```", "it printed"),
        ("```console run\n$ echo one\n```", "it printed"),
        ("```console run\n$ true\none\n```", "it printed"),
        ("```console run\n$ exit 1\n```", "exit 1"),
        ("```console run exit=1\n$ true\n```", "exit 0"),
        ('```console run compare=json\n$ echo \'{"a": 1}\'\n{"a": 2}\n```', "it printed"),
    ],
)
def test_an_example_that_is_not_true_is_found(page: str, said: str, tmp_path: Path) -> None:
    [block] = console_blocks("page.md", page)
    with pytest.raises(Wrong, match=said):
        run_block(block, tmp_path, environment(tmp_path))


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("```console run\nhello\n```", "before the first command"),
        ("```console run\n```", "no command"),
        ("```console ruin\n$ true\n```", "unknown tag"),
        ("```console run\n$ true\n", "never closed"),
    ],
)
def test_a_badly_written_block_is_named(page: str, said: str) -> None:
    with pytest.raises(Wrong, match=said):
        console_blocks("page.md", page)


@pytest.mark.parametrize(
    ("expected", "printed", "is_same"),
    [
        (["a", "...", "d"], ["a", "b", "c", "d"], True),
        (["a", "...", "d"], ["a", "d"], True),
        (["a", "...", "d"], ["a", "b"], False),
        (["..."], [], True),
        (["a"], ["a", "b"], False),
    ],
)
def test_three_dots_stand_for_any_lines(expected: list[str], printed: list[str], is_same: bool) -> None:
    assert agree(expected, printed) is is_same


def test_json_lines_agree_whatever_their_spaces_and_order() -> None:
    assert agree(['{"a": 1, "b": 2}'], ['{"b":2,"a":1}'], as_json=True)
    assert not agree(['{"a": 1}'], ["a: 1"], as_json=True)
