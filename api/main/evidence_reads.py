"""What the API needs to answer with an evidence pack: who signs, and what lies outside the database."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from adapters.anchors.folder import Folder, FolderFault
from adapters.anchors.leaves import leaves_path, read_leaves
from adapters.evidence_keys import evidence_signers
from api.main.environment import Environment, anchor_folder, operators_zone, software_version
from api.main.pack_anchors import anchors_around
from api.main.seal_files import read_seal, seal_path
from api.reads.common import Evidence
from domain.errors import Invalid
from domain.seals import leaf_of
from services.evidence.pack import PackAnchors
from services.sealing import PROOF, DayRound, inclusion_in

log = logging.getLogger("studbook.evidence")


class FolderOutside:
    """See services.evidence.making.Outside. What cannot be read is left out, and the log says why."""

    def __init__(self, folder: Folder, zone: ZoneInfo) -> None:
        self._folder = folder
        self._zone = zone

    def keys(self) -> Sequence[Mapping[str, str]]:
        """See the port."""
        try:
            return self._folder.public_keys() if self._folder.public.exists() else []
        except FolderFault as fault:
            log.warning("evidence: %s", fault)
            return []

    def anchors(self, first: int, last: int) -> PackAnchors | None:
        """See the port."""
        try:
            return anchors_around(self._folder, first, last)
        except (OSError, ValueError, FolderFault) as fault:
            log.warning("evidence: a pack is made without anchors: %s", fault)
            return None

    def sealed_until(self, operator: str, ended: datetime) -> int | None:
        """See the port."""
        path = self._seal(operator, ended)
        try:
            if not path.exists() or not leaves_path(path).exists():
                return None
            return int(read_seal(path)["position"])
        except (OSError, Invalid, KeyError, ValueError, TypeError) as fault:
            log.warning("evidence: a pack is made without the proof of its day: %s", fault)
            return None

    def day_proof(self, operator: str, ended: datetime, own: DayRound) -> dict[str, Any] | None:
        """See the port."""
        try:
            return _proof(self._seal(operator, ended), operator, own)
        except (OSError, ValueError, Invalid, KeyError) as fault:
            log.warning("evidence: a pack is made without the proof of its day: %s", fault)
            return None

    def _seal(self, operator: str, ended: datetime) -> Path:
        return seal_path(self._folder, operator, ended.astimezone(self._zone).date())


def _proof(path: Path, operator: str, own: DayRound) -> dict[str, Any] | None:
    seal, leaves = read_seal(path), read_leaves(leaves_path(path))
    index = None if leaves is None else next((at for at, one in enumerate(leaves) if one.round == own.round), None)
    if leaves is None or index is None:
        return None
    leaf = leaves[index]
    if len(leaves) != seal["rounds"] or leaf_of(operator, own.round, leaf.salt, own.events) != leaf.hash:
        raise ValueError(f"the round is not what was sealed in {path}: `studbook seal --day` says more")
    inclusion = inclusion_in(operator, own, leaf.salt, [one.hash for one in leaves], index)
    return {"type": PROOF, "seal": seal, "inclusion": inclusion}


def evidence_of(env: Environment) -> Evidence:
    """Who signs, what software this is, and the folder of anchors where there is one. The log itself is read on the
    login of requests, as all reads are.
    """
    folder = anchor_folder()
    outside = None if folder is None else FolderOutside(folder, operators_zone())
    return Evidence(evidence_signers(env.embedded_dir), software_version(), outside)
