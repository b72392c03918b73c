"""What every test may use."""

from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.postgres", "tests.service"]

settings.register_profile("studbook", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("studbook")
"""No deadlines: cores are shared, and a slow example is no fault."""
