"""Whether the settings of anchors are such that they can be written; told before anything is served."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from adapters.anchors.address import sink_fault
from adapters.anchors.folder import Folder, FolderFault
from adapters.database.errors import StartRefused
from adapters.signing import Signer
from api.main.environment import ANCHOR_DIR, ANCHOR_URL, EMBEDDED_DIR, anchor_folder

ANCHORED_IN: Final = "anchored-in"
"""The file in the folder of an embedded cluster that names the folder of its anchors; one within it by its own name."""


def prepare_folder(folder: Folder, environ: Mapping[str, str] = os.environ) -> Signer:
    """Make the folder and its key where they are missing, and publish the public one; what signs. StartRefused."""
    try:
        folder.make()
        signers = folder.signers(environ)
        folder.publish(signers)
    except FolderFault as fault:
        raise StartRefused(str(fault)) from None
    except OSError as fault:
        raise StartRefused(f"anchor folder {folder.path}: {fault.strerror}") from None
    return signers[0]


def marked_folder(environ: Mapping[str, str] = os.environ) -> Folder | None:
    """Where the anchors of an embedded cluster were written last; None where they never were. StartRefused."""
    embedded = environ.get(EMBEDDED_DIR)
    marker = Path(embedded or "/nowhere") / ANCHORED_IN
    if not embedded or not marker.exists():
        return None
    try:
        return Folder(Path(embedded) / marker.read_text("utf-8").rstrip("\n"))
    except (OSError, ValueError) as fault:
        raise StartRefused(f"{marker}: {getattr(fault, 'strerror', None) or fault}") from None


def unanchored(environ: Mapping[str, str] = os.environ) -> str | None:
    """What is to be told where no folder of anchors is known; None where one is."""
    if anchor_folder(environ) is not None:
        return None
    return (
        "nothing is anchored outside of the database: a log whose end is cut off, or whose chain is made anew, is not"
        f" noticed, and no day can be sealed; set {ANCHOR_DIR} to a folder on another disk"
    )


def check_anchor_settings(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether anchors are written; StartRefused, in one line, for settings with which they cannot be."""
    url = environ.get(ANCHOR_URL)
    if url and (fault := sink_fault(url)) is not None:
        raise StartRefused(f"{ANCHOR_URL}: {fault}")
    folder = anchor_folder(environ)
    if folder is None:
        if url:
            raise StartRefused(f"{ANCHOR_URL} needs {ANCHOR_DIR}: what is sent is written there first")
        return False
    cluster = Path(environ.get(EMBEDDED_DIR) or "/nowhere") / "cluster"
    if folder.path.resolve().is_relative_to(cluster.resolve()):
        raise StartRefused(
            f"anchor folder {folder.path}: it lies inside the database that it is to watch; choose another"
        )
    prepare_folder(folder, environ)
    _mark(folder, environ)
    return True


def _mark(folder: Folder, environ: Mapping[str, str]) -> None:
    """Note beside an embedded cluster where its anchors are, so that a folder that is gone is missed."""
    if not (embedded := environ.get(EMBEDDED_DIR)):
        return
    where = folder.path.resolve()
    data = Path(embedded).resolve()
    text = f"{where.relative_to(data) if where.is_relative_to(data) else where}\n"
    marker = Path(embedded) / ANCHORED_IN
    try:
        if not marker.exists() or marker.read_text("utf-8") != text:
            draft = marker.with_name(f".{marker.name}.{os.getpid()}")
            draft.write_text(text, "utf-8")
            draft.rename(marker)
    except (OSError, ValueError) as fault:
        raise StartRefused(f"{marker}: {getattr(fault, 'strerror', None) or fault}") from None
