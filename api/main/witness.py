"""What the anchors say, for `studbook verify`: read before the log, so that the log is never behind them by itself."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from adapters.anchors.folder import Folder, FolderFault, read_jwks
from adapters.anchors.reading import read_anchors
from adapters.database.errors import StartRefused
from adapters.signing import PublicKey, Verifier
from api.main.anchor_settings import marked_folder
from api.main.environment import ANCHOR_DIR, anchor_folder
from services.audit import Finding, Tail
from services.chain import Anchor


@dataclass(frozen=True, slots=True)
class Witness:
    """Hashes that anchors vouch for, and what is wrong with the anchors themselves. `folder` None: there are none."""

    folder: Path | None = None
    count: int = 0
    position: int = 0
    anchors: tuple[Anchor, ...] = ()
    findings: tuple[Finding, ...] = ()
    tail: Tail | None = None


def witnessed(head: int, keys: Path | None, environ: Mapping[str, str] = os.environ) -> Witness:
    """The anchors of STUDBOOK_ANCHOR_DIR, or those of an embedded cluster where they were written last. `head` is where
    the log ended just before. StartRefused, in one line, for a folder or a key that cannot be read.
    """
    folder = anchor_folder(environ)
    marked = None if environ.get(ANCHOR_DIR) else marked_folder(environ)
    if marked is not None and not marked.path.exists() and head:
        return _gone(marked)
    folder = marked or folder
    if folder is None or (not environ.get(ANCHOR_DIR) and not folder.path.exists()):
        if keys is not None:
            raise StartRefused(f"--anchor-keys needs a folder of anchors: give --anchor-dir or set {ANCHOR_DIR}")
        return Witness()
    try:
        trusted = folder.trusted(environ) if keys is None else read_jwks(keys)
        return _read(folder, head, trusted)
    except FolderFault as fault:
        raise StartRefused(str(fault)) from None
    except OSError as fault:
        raise StartRefused(f"anchor folder {folder.path}: {fault.strerror}") from None


def _gone(folder: Folder) -> Witness:
    """Anchors were written, and now there is not even their folder."""
    reason = f"the folder that anchors were written in is gone: {folder.path}; is it elsewhere, give --anchor-dir"
    return Witness(folder.path, findings=(Finding("anchors", 1, reason),))


def _read(folder: Folder, head: int, trusted: list[PublicKey]) -> Witness:
    if not folder.path.is_dir():
        raise StartRefused(f"anchor folder {folder.path} is not there")
    if not folder.anchors.exists():
        return Witness(folder.path, tail=Tail(0, head))
    found = read_anchors(folder.anchors, Verifier(trusted))
    anchors = tuple(Anchor(position, bytes.fromhex(one)) for position, hashes in found.hashes.items() for one in hashes)
    findings: tuple[Finding, ...] = ()
    if found.fault is not None:
        findings = (Finding("anchors", found.fault.position, found.fault.reason),)
    return Witness(folder.path, found.count, found.position, anchors, findings, Tail(found.position, head))
