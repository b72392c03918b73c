"""`studbook` as a process, on a test's own database."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path

from adapters.database.settings import Role
from tests.postgres import Database
from tests.store.support import CARD_KEY

EVIDENCE_KEY = base64.urlsafe_b64encode(bytes(range(64, 96))).decode().rstrip("=")
WEBHOOK_KEY = base64.urlsafe_b64encode(bytes(range(32, 64))).decode().rstrip("=")
ROOT = Path(__file__).resolve().parents[2]


def environment(database: Database) -> dict[str, str]:
    """Where the database is, its passwords, and the keys of cards, webhooks and packs; nothing of ours beside."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("STUDBOOK_", "POSTGRES_"))}
    passwords = {role.password_variable: database.cluster.password(role) for role in Role}
    key = base64.urlsafe_b64encode(CARD_KEY).decode().rstrip("=")
    return {
        **ours, **passwords, "STUDBOOK_CARD_KEY": key, "STUDBOOK_WEBHOOK_KEY": WEBHOOK_KEY,
        "STUDBOOK_EVIDENCE_KEY": EVIDENCE_KEY, "PYTHONPATH": str(ROOT),
    }  # fmt: skip


def studbook(database: Database, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "api.cli", *arguments, "--database-url", database.settings.url],
        env={**environment(database), **variables},
        capture_output=True,
        text=True,
        cwd="/",
        timeout=300,
        check=False,
    )
