"""The document of the running service, for the tests of this folder."""

from __future__ import annotations

import pytest

from tests.contract.write import served
from tests.http.contract import Contract
from tests.service import Service


@pytest.fixture(scope="session")
def contract(service: Service) -> Contract:
    """What the service serves now, without its examples."""
    return Contract(served(service.url))
