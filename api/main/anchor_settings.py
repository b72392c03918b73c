"""Whether the settings of anchors are such that they can be written; told before anything is served."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from adapters.anchors.address import sink_fault
from adapters.anchors.folder import Folder, FolderFault
from adapters.database.errors import StartRefused
from adapters.signing import Signer
from api.main.environment import ANCHOR_DIR, ANCHOR_URL, EMBEDDED_DIR, anchor_folder


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
    return True
