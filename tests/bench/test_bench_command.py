"""`studbook bench` as a command: its keys, its checks, and that nothing is left of it. No test asserts a speed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.bench.figures import BARS, KEYS
from api.bench.page import BEGIN, END, with_figures
from api.bench.plot import plot
from api.bench.services import Service
from api.cli import main
from tests.bench.recorded import result
from tests.postgres import shared_folder

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 300


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A temporary folder that the database's account reaches; nothing may be left in it."""
    folder = shared_folder() / f"bench-{uuid.uuid4().hex[:8]}"
    folder.mkdir()
    folder.chmod(0o755)
    yield folder
    assert list(folder.iterdir()) == []
    folder.rmdir()
    assert processes(folder) == []


def processes(folder: Path) -> list[str]:
    """Those that name the folder."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "command="], capture_output=True, text=True, check=True).stdout
    return [line for line in listed.splitlines() if str(folder) in line]


def start(temporary: Path, *options: str) -> subprocess.Popen[str]:
    """With a database named in the environment that is not to be touched."""
    command = [sys.executable, "-m", "api.cli", "bench", *options]
    env = {**os.environ, "TMPDIR": str(temporary), "STUDBOOK_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_quick_run_has_every_figure_and_its_checks_and_leaves_nothing(temporary: Path, tmp_path: Path) -> None:
    saved, drawn = tmp_path / "figures" / "bench.json", tmp_path / "drawings" / "bench.svg"
    with start(temporary, "--quick", "--json", "--save", str(saved), "--plot", str(drawn)) as process:
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, err
    found: dict[str, Any] = json.loads(out)
    assert set(found) == {*KEYS, "ratios", "machine", "method", "repeats", "checks"}
    assert all(found[key] > 0 for key in KEYS)
    assert list(found["ratios"]) == [one.name for one in BARS]
    assert found["method"]["quick"] is True
    assert found["method"]["postgresql"]["fsync"] == "on"
    for store in ("studbook", "bench_small", "bench_large"):
        counted = found["checks"][f"wagers_{store}"]
        assert counted["answered_201"] == counted["in_ledger"] > 0
        assert found["checks"][f"verify_{store}"]["ok"] is True
    assert json.loads(saved.read_text("utf-8")) == found
    assert drawn.read_text("utf-8").startswith("<svg")


def test_a_wager_that_was_answered_and_not_counted_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # given a load whose last answer is not counted, so that the ledger holds one wager more
    do = Service.do

    def forgetful(self: Service, job: str, **told: Any) -> dict[str, Any]:
        found = do(self, job, **told)
        self.wagers -= job == "wagers"
        return found

    monkeypatch.setattr(Service, "do", forgetful)

    # when it is compared with the ledger
    with pytest.raises(SystemExit) as left:
        main(["bench", "--quick", "--json", "--only", "http_wagers_per_s"])

    # then the run is no result
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (1, "")
    assert "wagers were answered 201 on studbook, and its ledger holds" in err


@pytest.mark.parametrize("moment", ["initdb", "postgres -D", "api.cli serve"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_told_to_end_stops_all_that_it_started(
    temporary: Path, number: signal.Signals, moment: str
) -> None:
    with start(temporary, "--quick", "--only", "http_wagers_per_s", "--repeats", "99") as process:
        until = time.monotonic() + SECONDS
        while not any(moment in line for line in processes(temporary)):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (128 + number, "", "")


def test_bad_use_is_told_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    for options, named in ((["--only", "wagers"], "no figure is named wagers"), (["--repeats", "0"], "--repeats")):
        with pytest.raises(SystemExit) as left:
            main(["bench", *options])
        out, err = capsys.readouterr()
        assert (left.value.code, out) == (2, "")
        assert named in err


def test_a_quick_runs_figures_are_not_put_into_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "quick.json"
    source.write_text(json.dumps({"method": {"quick": True}}), encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["bench", "--page", str(source)])
    assert left.value.code == 1
    assert "its figures are no result" in capsys.readouterr().err


def test_the_page_and_the_drawing_come_from_the_json_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    page, source = tmp_path / "docs" / "performance.md", tmp_path / "bench.json"
    page.write_text(f"before\n{BEGIN}\n{END}\nafter\n", encoding="utf-8")
    source.write_text(json.dumps(result()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["bench", "--page", str(source)])
    assert left.value.code == 0
    assert page.read_text("utf-8") == with_figures(f"before\n{BEGIN}\n{END}\nafter\n", result())
    assert (tmp_path / "docs" / "performance" / "bench.svg").read_text("utf-8") == plot(result())


def test_figures_that_could_not_be_kept_are_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("api.commands.bench._measured", lambda _: pytest.fail("it measures"))
    with pytest.raises(SystemExit) as left:
        main(["bench", "--save", str(tmp_path)])
    assert left.value.code == 2
    assert f"{tmp_path} cannot be written" in " ".join(capsys.readouterr().err.split())
