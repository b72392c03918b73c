"""What every test may use."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

pytest_plugins = ["tests.postgres", "tests.service"]

settings.register_profile("studbook", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("first-failure", settings.get_profile("studbook"), phases=[Phase.explicit, Phase.generate])
settings.load_profile(os.environ.get("STUDBOOK_TEST_PROFILE", "studbook"))
"""No deadlines: cores are shared, and a slow example is no fault. Where only whether a test fails is asked, as of
planted faults, nobody looks for the smallest example.
"""


@pytest.fixture(autouse=True)
def _own_environment() -> Iterator[None]:
    """A command that is run within a test sets what its process was told: the next test does not inherit that."""
    before = dict(os.environ)
    yield
    if dict(os.environ) != before:
        os.environ.clear()
        os.environ.update(before)
