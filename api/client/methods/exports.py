"""Calls about exports. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls, path_id


class ExportsCalls(Calls):
    """Calls about exports."""

    def get_export(self, export: str) -> m.ExportAnswer:
        """How far an export is. Roles: admin, auditor, finance."""
        return self._read(m.ExportAnswer, f"/v1/exports/{path_id(export)}", {})

    def get_export_file(self, export: str) -> bytes:
        """The file of an export that is done. Roles: admin, auditor, finance."""
        return self._bytes(f"/v1/exports/{path_id(export)}/file", {})

    def ask_for_export(self, *, idempotency_key: str | None = None, **body: Unpack[b.ExportBody]) -> m.ExportAnswer:
        """Ask for a file: a report, the journal or the events. Roles: admin, auditor, finance."""
        return self._command(m.ExportAnswer, "POST", "/v1/exports", body, idempotency_key)
