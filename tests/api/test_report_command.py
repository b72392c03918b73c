"""`studbook report` before it reads anything: what there is, and what is asked wrongly, in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.cli import main
from services.reports.catalogue import REPORTS


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["report", *arguments])
    printed = capsys.readouterr()
    return int(end.value.code or 0), printed.out, printed.err


def test_without_a_name_every_report_is_listed_with_what_it_is_about(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--json")
    assert code == 0
    assert json.loads(out) == {one.name: one.about for one in REPORTS.values()}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["profit"], "no report 'profit'"),
        (["statement"], "account"),
        (["trial-balance", "--account", "cash"], "account: trial-balance takes no such parameter"),
        (["player-statement"], "player-statement needs player: whose statement"),
        (["journal", "--period", "day", "--from", "2026-11-29"], "--period stands in place of --from and --to"),
        (["journal", "--day", "2026-11-29"], "--day goes with --period"),
        (["journal", "--period", "mtd", "--day", "29.11.2026"], "a gaming day such as 2026-11-29"),
        (["journal", "--period", "week"], "week"),
        (["journal", "--from", "2026-11-30", "--to", "2026-11-29"], "`to` lies before `from`"),
        (["journal", "--plot", "x.svg"], "journal has no picture"),
        (["large-wins", "--threshold", "1.5"], "threshold: a whole number of zero or more"),
        (["daily-revenue", "--plot", "x.svg", "--explain", "days:rounds:EUR:2026-11-29"], "it has no picture"),
        (["daily-revenue", "--plot", "/nowhere/at/all.svg"], "plot"),
    ],
)
def test_what_is_asked_wrongly_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = run(capsys, *arguments, "--data-dir", str(tmp_path))
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
