"""`studbook export`: what it refuses before it reads anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api.test_cli import run


def test_without_a_kind_everything_that_can_be_exported_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "export", "--json")
    assert (code, err) == (0, "")
    listed = json.loads(out)
    assert listed["events"]["formats"] == ["ndjson"]
    assert {"journal", "trial-balance"} <= listed.keys()
    assert "hledger" in run(capsys, "export")[1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("diary",), "kind"),
        (("journal", "--format", "pdf"), "format"),
        (("journal", "--from", "2026-11-29T00:00"), "from"),
        (("journal", "--from", "2026-11-30", "--to", "2026-11-29"), "to"),
        (("journal", "--operator", "a b"), "operator"),
        (("trial-balance", "--table", "lines"), "table"),
        (("trial-balance", "--currency", "EURO"), "currency"),
        (("journal", "--json"), "output"),
        (("journal", "--output", "/nowhere/at/all.csv"), "output"),
    ],
)
def test_bad_use_is_one_line_that_names_the_field(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    code, out, err = run(capsys, "export", *arguments, "--data-dir", str(tmp_path / "none"))
    assert (code, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1
    assert not (tmp_path / "none").exists()
