"""What every test may use."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.postgres", "tests.service"]

settings.register_profile("studbook", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("studbook")
"""No deadlines: cores are shared, and a slow example is no fault."""


@pytest.fixture(autouse=True)
def _own_environment() -> Iterator[None]:
    """A command that is run within a test sets what its process was told: the next test does not inherit that."""
    before = dict(os.environ)
    yield
    if dict(os.environ) != before:
        os.environ.clear()
        os.environ.update(before)
