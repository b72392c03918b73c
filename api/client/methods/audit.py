"""Calls about audit. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from .. import models as m
from ..transport import Calls, path_id


class AuditCalls(Calls):
    """Calls about audit."""

    def replay_round(
        self, round: str, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.Replay:
        """A round replayed step by step, and settled a second time. Roles: admin, auditor."""
        return self._read(
            m.Replay,
            f"/v1/rounds/{path_id(round)}/replay",
            {"min_position": min_position, "limit": limit, "cursor": cursor},
        )

    def get_round_evidence(
        self, round: str, *, min_position: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> m.Pack:
        """The evidence of a round: one signed document that is checked without us. Roles: admin, auditor."""
        return self._read(
            m.Pack,
            f"/v1/rounds/{path_id(round)}/evidence",
            {"min_position": min_position, "limit": limit, "cursor": cursor},
        )

    def list_evidence_keys(self, *, min_position: int | None = None) -> m.PublicKeys:
        """The public keys that evidence packs, anchors and sealed days are signed with. Roles: admin,
        auditor, dealer, finance, operator.
        """
        return self._read(m.PublicKeys, "/v1/evidence/keys", {"min_position": min_position})
