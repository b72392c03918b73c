"""environment.example names every variable that the program reads, and no other."""

from __future__ import annotations

import re

from adapters.database.settings import Role
from tests.deploy.files import compose, example, variables
from tests.house.tree import ROOT

NAMED = re.compile(r"\b(?:STUDBOOK|OTEL)_[A-Z_]*[A-Z]\b")

BETWEEN_PROCESSES = {"STUDBOOK_EMBEDDED_DIR", "STUDBOOK_SERVE_PID", "STUDBOOK_WORKERS_DIR"}
"""Set by `serve` for its own children."""

ONLY_FOR_CLIENTS = {"STUDBOOK_DEALER_KEY", "STUDBOOK_KEY", "STUDBOOK_SIGNING_SECRET", "STUDBOOK_URL"}
"""Read by `studbook demo --url` and `studbook check-integration`, which are clients."""


def read_by_the_program() -> set[str]:
    found = {role.password_variable for role in Role}
    for top in ("domain", "services", "adapters", "api"):
        for path in (ROOT / top).rglob("*.py"):
            found |= set(NAMED.findall(path.read_text("utf-8")))
    return found - BETWEEN_PROCESSES - ONLY_FOR_CLIENTS


def test_every_variable_that_the_program_reads_is_in_the_example() -> None:
    read = read_by_the_program()
    assert len(read) > 15
    assert sorted(read - example().keys()) == []


def test_the_example_names_nothing_that_is_not_read() -> None:
    of_compose = variables(str(compose()))
    assert sorted(example().keys() - read_by_the_program() - of_compose) == []


def test_compose_takes_nothing_from_its_environment_that_the_example_lacks() -> None:
    assert sorted(variables(str(compose())) - example().keys()) == []
