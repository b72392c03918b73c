"""One installation for the tests of this folder that leave it as they found it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.deploy.installation import Installation, installation


@pytest.fixture(scope="session")
def installed() -> Iterator[Installation]:
    """Up and ready; a test may play on it."""
    with installation() as made:
        yield made
