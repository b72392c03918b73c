"""The client needs nothing of this repository: its folder is copied, under any name, and works."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

from tests.contract.write import CLIENT
from tests.house.test_imports import imported

PROGRAM = """\
import sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"api", "domain", "services", "adapters", "fastapi", "psycopg", "eventsourcing"}:
            raise ImportError(f"{name} is not there")

sys.meta_path.insert(0, Nothing())
from casino_client import Client, InsufficientFunds, LostAnswer
from casino_client.webhooks import verified
with Client("http://127.0.0.1:9", "key", attempts=1) as casino:
    try:
        casino.deposit("ann", amount=1, currency="EUR", transaction_id="t")
    except LostAnswer as lost:
        print(lost.call, bool(lost.idempotency_key))
"""


def test_a_copy_of_the_folder_under_another_name_works_without_the_rest(tmp_path: Path) -> None:
    shutil.copytree(CLIENT, tmp_path / "casino_client")
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert (done.stdout, done.stderr) == ("POST /v1/players/ann/deposits True\n", "")


def test_the_client_imports_httpx2_pydantic_standardwebhooks_and_itself_alone() -> None:
    files = sorted(CLIENT.rglob("*.py"))
    assert len(files) > 20
    names = {name.partition(".")[0] or "." for path in files for name in imported(path.read_text("utf-8"))}
    assert names - sys.stdlib_module_names == {".", "httpx2", "pydantic", "standardwebhooks"}
    assert all(ast.get_docstring(ast.parse(path.read_text("utf-8"))) for path in files)
