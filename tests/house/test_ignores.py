"""Every place where a tool is told to look away says why, on the same line."""

from __future__ import annotations

import io
import re
import tokenize

import pytest

from tests.house.tree import ROOT, code_files, shown

MARK = re.compile(r"#\s*(?:noqa|type:\s*ignore|ruff:|mypy:|pragma:)", re.IGNORECASE)
WELL_MADE = re.compile(
    r"#\s*(?:noqa:\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*\s+#?"  # a linter's codes
    r"|type:\s*ignore\[[a-z0-9,\- ]+\]\s*#"
    r"|pragma:\s*no cover\s*#)"
    r"\s*[A-Za-z].{7,}"  # the reason: eight characters or more
)


def ill_made(source: str) -> list[str]:
    """Comments that silence a tool without naming what they silence and why."""
    comments = (
        token.string
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and MARK.search(token.string)
    )
    return [comment for comment in comments if not WELL_MADE.match(comment)]


def test_every_ignore_in_code_names_its_rule_and_its_reason() -> None:
    found = {shown(path): ill_made(path.read_text("utf-8")) for path in code_files()}
    assert {path: comments for path, comments in found.items() if comments} == {}


def test_every_ignore_in_the_configuration_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    block = text.partition("\nignore = [\n")[2].partition("\n]")[0]
    per_file = text.partition("[tool.ruff.lint.per-file-ignores]\n")[2].partition("\n[")[0]
    lines = [line.strip() for line in (block + "\n" + per_file).splitlines() if line.strip().startswith('"')]
    assert len(lines) > 3
    silent = [line for line in lines if "#" not in line and not line.startswith(('"RUF002"', '"RUF003"'))]
    assert silent == [], "RUF002 and RUF003 share the reason of RUF001, every other line has its own"


@pytest.mark.parametrize(
    ("line", "is_well_made"),
    [
        ("x = 1  # noqa: E501  # a published table keeps its line", True),
        ("x = 1  # type: ignore[arg-type]  # the stub lacks the second argument", True),
        ("x = 1  # noqa: E501  a published table keeps its line", True),
        ("x = 1  # noqa: E501", False),
        ("x = 1  # noqa: E501, RUF001", False),
        ("x = 1  # noqa", False),
        ("x = 1  # type: ignore", False),
        ("x = 1  # type: ignore  # because I say so", False),
        ("x = 1  # type: ignore[arg-type]", False),
        ("# ruff: noqa", False),
        ("x = '# noqa'  # a text that names the mark", True),
    ],
)
def test_a_mark_without_rule_or_reason_is_found(line: str, is_well_made: bool) -> None:
    assert (ill_made(line + "\n") == []) is is_well_made
