"""Where things are, told by environment variables; `studbook serve` sets those of its child processes."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_network
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from adapters.anchors.folder import Folder
from adapters.database.errors import StartRefused
from adapters.database.settings import DatabaseSettings, database_settings
from adapters.vault import Vault
from adapters.vault_keys import vault_from_environment, webhook_vault
from domain.webhooks import Network

DATABASE_URL: Final = "STUDBOOK_DATABASE_URL"
EMBEDDED_DIR: Final = "STUDBOOK_EMBEDDED_DIR"
"""Set by `serve` for its children where the database is embedded: the folder that holds the key of sealed cards."""

ZONE: Final = "STUDBOOK_ZONE"
"""The zone in which the operators' weeks begin, such as America/New_York; UTC when it is not set."""

WEBHOOK_PRIVATE: Final = "STUDBOOK_WEBHOOK_PRIVATE"
"""Networks beside the public ones that webhooks may lie in, such as 10.1.0.0/16,fd00:1::/32; only there without TLS."""

ANCHOR_DIR: Final = "STUDBOOK_ANCHOR_DIR"
"""The folder of anchors; beside the cluster where the database is embedded and none is named."""

ANCHOR_URL: Final = "STUDBOOK_ANCHOR_URL"
"""Where anchors are sent as well, over HTTPS."""

SERVE_PID: Final = "STUDBOOK_SERVE_PID"
"""Set by `serve` for its serving processes: they end when it is gone."""

TOPS: Final = ("domain", "services", "adapters", "api")


def started_by(environ: Mapping[str, str] = os.environ) -> int:
    """The process that a child of `serve` must not outlive. `serve` says its number, since it may be gone before the
    child can ask who its parent is, which is then somebody else.
    """
    told = environ.get(SERVE_PID, "")
    return int(told) if told.isdigit() else os.getppid()


@dataclass(frozen=True, slots=True)
class Environment:
    """The database and its logins, and the key folder of an embedded one."""

    settings: DatabaseSettings
    embedded_dir: Path | None

    def vault(self) -> Vault:
        """The key of sealed cards: STUDBOOK_CARD_KEY, or the key file beside the embedded cluster."""
        return vault_from_environment(self.embedded_dir)

    def webhook_vault(self) -> Vault | None:
        """The key of webhooks' secrets: STUDBOOK_WEBHOOK_KEY, or the key file beside the embedded cluster; None: no
        webhooks are kept here."""
        return webhook_vault(self.embedded_dir)


def environment(environ: Mapping[str, str] = os.environ) -> Environment:
    """What the environment says. StartRefused, in one line, when it names no database."""
    url = environ.get(DATABASE_URL, "")
    if not url:
        raise StartRefused(f"no database: give --database-url or set {DATABASE_URL}, or let `studbook serve` start one")
    folder = environ.get(EMBEDDED_DIR)
    return Environment(database_settings(url, environ), Path(folder) if folder else None)


def operators_zone(environ: Mapping[str, str] = os.environ) -> ZoneInfo:
    """The zone of STUDBOOK_ZONE. StartRefused, in one line, when there is no such zone."""
    name = environ.get(ZONE) or "UTC"
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise StartRefused(f"{ZONE}: no such zone; write one like America/New_York") from None


def webhook_networks(environ: Mapping[str, str] = os.environ) -> tuple[Network, ...]:
    """The networks of STUDBOOK_WEBHOOK_PRIVATE. StartRefused, in one line, when one of them is none."""
    found = []
    for text in environ.get(WEBHOOK_PRIVATE, "").replace(" ", "").split(","):
        try:
            found += [ip_network(text)] if text else []
        except ValueError:
            raise StartRefused(f"{WEBHOOK_PRIVATE}: {text[:60]} is no network; write one like 10.1.0.0/16") from None
    return tuple(found)


def anchor_folder(environ: Mapping[str, str] = os.environ) -> Folder | None:
    """STUDBOOK_ANCHOR_DIR, else the one beside an embedded cluster; None with a database of one's own."""
    if chosen := environ.get(ANCHOR_DIR):
        return Folder(Path(chosen).expanduser().absolute())
    embedded = environ.get(EMBEDDED_DIR)
    return Folder(Path(embedded) / "anchors") if embedded else None


def software_version() -> str:
    """The installed version of studbook."""
    return importlib.metadata.version("studbook")


def build_hash() -> str:
    """SHA-256 over the program's own source files, so that an auditor can tell which code opened a round."""
    root = Path(__file__).resolve().parents[2]
    digest = sha256()
    for top in TOPS:
        for path in sorted((root / top).rglob("*.py")):
            digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()
