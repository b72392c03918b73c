"""Calls about service. Written from docs/openapi.json by `python -m tests.contract.write`: do not edit."""

from __future__ import annotations

from typing import Unpack

from .. import bodies as b
from .. import models as m
from ..transport import Calls


class ServiceCalls(Calls):
    """Calls about service."""

    def disable(self, *, idempotency_key: str | None = None, **body: Unpack[b.ServiceBody]) -> m.ServiceAnswer:
        """Take out of service. Roles: admin, operator."""
        return self._command(m.ServiceAnswer, "POST", "/v1/disable", body, idempotency_key)

    def enable(self, *, idempotency_key: str | None = None, **body: Unpack[b.ServiceBody]) -> m.ServiceAnswer:
        """Put back into service. Roles: admin, operator."""
        return self._command(m.ServiceAnswer, "POST", "/v1/enable", body, idempotency_key)

    def set_one_device(
        self, *, idempotency_key: str | None = None, **body: Unpack[b.OneDeviceBody]
    ) -> m.OneDeviceAnswer:
        """Let players be at tables by one device alone. Roles: admin, operator."""
        return self._command(m.OneDeviceAnswer, "POST", "/v1/one-device", body, idempotency_key)
