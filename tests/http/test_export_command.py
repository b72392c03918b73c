"""`studbook export` beside a running service."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service import Service
from tests.support.exported import csv_rows

FOREIGN = ("fr_FR", "de_DE")


@pytest.fixture(scope="module")
def player(service: Service) -> str:
    name = service.name("player")
    assert service.post("/v1/players", {"player": name, "currency": "EUR"}).status_code == 201
    body = {"amount": 1000, "currency": "EUR", "transaction_id": service.name("bank")}
    assert service.post(f"/v1/players/{name}/deposits", body).status_code == 201
    return name


def locales(folder: Path) -> dict[str, str]:
    """What makes the languages known here, where the machine has what they are made from; their names alone, else."""
    if (localedef := shutil.which("localedef")) is None:
        return {}
    for name in FOREIGN:
        command = [localedef, "-i", name, "-f", "UTF-8", str(folder / f"{name}.UTF-8")]
        subprocess.run(command, capture_output=True, check=False)
    return {"LOCPATH": str(folder)}


def test_bug_085_csv_is_byte_identical_whatever_the_language_of_the_machine(
    service: Service, player: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "api.cli", "export", "trial-balance", "--to", "2120-01-01", "--currency", "EUR"]
    found, known = set(), locales(tmp_path)
    for language in (*(f"{name}.UTF-8" for name in FOREIGN), "C"):
        env = {**service.environment(), **known, "LC_ALL": language, "LANG": language, "LANGUAGE": language}
        done = subprocess.run(command, env=env, capture_output=True, check=True)
        found.add(done.stdout)
    [text] = found
    rows = {row["account"]: row for row in csv_rows(text.decode("utf-8"))}
    assert rows[f"av/{player}"]["closing"] == "10.00"


def test_a_file_has_its_manifest_with_hash_and_totals_beside_it(service: Service, player: str, tmp_path: Path) -> None:
    path = tmp_path / "book.hledger"
    done = service.studbook("export", "journal", "--format", "hledger", "--output", str(path), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    manifest = json.loads(done.stdout)
    assert manifest == json.loads((tmp_path / "book.hledger.manifest.json").read_text("utf-8"))
    assert manifest["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (manifest["bytes"], manifest["file"]) == (path.stat().st_size, path.name)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["book.hledger", "book.hledger.manifest.json"]
    assert f"liabilities:players:{player}:available" in path.read_text("utf-8")
