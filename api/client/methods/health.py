"""Calls about health. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from .. import models as m
from ..transport import Calls


class HealthCalls(Calls):
    """Calls about health."""

    def get_livez(self) -> str:
        """Is the process alive."""
        return self._text("/livez", {})

    def get_readyz(self) -> m.Readiness:
        """Can it serve."""
        return self._read(m.Readiness, "/readyz", {})

    def get_metrics(self) -> str:
        """Figures for Prometheus."""
        return self._text("/metrics", {})
