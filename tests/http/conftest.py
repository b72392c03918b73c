"""Every answer that a test of this folder gets is held to the service's own OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest

from tests.http.contract import Contract
from tests.service import Service


@pytest.fixture(scope="session")
def contract(service: Service) -> Contract:
    """The document of the running service."""
    return Contract.of(service.url)


@pytest.fixture(autouse=True)
def every_answer_checked(service: Service, contract: Contract) -> Iterator[None]:
    """Check each answer of the service's client as it arrives."""

    def check(response: httpx2.Response) -> None:
        request = response.request
        contract.check(
            request.method, request.url.path, response.status_code, response.headers, response.read()
        )  # fmt: skip

    service.client.event_hooks = {"request": [], "response": [check]}
    yield
    service.client.event_hooks = {"request": [], "response": []}
